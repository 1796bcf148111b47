// What holds for all flags of a review.
import type { TimeSpan } from '../input/values.ts'
import { clockDifference } from '../flags/clocks.ts'
import { latest } from '../flags/records.ts'
import { environmentsOf, type Flag, lastSeen, oldestSighting } from '../flags/flag.ts'
import { unknownFilters } from '../flags/selection.ts'
import { Reports } from '../flags/silence.ts'
import type { FlagTypes } from '../flags/types.ts'
import type { ServiceClock } from '../service/connection.ts'
import type { KeptDays, UsageSurvey } from '../usage/coverage.ts'
import type { UsageQuestion } from '../usage/figure-doubts.ts'

/** What is asked: the span, which usage counts, and how long ago is long enough. */
export interface Inquiry extends UsageQuestion {
  notSeenFor: TimeSpan
  includePermanent: boolean
  types: FlagTypes
  /** The projects whose silence is accepted; in a name, `*` matches any text. */
  acceptSilence: readonly string[] | undefined
  /** Whether finished flags are told from others in use. */
  tellsFinished: boolean
  /** Whether all is read that may show usage, also where it cannot change the verdict. */
  tellsUnused: boolean
}

/** What was gathered of all flags so far that decides about each of them. */
export interface Overview {
  /** All flags of the projects. */
  flags: readonly Flag[]
  clock: ServiceClock
  /** The names in the usage that was read. */
  applications: ReadonlySet<string>
  environments: ReadonlySet<string>
  /** Where and when flags were used. */
  uses: readonly Use[]
  /** What the usage of several flags shows about all. */
  survey: UsageSurvey
  /** The latest time that the service gave to an event, in milliseconds since the epoch. */
  lastEvent: number | undefined
}

export interface Use {
  projectId: string
  environment: string
  time: number
}

export interface Terms extends Inquiry {
  /** What is later is too recent: `notSeenFor` before now, in milliseconds since the epoch. */
  limit: number
  /** By how much the clocks differ that times come from, in milliseconds; 0 if that does not matter. */
  clocksDiffer: number
  /** The oldest time when any of the flags was last seen in an environment; undefined if none was. */
  oldestSighting: number | undefined
  /** From where usage is reported. */
  reports: Reports
  /** The days of which the service has usage. */
  days: KeptDays
  /** By how many milliseconds the usage of all applications is ahead; undefined if it is not. */
  ahead: number | undefined
  /** Why filters may leave usage out by mistake, as sentences. */
  unknownFilters: readonly string[]
}

/** The terms, which may change when more is gathered. */
export function termsOf(inquiry: Inquiry, overview: Overview): Terms {
  const { flags, clock, lastEvent, applications } = overview
  const { now } = inquiry.span
  const lastSighting = latest(flags.map((flag) => lastSeen(flag).time))
  const reports = new Reports(flags)
  for (const { projectId, environment, time } of overview.uses) {
    reports.addUse(projectId, environment, time)
  }
  const environments = new Set([...overview.environments, ...environmentsOf(flags)])
  return {
    ...inquiry,
    limit: now - inquiry.notSeenFor.milliseconds,
    clocksDiffer: clockDifference(clock, now, latest([lastSighting, lastEvent])),
    oldestSighting: oldestSighting(flags),
    reports,
    days: overview.survey.keptDays(),
    ahead: overview.survey.ahead(),
    unknownFilters: unknownFilters(inquiry, applications, environments).map(({ text }) => text),
  }
}

/** Whether a part of the usage does not count: then no flag is known to be unused. */
export const isFiltered = ({ application, environment }: Terms) =>
  application !== undefined || environment !== undefined
