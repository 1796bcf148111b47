import { errorJson, type FlagadmError } from '../../errors.ts'
import type { FormatOf } from '../../output/formats.ts'
import type { FieldChange } from '../changes.ts'
import { nonZero } from '../comparison.ts'
import { changeJson } from './changes.ts'
import { type FailedProject, failedLines } from './failed.ts'
import { jsonReport } from '../../output/json.ts'
import { counted } from '../../output/phrases.ts'
import type { Printer } from '../../output/printer.ts'
import { type Safe, safe, type Sanitizer } from '../../output/text.ts'
import { wrappedLines } from '../../output/width.ts'

/** The result for a project. */
export interface AppliedProject {
  projectId: string
  /** `skipped` after an interrupt; `unknown` if the change was sent but not confirmed. */
  status: 'changed' | 'unchanged' | 'failed' | 'skipped' | 'unknown'
  changes: FieldChange[]
  /** Set if the settings were read back and are those declared. */
  verified?: true
  failure?: FlagadmError
}

function appliedText({ projectId, status }: AppliedProject, { text, style }: Printer): Safe {
  const paints = {
    changed: style.green,
    unchanged: style.dim,
    failed: style.red,
    skipped: style.yellow,
    unknown: style.red,
  }
  const paint = paints[status]
  return safe`${style.bold(text(projectId))}: ${paint(text(status))}\n`
}

/**
 * The summary of a run, with the projects that failed below it.
 * @param hasHints whether to print the hints of failures
 */
export function appliedSummary(
  summary: string,
  failed: readonly AppliedProject[],
  hasHints: boolean,
  printer: Printer,
): Safe {
  const failures = failed.flatMap(({ projectId, status, failure }): FailedProject[] => {
    const shown = status === 'unknown' ? 'unknown (sent, but not confirmed)' : status
    return failure ? [{ projectId, status: shown, failure }] : []
  })
  const { text, width } = printer
  const lines = failedLines(failures, hasHints, printer)
  const blank = lines.length > 0 ? [safe``] : []
  return wrappedLines([text(summary), ...blank, ...lines], width, 2)
}

function appliedJson(project: AppliedProject, sanitizer: Sanitizer): Safe {
  const { projectId, status, changes, verified = false, failure } = project
  const error = failure && errorJson(failure).error
  const document = { projectId, status, changes: changes.map(changeJson), verified, error }
  return jsonReport(document, sanitizer)
}

/** A project in a format: as text, or as a JSON line. */
export function renderApplied(
  format: FormatOf<'textOrJson'>,
  project: AppliedProject,
  printer: Printer,
): Safe {
  return format === 'json' ? appliedJson(project, printer) : appliedText(project, printer)
}

/** How many projects have each status. */
type AppliedCounts = Record<AppliedProject['status'], number>

/** `3 projects: 1 changed, 1 unchanged, 1 failed`, with the other statuses if there are any. */
export function appliedCounts(counts: AppliedCounts): string {
  const { changed, unchanged, failed, skipped, unknown } = counts
  const total = counted(changed + unchanged + failed + skipped + unknown, 'project')
  const always = `${changed} changed, ${unchanged} unchanged, ${failed} failed`
  return `${total}: ${[always, ...nonZero({ skipped, unknown })].join(', ')}`
}
