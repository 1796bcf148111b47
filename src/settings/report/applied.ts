import type { ChalkInstance } from 'chalk'
import type { FlagadmError } from '../../errors.ts'
import type { FormatOf } from '../../output/formats.ts'
import type { Change } from '../changes.ts'
import { changeJson } from './changes.ts'
import { jsonReport } from '../../output/json.ts'
import { counted } from '../../output/phrases.ts'
import { isolate, safeText } from '../../output/escapes.ts'

/** The result for a project. */
export interface AppliedProject {
  projectId: string
  /** `skipped` after an interrupt; `unknown` if the change was sent but not confirmed. */
  status: 'changed' | 'unchanged' | 'failed' | 'skipped' | 'unknown'
  changes: Change[]
  /** Set if the settings were read back and are those declared. */
  verified?: true
  failure?: FlagadmError
  /** Why it failed, on one line and as JSON data. */
  problem?: string
  error?: object
}

function appliedText({ projectId, status, problem }: AppliedProject, style: ChalkInstance): string {
  const paints = {
    changed: style.green,
    unchanged: style.dim,
    failed: style.red,
    skipped: style.yellow,
    unknown: style.red,
  }
  const paint = paints[status]
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

/** How many projects have each status. */
export type AppliedCounts = Record<AppliedProject['status'], number>

/** `3 projects: 1 changed, 1 unchanged, 1 failed`, with the other statuses if there are any. */
export function appliedCounts(counts: AppliedCounts): string {
  const { changed, unchanged, failed, skipped, unknown } = counts
  const total = counted(changed + unchanged + failed + skipped + unknown, 'project')
  const parts = [
    `${changed} changed`,
    `${unchanged} unchanged`,
    `${failed} failed`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ]
  return `${total}: ${parts.join(', ')}`
}
