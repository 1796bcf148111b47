import { FlagadmError } from '../errors.ts'
import { listed } from '../output/incomplete.ts'
import { readEach, type Results } from '../project/reading.ts'
import type { Service } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import {
  figureDoubts,
  matcherFor,
  MAX_APPLICATIONS,
  type UsageAnswer,
  type UsageFilter,
} from './evidence.ts'
import { rowsOf, type UsageRow, type UsageView } from './figures.ts'
import { isUsed, latest, recordsOf } from './records.ts'
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
  const { lastHourUsage: records, maturity, seenApplications } = data
  refuseOtherFlag(featureName, [data, ...records])
  return { records, json, maturity, seenApplications: seenApplications ?? [] }
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
): Promise<UsageAnswer & { json: string }> {
  const hours = hoursBack(span, now())
  const parameters = { featureName, hoursBack: hours }
  const { data, json } = await service.read(operations.featureUsageHours, parameters)
  refuseOtherFlag(featureName, data.data)
  const records = recordsOf(data.data)
  return { ...coverageOf(records.times, records.isEmpty, hours, span), records, json }
}

/** The usage of a flag: what the filters keep, added up, and what the rest shows. */
export interface FlagUsage {
  flag: string
  rows: readonly UsageRow[]
  isUsed: boolean
  /** The start of the first hour that hourly usage covers. */
  from: number | undefined
  /** Whether hourly usage has no records. */
  isEmpty: boolean
  /** Whether it covers the span. */
  isWhole: boolean
  /** Whether the service may have more applications of the flag than it reports. */
  isCut: boolean
  /** The names that filters may have. */
  applications: readonly string[]
  environments: readonly string[]
  /** The applications that the service has seen, but that have no row. */
  others: readonly string[]
  /** Why the figures may be wrong, as sentences. */
  doubts: readonly string[]
  /** The document of the service instead of rows, if that is wanted. */
  json: string
}

/** What to read of flags. */
export interface UsageRequest extends UsageView, UsageFilter {
  /** Undefined for the current clock hour. */
  span?: Span | undefined
  wantsJson?: boolean
}

async function readHourly(
  { service, clock }: Connection,
  { flags }: Selection,
  name: string,
  request: UsageRequest & { span: Span },
): Promise<FlagUsage> {
  const { span, wantsJson } = request
  const flag = flags.get(name)
  const { records, json, from, isWhole } = await readHours(service, name, span, clock.now)
  const kept = wantsJson ? [] : records.used.filter(matcherFor(request))
  return {
    flag: name,
    rows: rowsOf(kept, { flag: name, project: flag?.projectId }, request, span.firstHour),
    isUsed: kept.length > 0,
    from,
    isEmpty: records.isEmpty,
    isWhole,
    isCut: records.applications.length >= MAX_APPLICATIONS,
    applications: records.applications,
    environments: records.environments,
    others: [],
    doubts: figureDoubts(flag, { records, from, isWhole }, request),
    json: wantsJson ? json : '',
  }
}

async function readCurrent(
  { service }: Connection,
  { flags }: Selection,
  name: string,
  request: UsageRequest,
): Promise<FlagUsage> {
  const { app, wantsJson } = request
  const { records, json, maturity, seenApplications } = await readLastHour(service, name)
  const { all, applications, environments } = recordsOf(wantsJson ? [] : records)
  const kept = all.filter(matcherFor(request))
  const shown = new Set(kept.map(({ application }) => application))
  return {
    flag: name,
    rows: rowsOf(kept, { flag: name, project: flags.get(name)?.projectId }, request, undefined),
    isUsed: kept.some(isUsed),
    ...{ from: undefined, isEmpty: false, isWhole: true, isCut: false, environments },
    applications: [...applications, ...seenApplications],
    others: app ? [] : seenApplications.filter((one) => !shown.has(one)).sort(),
    doubts: maturity === 'deprecated' ? ['this operation of the service is deprecated'] : [],
    json: wantsJson ? json : '',
  }
}

/**
 * Reads the usage of the selected flags. Names that are not flags are failures.
 * @param use takes the usage of each flag, in their order
 */
export async function readUsages(
  connection: Connection,
  selection: Selection,
  request: UsageRequest,
  use?: (usage: FlagUsage) => void,
): Promise<Results<FlagUsage>> {
  const { names, absences, hasLists } = selection
  const { span } = request
  const notFound = (featureName: string, reason: string) =>
    new FlagadmError('notFound', reason, { featureName })
  let asking: ReturnType<typeof readAsking> | undefined
  const read = async (name: string) => {
    const absence = absences.get(name)
    if (absence) throw notFound(name, absence.reason)
    if (!span) return readCurrent(connection, selection, name, request)
    const usage = await readHourly(connection, selection, name, { ...request, span })
    // The hourly usage of a name that no flag has is empty, too.
    if (hasLists || !usage.isEmpty) return usage
    asking ??= readAsking(connection.service)
    const by = (await asking).get(name)
    if (!by) return usage
    const applications = by.length > 0 ? ` (${listed(by)})` : ''
    throw notFound(name, `not a flag; SDKs ask for it${applications}`)
  }
  return readEach(names, connection.concurrency, read, use)
}

/**
 * Reads hourly usage so that all flags cover the same hours: if a new hour begins meanwhile, the service may lose the
 * first one, and the flags that were read before are read again.
 */
export async function readInSpan(
  connection: Connection,
  selection: Selection,
  request: UsageRequest & { span: Span },
): Promise<Results<FlagUsage>> {
  const { results, failures } = await readUsages(connection, selection, request)
  if (hourOf(connection.clock.now()) === hourOf(request.span.now)) return { results, failures }
  const from = latest(results.map((usage) => (usage.isEmpty ? undefined : usage.from)))
  const isEarly = (usage: FlagUsage) => !usage.isEmpty && usage.from !== from
  const names = results.filter(isEarly).map(({ flag }) => flag)
  const again = await readUsages(connection, { ...selection, names }, request)
  const fresh = new Map(again.results.map((usage) => [usage.flag, usage]))
  return {
    results: results.flatMap((usage) => (isEarly(usage) ? (fresh.get(usage.flag) ?? []) : usage)),
    failures: new Map([...failures, ...again.failures]),
  }
}
