import type { ChalkInstance } from 'chalk'
import type { FlagadmError } from '../errors.ts'
import type { FormatOf } from '../formats.ts'
import type { Change } from '../settings/changes.ts'
import { changeJson } from './changes.ts'
import { jsonReport } from './json.ts'
import { counted } from '../phrases.ts'
import { isolate, safeText } from './text.ts'

/** The result for a project. */
export interface AppliedProject {
  projectId: string
  status: 'changed' | 'unchanged' | 'failed'
  changes: Change[]
  /** Set if the settings were read back and are those declared. */
  verified?: true
  failure?: FlagadmError
  /** Why it failed, on one line and as JSON data. */
  problem?: string
  error?: object
}

function appliedText({ projectId, status, problem }: AppliedProject, style: ChalkInstance): string {
  const paint = { changed: style.green, unchanged: style.dim, failed: style.red }[status]
  const reason = problem === undefined ? '' : `\n  ${safeText(problem)}`
  return isolate(`${style.bold(safeText(projectId))}: ${paint(status)}${reason}\n`)
}

function appliedJson({ changes, problem: _, ...project }: AppliedProject): string {
  const { projectId, status, verified = false, error } = project
  return jsonReport({ projectId, status, changes: changes.map(changeJson), verified, error })
}

/** A project in a format: as text, or as a JSON line. */
export function renderApplied(
  format: FormatOf<'apply'>,
  project: AppliedProject,
  style: ChalkInstance,
): string {
  return format === 'json' ? appliedJson(project) : appliedText(project, style)
}

/** The last line of the text output. */
export function appliedSummary(counts: Record<AppliedProject['status'], number>): string {
  const { changed, unchanged, failed } = counts
  const total = counted(changed + unchanged + failed, 'project')
  return `\n${total}: ${changed} changed, ${unchanged} unchanged, ${failed} failed\n`
}
