import type { FlagadmError } from '../errors.ts'
import type { Relation } from '../naming/diff.ts'
import type { ProjectSettings } from '../service/schema.ts'
import type { Change, SettingsField } from './changes.ts'
import type { StoredSettings } from './stored.ts'

/** The effect of a new pattern. */
export interface RuleEffect {
  /** How the set of accepted names changes. */
  relation: Relation
  /**
   * The existing flags, those that would break it, and those that could not be matched in time; undefined if
   * the service does not list them.
   */
  flags: { total: number; breaking: string[]; undecided: string[] } | undefined
}

/** A declared project compared with the stored one. */
export interface ComparedProject {
  status: 'unchanged' | 'changed'
  projectId: string
  before: StoredSettings
  after: StoredSettings
  /** What to send. */
  body: ProjectSettings
  changes: Change[]
  /** Set if the pattern changes. */
  rule: RuleEffect | undefined
  /** Stored fields that the document leaves out. */
  undeclared: SettingsField[]
  /** Why the service may refuse the change. */
  warning: string | undefined
}

/** A declared project that could not be compared. */
export interface UnreadProject {
  status: 'missing' | 'failed'
  projectId: string
  failure: FlagadmError
  /** Why, on one line. */
  problem: string
  /** Why, as JSON data. */
  error: object
}

export type PlannedProject = ComparedProject | UnreadProject

export function isCompared(project: PlannedProject): project is ComparedProject {
  return project.status === 'changed' || project.status === 'unchanged'
}

/** What documents would change. */
export interface Plan {
  projects: PlannedProject[]
  /**
   * Projects of the service that no document declares; null if the service does not list projects,
   * undefined if that was not asked for.
   */
  undeclared: string[] | null | undefined
}

/** How many projects have each status. */
export type StatusCounts = Record<PlannedProject['status'], number>

export function countStatuses(projects: readonly PlannedProject[]): StatusCounts {
  const counts = { changed: 0, unchanged: 0, missing: 0, failed: 0 }
  for (const { status } of projects) counts[status]++
  return counts
}
