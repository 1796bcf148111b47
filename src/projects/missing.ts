import { FlagadmError } from '../errors.ts'
import { failureOfRun } from '../old/failures.ts'
import type { ProjectOptions } from './selection.ts'

/** Those of several flags or projects that could not be read. */
export interface Unread {
  names: readonly string[]
  /** How many were to be read. */
  of: number
}

/** The lookups in source code that could not be read, so that names may be missing. */
export interface UnreadLookups {
  /** How many could not be read. */
  unread: number
  /** How many lookups there are. */
  of: number
  /** The git revision of the source code; undefined for the working tree. */
  revision?: string
}

/** The parts that a report lacks. */
export interface Missing {
  flags: Unread
  /** Names that are known to belong to no flag. */
  notFlags: readonly string[]
  projects: Unread
  /** Whether the edition of the service lists only the project `default`, so that there may be others. */
  unlistedProjects: boolean
  /** Of the code that names come from, where lookups could not be read. */
  lookups: readonly UnreadLookups[]
  /** How many flags were read before the user interrupted the run; undefined if it was not interrupted. */
  interruptedAfter: number | undefined
}

/** The projects that could not be read, and why. */
export interface UnreadProjects {
  missing: Missing
  failures: readonly FlagadmError[]
}

const none: Unread = { names: [], of: 0 }

/** The value for a complete report. */
export const nothingMissing: Missing = {
  flags: none,
  notFlags: [],
  projects: none,
  unlistedProjects: false,
  lookups: [],
  interruptedAfter: undefined,
}

/** Whether everything was read, so that a report may contain totals. */
export function isComplete(missing: Missing): boolean {
  const { flags, notFlags, projects, unlistedProjects, lookups, interruptedAfter } = missing
  const isRead = [flags.names, notFlags, projects.names, lookups].every(
    ({ length }) => length === 0,
  )
  return isRead && !unlistedProjects && interruptedAfter === undefined
}

/** The results of those projects that could be read. */
export interface ProjectResults<Result> extends UnreadProjects {
  results: Result[]
}

/** The error for projects that could not be read; undefined if all could be. */
export function unreadError({ failures, missing }: UnreadProjects): FlagadmError | undefined {
  if (failures.length === 0) return undefined
  return failureOfRun(failures, missing.projects.of, 'projects')
}

/** @throws the error for projects that could not be read */
export function refuseUnread(unread: UnreadProjects): void {
  const error = unreadError(unread)
  if (error) throw error
}

/** @throws `notFound` if any of the projects given is unknown, so that a misspelt one is not just missing */
export function refuseUnknown({ project }: ProjectOptions, unread: UnreadProjects): void {
  const isUnknown = unread.failures.some(({ kind }) => kind === 'notFound')
  const error = project && isUnknown ? unreadError(unread) : undefined
  if (error) throw new FlagadmError('notFound', error.message)
}
