import { alignedLines } from '../../old/output/fields.ts'
import type { Printer } from '../../old/output/printer.ts'
import { linesOf, type Safe, safe } from '../../old/output/text.ts'

/** The result of one check. */
export interface CheckResult {
  name: string
  status: 'ok' | 'failed' | 'skipped'
  /** The finding, or why it was not checked. */
  message: string
  /** The next step after a failure. */
  hint?: string | undefined
  exitCode?: number
}

/** The results as text, one line each. */
export function checksText(checks: readonly CheckResult[], { text, style, width }: Printer): Safe {
  const marks = {
    ok: style.green(safe`✓`),
    failed: style.red(safe`✗`),
    skipped: style.dim(safe`—`),
  }
  const rows = checks.map(({ name, status, message, hint }) => {
    const next = hint === undefined ? '' : ` → ${hint}`
    return [safe`${marks[status]} ${text(name)}`, text(message + next)]
  })
  return linesOf(alignedLines(rows, width))
}
