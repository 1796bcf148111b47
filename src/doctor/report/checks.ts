import type { ChalkInstance } from 'chalk'
import { alignedLines } from '../../output/aligned.ts'
import { isolate, safeJson, safeText } from '../../output/escapes.ts'

/** The result of one check. */
export interface CheckResult {
  name: string
  status: 'ok' | 'failed' | 'skipped'
  /** What was found, or why it was not checked. */
  message: string
  /** The next step after a failure. */
  hint?: string
  exitCode?: number
}

/** The results as one JSON object. */
export function checksJson(checks: readonly CheckResult[], exitCode: number): string {
  return `${safeJson(JSON.stringify({ ok: exitCode === 0, exitCode, checks }))}\n`
}

/** The results as text, one line each. */
export function checksText(checks: readonly CheckResult[], style: ChalkInstance): string {
  const marks = { ok: style.green('✓'), failed: style.red('✗'), skipped: style.dim('—') }
  const rows = checks.map(({ name, status, message, hint }) => {
    const next = hint === undefined ? '' : ` → ${hint}`
    return [`${marks[status]} ${name}`, safeText(message + next)]
  })
  return isolate(`${alignedLines(rows).join('\n')}\n`)
}
