import { byCodeUnit } from '../output/order.ts'
import type { FeatureUsage } from '../service/schema.ts'
import { matcherOf } from '../input/wildcards.ts'
import { filterRows } from './filter.ts'
import { latest } from './hourly.ts'
import type { UsageRow } from './rows.ts'
import type { Span } from './span.ts'
import type { UsageFilter } from './view.ts'

// The service reports at most this number of applications of a flag.
export const MAX_APPLICATIONS = 100

/** The hourly usage of a flag in its last hours. Times are in milliseconds since the epoch. */
export interface HourlySummary {
  span: Span
  lastUsed: number | undefined
  /** Those that used it in that hour, by name. */
  applications: string[]
  environments: string[]
  /** When each application last used it in each environment. */
  uses: Use[]
  /** Whether there may be more applications than the service reports. */
  isCut: boolean
  /** Those with usage that is missing from the hourly figures. */
  hidden: Pick<HourlySummary, 'applications' | 'environments'>
  /** The environments in which any application used it. */
  usedIn: string[]
}

/** When an application last used a flag in an environment. A name that the service left out is undefined. */
interface Use {
  application: string | undefined
  environment: string | undefined
  lastUsed: number | undefined
}

function namesOf(names: readonly (string | null | undefined)[]): string[] {
  return [...new Set(names)].filter((name) => name != null).sort(byCodeUnit)
}

/**
 * Summarizes a document with hourly usage.
 * @param all the rows of the document
 */
export function summaryOf(
  usage: FeatureUsage,
  all: readonly UsageRow[],
  filter: UsageFilter,
  span: Span,
): HourlySummary {
  const uses = filterRows(all, filter).map(({ application, environment, hourly }): Use => {
    return { application, environment, lastUsed: hourly?.lastUsed }
  })
  const lastUsed = latest(uses.map((use) => use.lastUsed))
  const last = uses.filter((use) => use.lastUsed === lastUsed)
  const given = namesOf(usage.lastHourUsage.map(({ appName }) => appName))
  const givenIn = namesOf(usage.lastHourUsage.map(({ environment }) => environment))
  const used = new Set(namesOf(all.map(({ application }) => application)))
  const usedIn = new Set(namesOf(all.map(({ environment }) => environment)))
  const [matches, matchesIn] = [matcherOf(filter.app), matcherOf(filter.environment)]
  return {
    span,
    lastUsed,
    applications: namesOf(last.map(({ application }) => application)),
    environments: namesOf(last.map(({ environment }) => environment)),
    uses,
    isCut: given.length >= MAX_APPLICATIONS,
    // The service lists what reported usage since the start of the span. Usage that is in none of its
    // hours is later than now.
    hidden: {
      applications: given.filter((name) => !used.has(name) && matches(name)),
      environments: givenIn.filter((name) => !usedIn.has(name) && matchesIn(name)),
    },
    usedIn: [...usedIn],
  }
}
