import { FlagadmError } from '../errors.ts'
import { readEach, type Results } from '../project/reading.ts'
import type { Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { FeatureUsage, UsageRecord as ServiceRecord } from '../service/schema.ts'
import type { Connection } from '../service/connection.ts'
import {
  figureDoubts,
  matcherFor,
  MAX_APPLICATIONS,
  type UsageAnswer,
  type UsageFilter,
} from './evidence.ts'
import { type FlagRows, rowsOf, type UsageView } from './figures.ts'
import type { Flag } from './flags.ts'
import { isUsed, latest, recordsOf } from './records.ts'
import type { Selection } from './selection.ts'
import { coverageOf, hourOf, hoursBack, type Span } from './span.ts'

/** A usage document of the service. */
interface UsageDocument {
  json: string
  maturity: string | null | undefined
}

/** The usage of a flag in the current clock hour. */
interface LastHour extends UsageDocument {
  records: readonly ServiceRecord[]
  seenApplications: readonly string[]
}

/** @throws an `unavailable` error if a usage document, or a record in it, is about another flag */
function refuseOtherFlag(
  featureName: string,
  { featureName: own, lastHourUsage }: Pick<FeatureUsage, 'featureName' | 'lastHourUsage'>,
): void {
  const names = [own, ...lastHourUsage.map((record) => record.featureName)]
  const other = names.find((name) => name && name !== featureName)
  if (!other) return
  const problem = `the service returned the usage of the flag '${other}'`
  throw new FlagadmError('unavailable', problem, { featureName })
}

/** The usage of a flag in the current clock hour. */
export async function readLastHour(service: Service, featureName: string): Promise<LastHour> {
  const { data, json } = await service.read(operations.featureUsage, { featureName })
  refuseOtherFlag(featureName, data)
  const { lastHourUsage: records, maturity, seenApplications } = data
  return { records, json, maturity, seenApplications: seenApplications ?? [] }
}

/** The hourly usage of a flag, and what it covers. */
interface HourlyDocument extends UsageAnswer, UsageDocument {}

/**
 * The hourly usage of a flag in a span.
 * @param now the current time of the service
 */
export async function readHours(
  service: Service,
  featureName: string,
  span: Span,
  now: () => number,
): Promise<HourlyDocument> {
  const hours = hoursBack(span, now())
  const { data, json } = await service.read(operations.featureUsageHours, {
    featureName,
    hoursBack: hours,
  })
  refuseOtherFlag(featureName, { lastHourUsage: data.data })
  const records = recordsOf(data.data)
  const coverage = coverageOf(records.times, records.isEmpty, hours, span)
  return { ...coverage, records, json, maturity: data.maturity }
}

/** The usage of a flag as it was read: the sums of what the filters keep, and what the rest shows. */
export interface FlagUsage extends FlagRows {
  /** What hourly usage covers. */
  from: number | undefined
  isWhole: boolean
  /** Whether there are no records at all: the flag may not exist. */
  isEmpty: boolean
  /** Whether the service may have more applications of the flag than it reports. */
  isCut: boolean
  /** The time of the last record. */
  lastTime: number | undefined
  /** The names that filters may have. */
  applications: readonly string[]
  environments: readonly string[]
  /** The applications that the service has seen, but that have no row. */
  others: readonly string[]
  /** Whether there is usage, but none that the filters keep. */
  isHidden: boolean
  /** Why the figures may be wrong, as sentences. */
  doubts: readonly string[]
  json: string
}

/** What to read of flags. */
interface UsageRequest {
  view: UsageView & UsageFilter
  /** Undefined for the current clock hour. */
  span?: Span | undefined
  /** Whether to keep the documents: those of many flags would not fit into memory. */
  keepsJson?: boolean
}

async function readUsage(
  { service, clock }: Connection,
  name: string,
  flag: Flag | undefined,
  { view, span, keepsJson }: UsageRequest,
): Promise<FlagUsage> {
  const { app, environment } = view
  const hours = span && (await readHours(service, name, span, clock.now))
  const hour = hours ? undefined : await readLastHour(service, name)
  // JSON shows nothing of the records of the current hour.
  const records = hours?.records ?? recordsOf((!keepsJson && hour?.records) || [])
  const all = hours ? records.used : records.all
  const kept = keepsJson ? [] : all.filter(matcherFor({ app, environment }))
  const { json = '', maturity } = hours ?? hour ?? {}
  const seen = new Set(hour?.seenApplications)
  for (const { application = '' } of kept) seen.delete(application)
  const doubts = hours && span ? figureDoubts(flag, hours, { app, environment, span }) : []
  return {
    ...rowsOf(name, flag?.projectId, kept, view, span?.firstHour),
    ...{ from: hours?.from, isWhole: hours?.isWhole ?? true, isEmpty: records.isEmpty },
    isCut: hours !== undefined && records.applications.length >= MAX_APPLICATIONS,
    lastTime: latest(records.times),
    applications: [...records.applications, ...(hour?.seenApplications ?? [])],
    environments: records.environments,
    others: app ? [] : [...seen].sort(),
    isHidden: records.used.length > 0 && !kept.some(isUsed),
    doubts: maturity === 'deprecated' ? [...doubts, DEPRECATED] : doubts,
    json: keepsJson ? json : '',
  }
}

const DEPRECATED = 'this operation of the service is deprecated'

/** Reads the usage of the selected flags. */
export async function readUsages(
  connection: Connection,
  { names, flags, absences }: Pick<Selection, 'names' | 'flags' | 'absences'>,
  request: UsageRequest,
): Promise<Results<FlagUsage>> {
  const present = names.filter((name) => !absences.has(name))
  return readEach(present, connection.concurrency, (name) =>
    readUsage(connection, name, flags.get(name), request),
  )
}

/**
 * Reads hourly usage so that all flags cover the same hours: if a new hour begins meanwhile, the service may lose the
 * first one, and the flags that were read before are read again.
 */
export async function readInSpan(
  connection: Connection,
  selection: Selection,
  request: UsageRequest & { span: Span },
): Promise<Results<FlagUsage> & { from: number | undefined }> {
  const { results, failures } = await readUsages(connection, selection, request)
  const starts = results.filter(({ isEmpty }) => !isEmpty).map(({ from }) => from)
  const from = latest(starts)
  const isSameHour = hourOf(connection.clock.now()) === hourOf(request.span.now)
  if (from === undefined || isSameHour) {
    const first = starts.reduce((a, b) => (a === undefined || (b ?? a) < a ? b : a), undefined)
    return { results, failures, from: first ?? results[0]?.from }
  }
  const isEarly = (usage: FlagUsage) => !usage.isEmpty && (usage.from ?? from) < from
  const names = results.filter(isEarly).map(({ flag }) => flag)
  const again = await readUsages(connection, { ...selection, names }, request)
  const fresh = new Map(again.results.map((usage) => [usage.flag, usage]))
  return {
    results: results.flatMap((usage) => (isEarly(usage) ? (fresh.get(usage.flag) ?? []) : usage)),
    failures: new Map([...failures, ...again.failures]),
    from,
  }
}
