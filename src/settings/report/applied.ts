import { errorJson, type FlagadmError } from '../../errors.ts'
import type { FieldChange } from '../settings.ts'
import { changeJson } from './changes.ts'
import { type FailedProject, failedLines } from './failed.ts'
import { nonZero } from './sentences.ts'
import { jsonReport } from '../../old/output/json.ts'
import { counted } from '../../old/output/phrases.ts'
import type { Printer } from '../../old/output/printer.ts'
import { type Safe, safe, type Sanitizer } from '../../old/output/text.ts'
import { wrappedLines } from '../../old/output/width.ts'

/** The result for a project. */
export interface AppliedProject {
  projectId: string
  /** `skipped` after an interrupt; `unknown` if the change was sent but not confirmed. */
  status: 'changed' | 'unchanged' | 'failed' | 'skipped' | 'unknown'
  changes: FieldChange[]
  failure?: FlagadmError
}

/** The line of a project. */
export function appliedText({ projectId, status }: AppliedProject, { text, style }: Printer): Safe {
  const paints = {
    changed: style.green,
    unchanged: style.dim,
    failed: style.red,
    skipped: style.yellow,
    unknown: style.red,
  }
  return safe`${style.bold(text(projectId))}: ${paints[status](text(status))}\n`
}

/** How many projects have each status, and below it those that failed; with hints if there are several projects. */
export function appliedSummary(projects: readonly AppliedProject[], printer: Printer): Safe {
  const failures = projects.flatMap(({ projectId, status, failure }): FailedProject[] => {
    const shown = status === 'unknown' ? 'unknown (sent, but not confirmed)' : status
    return failure ? [{ projectId, status: shown, failure }] : []
  })
  const { text, width } = printer
  const lines = failedLines(failures, projects.length > 1, printer)
  const blank = lines.length > 0 ? [safe``] : []
  return wrappedLines([text(appliedCounts(projects)), ...blank, ...lines], width, 2)
}

/** The JSON line of a project. */
export function appliedJson(project: AppliedProject, sanitizer: Sanitizer): Safe {
  const { projectId, status, changes, failure } = project
  // The settings were read, and are those declared.
  const verified = status === 'changed' || status === 'unchanged'
  const error = failure && errorJson(failure).error
  const document = { projectId, status, changes: changes.map(changeJson), verified, error }
  return jsonReport(document, sanitizer)
}

/** `3 projects: 1 changed, 1 unchanged, 1 failed`, with the other statuses if there are any. */
export function appliedCounts(projects: readonly AppliedProject[]): string {
  const counts = { changed: 0, unchanged: 0, failed: 0, skipped: 0, unknown: 0 }
  for (const { status } of projects) counts[status]++
  const { changed, unchanged, failed, ...others } = counts
  const always = `${changed} changed, ${unchanged} unchanged, ${failed} failed`
  return `${counted(projects.length, 'project')}: ${[always, ...nonZero(others)].join(', ')}`
}
