/** Those of several flags or projects that could not be read. */
export interface Unread {
  names: readonly string[]
  /** How many were to be read. */
  of: number
}

/** The parts that a report lacks, or cannot be sure of. */
export interface Missing {
  flags: Unread
  projects: Unread
  /** Whether the edition of the service lists only the project `default`, so that there may be others. */
  unlistedProjects: boolean
  /** How many flags were read before the user interrupted the run; undefined if nobody did. */
  interruptedAfter: number | undefined
  /** Flags that no application reported in the span. They count as unused, but may not exist. */
  unconfirmed: readonly string[]
}

const none: Unread = { names: [], of: 0 }

/** The value for a complete report. */
export const nothingMissing: Missing = {
  flags: none,
  projects: none,
  unlistedProjects: false,
  interruptedAfter: undefined,
  unconfirmed: [],
}

/** Whether everything was read, so that a report may contain totals. */
export function isComplete(missing: Missing): boolean {
  const { flags, projects, unlistedProjects, interruptedAfter } = missing
  const isRead = flags.names.length === 0 && projects.names.length === 0
  return isRead && !unlistedProjects && interruptedAfter === undefined
}
