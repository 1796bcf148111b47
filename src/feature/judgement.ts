import { Option } from '@commander-js/extra-typings'
import type { Context } from '../context.ts'
import type { FlagadmError } from '../errors.ts'
import { timeSpan } from '../input/values.ts'
import { type Failures, readEach } from '../project/reading.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import {
  noUsage,
  type CodeEvidence,
  type FlagDetails,
  type UsageAnswer,
  usageEvidence,
  type UsageFilter,
} from './evidence.ts'
import { environmentsOf, unknownValues } from './flags.ts'
import { readHours, readLastHour } from './hours.ts'
import { recordsOf } from './records.ts'
import type { Selection } from './selection.ts'
import { hourOf, type Span } from './span.ts'
import { decide, type Row, type Terms, withDependents } from './verdict.ts'

const DAY_MS = 24 * 3_600_000

/** The option for the span of hourly usage. */
export function sinceOption() {
  return new Option('--since <duration>', 'span of hourly usage')
    .argParser((text) => timeSpan('--since', text))
    .default(2 * DAY_MS, '48h')
}

/** The option for how long ago a removable flag was last seen. */
export function notSeenForOption() {
  const description = 'removable only if created and last seen longer ago than this'
  return new Option('--not-seen-for <duration>', description)
    .argParser((text) => timeSpan('--not-seen-for', text))
    .default(7 * DAY_MS, '7d')
}

/** How flags are judged. Times are in milliseconds. */
export interface JudgementOptions extends UsageFilter {
  notSeenFor: number
  includePermanent?: boolean | undefined
  /** The evidence in source code; undefined if none was searched. */
  code: ((name: string) => CodeEvidence) | undefined
}

/** Verdicts on flags, and what could not be read. */
export interface Judgements {
  rows: Row[]
  failures: Failures
}

/** The hourly usage of a flag or, from a service without that, the usage in the current clock hour. */
async function readAnswer(
  { service, clock }: Connection,
  name: string,
  span: Span,
): Promise<UsageAnswer> {
  const hours = await unlessMissing(readHours(service, name, span, clock.now))
  if (hours) return hours
  const { records } = await readLastHour(service, name)
  return { from: hourOf(span.now), isWhole: false, records: recordsOf(records) }
}

/** The part of a flag's own document that a verdict needs. */
async function readDetails(
  service: Service,
  projectId: string,
  featureName: string,
): Promise<FlagDetails> {
  const { data } = await service.read(operations.featureDocument, { projectId, featureName })
  const { archived, children, lifecycle } = data
  return { isArchived: archived === true, dependents: children ?? [], lifecycle }
}

/** The names that filters may have. */
interface KnownNames {
  applications: Set<string>
  environments: Set<string>
}

/** Warns about values of filters that the service does not know. @returns why they are not evidence */
function checkFilters(
  { messages }: Context,
  { app, environment }: UsageFilter,
  { applications, environments }: KnownNames,
): string[] {
  const unknown = [
    ...unknownValues('application', app, [...applications]),
    ...unknownValues('environment', environment, [...environments]),
  ]
  for (const warning of unknown) messages.warn(warning)
  return unknown
}

/**
 * Reads what is known about flags and decides on each. Reads a flag's own document only if the flag would otherwise
 * be removable, and then also reviews the flags that depend on it.
 */
export async function judge(
  context: Context,
  connection: Connection,
  selection: Selection,
  span: Span,
  options: JudgementOptions,
): Promise<Judgements> {
  const { service, concurrency } = connection
  const { flags, absences } = selection
  const { app, environment } = options
  const terms: Terms = { ...options, now: span.now, isFiltered: Boolean(app ?? environment) }
  const known: KnownNames = {
    applications: new Set(),
    environments: new Set(environmentsOf([...flags.values()])),
  }
  const rows = new Map<string, Row>()
  const failures = new Map<string, FlagadmError>()
  let filterDoubts: string[] | undefined
  // Only the evidence is kept: the records of many flags would not fit into memory.
  const readUsage = async (name: string) => {
    const answer = await readAnswer(connection, name, span)
    for (const application of answer.records.applications) known.applications.add(application)
    for (const place of answer.records.environments) known.environments.add(place)
    return [name, usageEvidence(flags.get(name), answer, { app, environment, span })] as const
  }
  const readCandidate = async (name: string) => {
    return [name, await readDetails(service, flags.get(name)?.projectId ?? '', name)] as const
  }
  for (let pending = selection.names; pending.length > 0; ) {
    const wanted = pending.filter((name) => absences.get(name)?.kind !== 'archived')
    const usages = await readEach(wanted, concurrency, readUsage)
    for (const [name, failure] of usages.failures) failures.set(name, failure)
    filterDoubts ??= checkFilters(context, options, known)
    const read = new Map(usages.results)
    const decideOn = (name: string, details?: FlagDetails | FlagadmError) => {
      const found = read.get(name)
      const usage = found
        ? { ...found, doubts: [...(filterDoubts ?? []), ...found.doubts] }
        : (usages.failures.get(name) ?? noUsage)
      const subject = { name, flag: flags.get(name), absence: absences.get(name) }
      const evidence = { ...subject, usage, details, code: options.code?.(name) }
      rows.set(name, { ...decide(evidence, terms), evidence })
    }
    for (const name of pending) decideOn(name)
    const candidates = pending.filter((name) => rows.get(name)?.verdict === 'removable')
    const found = await readEach(candidates, concurrency, readCandidate)
    for (const [name, details] of [...found.results, ...found.failures]) decideOn(name, details)
    for (const [name, failure] of found.failures) {
      // A service that follows only the specification has no such documents.
      if (failure.kind !== 'notFound') failures.set(name, failure)
    }
    const dependents = found.results.flatMap(([, details]) => details.dependents)
    pending = [...new Set(dependents)].filter((name) => flags.has(name) && !rows.has(name))
  }
  const decided = withDependents(rows)
  return { rows: selection.names.flatMap((name) => decided.get(name) ?? []), failures }
}
