import { FlagadmError } from '../errors.ts'
import { readEach } from '../project/reading.ts'
import type { Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { FeatureUsage, UsageRecord as ServiceRecord } from '../service/schema.ts'
import type { Connection } from '../service/connection.ts'
import { matcherFor, type UsageAnswer, type UsageFilter } from './evidence.ts'
import type { FlagRecords } from './figures.ts'
import { isUsed, recordOf, recordsOf } from './records.ts'
import type { Selection } from './selection.ts'
import { coverageOf, hoursBack, type Span } from './span.ts'

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

/** The usage of a flag as it was read: the records that the filters keep, and what the others show. */
export interface FlagUsage extends FlagRecords {
  /** Set for hourly usage. */
  answer: UsageAnswer | undefined
  /** The names that filters may have. */
  applications: readonly string[]
  environments: readonly string[]
  seenApplications: readonly string[]
  /** Whether there is usage, but none that the filters keep. */
  isHidden: boolean
  isDeprecated: boolean
  json: string
}

async function readUsage(
  { service, clock }: Connection,
  flag: string,
  project: string | undefined,
  { filter, span, keepsJson }: UsageRequest,
): Promise<FlagUsage> {
  const hours = span && (await readHours(service, flag, span, clock.now))
  const hour = hours ? undefined : await readLastHour(service, flag)
  const records = hours?.records ?? recordsOf(hour?.records ?? [])
  const all = hours ? hours.records.used : (hour?.records ?? []).map(recordOf)
  const kept = all.filter(matcherFor(filter))
  const { json = '', maturity } = hours ?? hour ?? {}
  const seenApplications = hour?.seenApplications ?? []
  return {
    ...{ flag, project, records: kept, seenApplications, environments: records.environments },
    answer: hours && { from: hours.from, isWhole: hours.isWhole, records },
    applications: [...records.applications, ...seenApplications],
    isHidden: records.used.length > 0 && !kept.some(isUsed),
    isDeprecated: maturity === 'deprecated',
    json: keepsJson ? json : '',
  }
}

/** What to read of flags. */
interface UsageRequest {
  filter: UsageFilter
  /** Undefined for the current clock hour. */
  span?: Span | undefined
  /** Whether to keep the documents: those of many flags would not fit into memory. */
  keepsJson?: boolean
}

/** Reads the usage of the selected flags. */
export async function readUsages(
  connection: Connection,
  { names, flags, absences }: Selection,
  request: UsageRequest,
) {
  const present = names.filter((name) => !absences.has(name))
  return readEach(present, connection.concurrency, (name) =>
    readUsage(connection, name, flags.get(name)?.projectId, request),
  )
}
