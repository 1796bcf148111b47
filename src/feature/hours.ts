import { FlagadmError } from '../errors.ts'
import { readEach, type Results } from '../project/reading.ts'
import type { Service } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import { figureDoubts, matcherFor, MAX_APPLICATIONS, type UsageFilter } from './evidence.ts'
import { rowsOf, type UsageView } from './figures.ts'
import type { Flag } from './flags.ts'
import { isUsed, recordsOf } from './records.ts'
import { readAsking, type Selection } from './selection.ts'
import { coverageOf, hourOf, hoursBack, type Span } from './span.ts'

/** @throws an `unavailable` error if a usage document, or a record in it, is about another flag */
function refuseOtherFlag(
  featureName: string,
  subjects: readonly { featureName?: string | null | undefined }[],
): void {
  const other = subjects.find((one) => one.featureName && one.featureName !== featureName)
  if (!other) return
  const problem = `the service returned the usage of the flag '${other.featureName}'`
  throw new FlagadmError('unavailable', problem, { featureName })
}

/** The usage of a flag in the current clock hour. */
export async function readLastHour(service: Service, featureName: string) {
  const { data, json } = await service.read(operations.featureUsage, { featureName })
  const { lastHourUsage: records, seenApplications } = data
  refuseOtherFlag(featureName, [data, ...records])
  return { records, json, seenApplications: seenApplications ?? [] }
}

/**
 * The hourly usage of a flag in a span, and what it covers.
 * @param now the current time of the service
 */
export async function readHours(
  service: Service,
  featureName: string,
  span: Span,
  now: () => number,
) {
  const hours = hoursBack(span, now())
  const parameters = { featureName, hoursBack: hours }
  const { data, json } = await service.read(operations.featureUsageHours, parameters)
  refuseOtherFlag(featureName, data.data)
  const records = recordsOf(data.data)
  return { ...coverageOf(records.times, records.isEmpty, hours, span), records, json }
}

/** What to read of flags. */
export interface UsageRequest extends UsageView, UsageFilter {
  /** Undefined for the current clock hour. */
  span?: Span | undefined
  /** Whether to keep the documents instead of rows. */
  wantsJson?: boolean
}

/** The usage of a flag: what the filters keep, added up, and what the rest shows. */
export type FlagUsage = Awaited<ReturnType<typeof readUsage>>

async function readUsage(
  { service, clock }: Connection,
  flag: string,
  known: Flag | undefined,
  { span, wantsJson, ...request }: UsageRequest,
) {
  const hours = span && (await readHours(service, flag, span, clock.now))
  const hour = hours ? undefined : await readLastHour(service, flag)
  // JSON shows nothing of the records of the current hour.
  const records = hours?.records ?? recordsOf((!wantsJson && hour?.records) || [])
  const all = hours ? records.used : records.all
  const kept = wantsJson ? [] : all.filter(matcherFor(request))
  const unseen = new Set(request.app ? [] : hour?.seenApplications)
  for (const { application = '' } of kept) unseen.delete(application)
  return {
    flag,
    rows: rowsOf(kept, flag, known?.projectId, request),
    isUsed: kept.some(isUsed),
    /** The start of the first hour that hourly usage covers. */
    from: hours?.from,
    /** Whether hourly usage covers the span. */
    isWhole: hours?.isWhole ?? true,
    /** Whether there are no records at all: the flag may not exist. */
    isEmpty: records.isEmpty,
    /** Whether the service may have more applications of the flag than it reports. */
    isCut: hours !== undefined && records.applications.length >= MAX_APPLICATIONS,
    /** The names that filters may have. */
    applications: [...records.applications, ...(hour?.seenApplications ?? [])],
    environments: records.environments,
    /** The applications that the service has seen, but that have no row. */
    others: [...unseen].sort(),
    /** Why the figures may be wrong, as sentences. */
    doubts: hours && span ? figureDoubts(known, hours, { ...request, span }) : [],
    json: (wantsJson && (hours ?? hour)?.json) || '',
  }
}

/**
 * Reads the usage of the selected flags. Names that are not flags are failures.
 * @param use takes the usage of each flag, in their order; without it, all are returned
 */
export async function readUsages(
  connection: Connection,
  { names, flags, absences, hasLists }: Selection,
  request: UsageRequest,
  use?: (usage: FlagUsage) => void,
): Promise<Results<FlagUsage>> {
  const { service, clock, concurrency } = connection
  const refuse = (featureName: string, reason: string): never => {
    throw new FlagadmError('notFound', reason, { featureName })
  }
  let asking: ReturnType<typeof readAsking> | undefined
  const read = async (name: string) => {
    const absence = absences.get(name)
    if (absence) refuse(name, absence.reason)
    const usage = await readUsage(connection, name, flags.get(name), request)
    // The hourly usage of a name that no flag has is empty, too.
    if (request.span && !hasLists && usage.isEmpty) {
      asking ??= readAsking(service)
      const asks = (await asking).get(name)
      if (asks !== undefined) refuse(name, `not a flag; ${asks}`)
    }
    return usage
  }
  const usages = await readEach(names, concurrency, read, use)
  const isSameHour = !request.span || hourOf(clock.now()) === hourOf(request.span.now)
  // The service may have lost the first hour of the span. All flags are to cover the same hours.
  return isSameHour || use ? usages : readEach(names, concurrency, read)
}
