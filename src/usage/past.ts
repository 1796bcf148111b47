import { latest } from './history.ts'
import { byCodeUnit, type UsageRow } from './rows.ts'
import { hourText, type Span } from './span.ts'

// The service reports at most this number of applications of a flag.
const MAX_APPLICATIONS = 100

/** What the hourly usage of a flag shows about its last hours. Times are in milliseconds since the epoch. */
export interface PastUsage {
  span: Span
  lastUsed: number | undefined
  /** Those that used it, by name. */
  applications: string[]
  environments: string[]
  /** Whether there may be more applications than the service reports. */
  isCut: boolean
}

function namesOf(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names)].filter((name) => name !== undefined).sort(byCodeUnit)
}

/**
 * What hourly usage shows.
 * @param all the rows of the flag
 * @param kept those that the filters keep
 */
export function pastUsageOf(
  all: readonly UsageRow[],
  kept: readonly UsageRow[],
  span: Span,
): PastUsage {
  return {
    span,
    lastUsed: latest(kept.map(({ history }) => history?.lastUsed)),
    applications: namesOf(kept.map(({ application }) => application)),
    environments: namesOf(kept.map(({ environment }) => environment)),
    isCut: namesOf(all.map(({ application }) => application)).length >= MAX_APPLICATIONS,
  }
}

// Longer lists are hard to read in a message.
const MAX_LISTED = 5

function listText(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).join(', ')
  const more = names.length - MAX_LISTED
  return more > 0 ? `${shown} and ${more} more` : shown
}

/** `last used in the hour from 2026-11-19 17:00 UTC by web-shop in production` */
export function lastUseText({ lastUsed, applications, environments }: PastUsage): string {
  const when =
    lastUsed === undefined
      ? 'used at an unknown time'
      : `last used in the hour from ${hourText(lastUsed)}`
  const by = applications.length > 0 ? ` by ${listText(applications)}` : ''
  const where = environments.length > 0 ? ` in ${listText(environments)}` : ''
  return when + by + where
}
