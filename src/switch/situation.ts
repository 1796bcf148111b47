// What flags do before they are switched. In an incident the service may be slow, so nothing here is tried twice, and what
// cannot be read is said.
import pMap from 'p-map'
import { failureOf, type FlagadmError, problemText } from '../errors.ts'
import { distinct, recordsOf, totalOf, type UsageRecord } from '../flags/records.ts'
import {
  hasEnabledStrategy,
  type SegmentNames,
  strategiesText,
  strategyText,
} from '../flags/strategies.ts'
import { flagOf } from '../flags/flag.ts'
import { listed } from '../output/incomplete.ts'
import { groupDigits, percent } from '../output/numbers.ts'
import { HOUR_MS, hourOf, timeText } from '../output/time.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { Strategy } from '../service/schema.ts'
import type { Place } from './places.ts'

/** What was read, or why it could not be. */
type Reading<Value> = Value | FlagadmError

function isFailure<Value>(reading: Reading<Value>): reading is FlagadmError {
  return reading instanceof Error
}

/** `13:00 UTC` */
function hourText(time: number): string {
  return timeText(time).slice('2026-01-01 '.length)
}

/** `201,855 evaluations since 09:00 UTC by payment-gateway, web-shop, 39.0% on` */
function useText(records: readonly UsageRecord[], environment: string, now: number): string {
  const times = distinct(records.map(({ time }) => time))
  // Without records, nothing was reported in the hours that were asked for.
  const from = times.length > 0 ? Math.min(...times) : hourOf(now) - HOUR_MS
  const since = ` since ${hourText(from)}`
  const recordsInEnvironment = records.filter((record) => record.environment === environment)
  const used = recordsInEnvironment.filter(({ enabled, disabled }) => enabled + disabled > 0)
  const { enabled, disabled } = totalOf(used)
  const total = enabled + disabled
  if (total === 0) return `no evaluations reported${since}`
  const applications = distinct(used.map(({ application }) => application)).sort()
  const by = applications.length > 0 ? ` by ${listed(applications, 3)}` : ''
  const noun = total === 1 ? 'evaluation' : 'evaluations'
  return `${groupDigits(total)} ${noun}${since}${by}, ${percent(enabled / total)} on`
}

/** This hour and the one before: the current one alone has no applications, and nothing at its beginning. */
const HOURS = '2'

/** The usage of each flag. After one that shows that the service does not answer, no other is asked for. */
async function readUse({ service, concurrency, progress }: Connection, flags: readonly string[]) {
  let general: FlagadmError | undefined
  const read = async (featureName: string): Promise<Reading<UsageRecord[]>> => {
    if (general) return general
    try {
      const parameters = { featureName, hoursBack: HOURS }
      const { data } = await service.readQuickly(operations.featureUsageHours, parameters)
      return recordsOf(data.data).all
    } catch (error) {
      const failure = failureOf(error)
      if (failure.isGeneral) general = failure
      return failure
    }
  }
  const task = { verb: 'Reading', noun: 'flag', total: flags.length } as const
  return progress.track(task, (advance) => {
    const readOne = async (flag: string) => {
      const reading = await read(flag)
      advance()
      return [flag, reading] as const
    }
    return pMap(flags, readOne, { concurrency })
  })
}

/** The names of the segments that strategies have; empty if there are none, or they cannot be read. */
async function readSegments(
  { service }: Connection,
  strategies: readonly Strategy[],
): Promise<SegmentNames> {
  if (!strategies.some(({ segments }) => segments?.length)) return new Map()
  const list = await service.readQuickly(operations.segments, {}).catch(failureOf)
  if (isFailure(list)) return new Map()
  return new Map(list.data.segments.map(({ id, name }) => [id, name]))
}

const EVERYONE = 'gradual rollout 100%, for everyone'

/** The strategies that the service adds where none is enabled, by environment. */
async function readDefaults({ service }: Connection, projectId: string) {
  const overview = await service
    .readQuickly(operations.projectOverview, { projectId })
    .catch(failureOf)
  return (environment: string): string => {
    if (isFailure(overview)) return "the project's default strategy there, or one for everyone"
    const all = overview.data.environments ?? []
    const defaultStrategy = all.find((one) => one.environment === environment)?.defaultStrategy
    return defaultStrategy
      ? `${strategyText(defaultStrategy, new Map())}, the project's default strategy`
      : EVERYONE
  }
}

/** Whether a flag is on in an environment; undefined if that is not known. */
export type StateOf = (flag: string, environment: string) => boolean | undefined

/** Where the flags of a project are on, if others depend on those that are switched off. */
async function readStates(
  { service }: Connection,
  projectId: string,
  switched: readonly string[],
  dependents: readonly string[],
): Promise<StateOf> {
  if (dependents.length === 0) return () => undefined
  const list = await service.readQuickly(operations.projectFeatures, { projectId }).catch(failureOf)
  if (isFailure(list)) return () => undefined
  const flags = list.data.features.map((feature) => flagOf(feature, projectId))
  // Archived flags are not in it, but those that are switched must be.
  if (!switched.every((flag) => flags.some(({ name }) => name === flag))) return () => undefined
  return (flag, environment) => {
    const { environments = [] } = flags.find(({ name }) => name === flag) ?? {}
    const flagEnvironment = environments.find(({ name }) => name === environment)
    return flagEnvironment ? flagEnvironment.enabled : false
  }
}

/** Reads what flags that are to be switched do now. */
export async function readSituation(
  connection: Connection,
  projectId: string,
  places: readonly Place[],
) {
  const flags = [...new Set(places.map(({ flag }) => flag))]
  const isBare = places.some((place) => !place.isOn && !hasEnabledStrategy(place))
  const dependents = places.flatMap((place) => (place.isOn ? place.dependents : []))
  const [use, segments, addedIn, isOn] = await Promise.all([
    readUse(connection, flags),
    readSegments(
      connection,
      places.flatMap(({ strategies }) => strategies),
    ),
    isBare ? readDefaults(connection, projectId) : () => EVERYONE,
    readStates(connection, projectId, flags, dependents),
  ])
  const usage = new Map(use)
  /** What its strategies do where it is on. */
  const strategiesOf = (place: Place) => {
    if (hasEnabledStrategy(place)) return ` (${strategiesText(place.strategies, segments)})`
    const added = place.isOn ? '' : `: Unleash adds ${addedIn(place.environment)}`
    return ` (no strategy is enabled${added})`
  }
  /** `on in production: 201,855 evaluations since 09:00 UTC by web-shop, 39.0% on` */
  const textOf = (place: Place) => {
    const reading = usage.get(place.flag) ?? []
    const used = isFailure(reading)
      ? `its usage could not be read (${problemText(reading)})`
      : useText(reading, place.environment, connection.clock.now())
    const state = place.isOn ? 'on' : 'off'
    return `${state} in ${place.environment}${strategiesOf(place)}: ${used}`
  }
  return { textOf, addedIn, isOn }
}

export type Situation = Awaited<ReturnType<typeof readSituation>>
