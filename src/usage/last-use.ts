// When flags were last used: figures show the hour and the application, sightings the time and the environment.
import { groupBy } from '../groups.ts'
import { timeOf } from '../input/time.ts'
import { matcherOf } from '../input/wildcards.ts'
import { type LastUse, startOf } from '../output/time.ts'
import type { UsageQuestion } from './figure-doubts.ts'
import type { Flag, lastSeen } from '../flags/flag.ts'
import { distinct, latest, type UsageRecord } from '../flags/records.ts'
import { periodOf, type Span } from '../flags/span.ts'

// Applications report about once a minute, and the service stores that with a delay: a sighting may be this much later.
const REPORT_DELAY_MS = 5 * 60_000

/** The records of the last hour, and that hour; undefined if no time can be read. */
function lastHourOf(used: readonly UsageRecord[]) {
  const hour = latest(used.map(({ time }) => time))
  return { hour, last: used.filter(({ time }) => time === hour) }
}

/** Whether a sighting can be that of usage in an hour or day; a later one is of other usage. */
function isWithinPeriod(seenAt: number, time: number, span: Span): boolean {
  const length = periodOf(time, span)
  return seenAt < startOf(time, length) + length + REPORT_DELAY_MS
}

/**
 * When and where a flag was last used, and by which applications as far as figures show that.
 * @param used the usage that counts
 * @param seen when the flag was seen; undefined if that does not count
 */
export function lastUseOf(
  used: readonly UsageRecord[],
  seen: Pick<ReturnType<typeof lastSeen>, 'time' | 'environments'> | undefined,
  span: Span,
) {
  const { hour, last } = lastHourOf(used)
  const placesOf = (records: readonly UsageRecord[]) => ({
    applications: distinct(records.map(({ application }) => application)).sort(),
    environments: distinct(records.map(({ environment }) => environment)).sort(),
  })
  const { time, environments = [] } = seen ?? {}
  if (time === undefined || environments.length === 0 || (hour !== undefined && time <= hour)) {
    const use = hour === undefined ? undefined : { time: hour, length: periodOf(hour, span) }
    return { use, ...placesOf(last) }
  }
  const isThere = ({ environment = '' }: UsageRecord) => environments.includes(environment)
  const isSameUse = hour !== undefined && isWithinPeriod(time, hour, span)
  const { applications } = placesOf(isSameUse ? last.filter(isThere) : [])
  return { use: { time, length: 0 }, applications, environments }
}

/** Whether rows are of one application, and of one environment. */
interface RowScope {
  application: boolean
  environment: boolean
}

/**
 * A function that returns when a flag was last seen, as far as that was the usage of a row.
 * @param used all usage of the flag
 */
export function createSightings(
  { environments }: Flag,
  used: readonly UsageRecord[],
  { application, environment: wanted, span }: UsageQuestion,
  scope: RowScope,
): (row: Pick<UsageRecord, 'application' | 'environment'>) => number | undefined {
  const [matches, matchesIn] = [matcherOf(application), matcherOf(wanted)]
  const groups = groupBy(used, ({ environment }) => environment)
  const lastIn = new Map(Array.from(groups, ([name, records]) => [name, lastHourOf(records)]))
  const sightings = environments.flatMap(({ name, lastSeenAt }) => {
    const time = matchesIn(name) ? timeOf(lastSeenAt) : undefined
    return time === undefined ? [] : [{ name, time }]
  })
  // A sighting does not show the application: it is known only if no other one used the flag there in that hour.
  const isBy = (isWanted: (name: string | undefined) => boolean, name: string, time: number) => {
    const { hour, last = [] } = lastIn.get(name) ?? {}
    const isKnown = hour !== undefined && isWithinPeriod(time, hour, span)
    return isKnown && last.every(({ application }) => isWanted(application))
  }
  return (row) => {
    const isOwn = (name: string | undefined) => name === row.application
    const rowSightings = sightings.filter(({ name, time }) => {
      if (scope.environment && name !== row.environment) return false
      if (scope.application) return isBy(isOwn, name, time)
      return application === undefined || isBy(matches, name, time)
    })
    return latest(rowSightings.map(({ time }) => time))
  }
}

/** When figures of an hour or day, and a sighting, show that something was used. */
interface Uses {
  time: number | undefined
  seenAt: number | undefined
}

/** The last use that figures and a sighting show. */
export function lastUseIn({ time, seenAt }: Uses, span: Span): LastUse | undefined {
  const isSeenLater = seenAt !== undefined && (time === undefined || seenAt > time)
  if (isSeenLater) return { time: seenAt, length: 0 }
  return time === undefined ? undefined : { time, length: periodOf(time, span) }
}
