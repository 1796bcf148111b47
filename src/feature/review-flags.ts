import type { Command, OptionValues } from '@commander-js/extra-typings'
import type { FoundNames } from '../code/search.ts'
import type { Context } from '../cli/context.ts'
import { type Failures, readEach } from '../requests/each.ts'
import { failureOf, problemText, type FlagadmError } from '../errors.ts'
import { timeSpan, type TimeSpan } from '../input/values.ts'
import {
  codeRequest,
  nothingToScan,
  presenceOf,
  searchNames,
  searchRemoved,
} from '../code/reading.ts'
import { collect, spanOption } from '../cli/options.ts'
import { counted, listed } from '../output/incomplete.ts'
import type { ProjectOptions } from '../project/projects.ts'
import { unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { CodeEvidence, Evidence, Row } from './evidence.ts'
import type { UsageAnswer, UsageFilter } from './figure-doubts.ts'
import {
  environmentsOf,
  type Flag,
  isOfType,
  selectFlags,
  type Selection,
  unknownFilters,
} from './flags.ts'
import { readHours, readLastHour } from './records.ts'
import { hourOf, spanOf, type Span, warnOfClock } from './span.ts'
import { usageEvidence } from './usage-evidence.ts'
import { decide, decideDependents, type Terms } from './verdict.ts'

/** Adds the options of what is known about flags to a command. */
export function evidenceOptions<
  Args extends unknown[],
  Options extends OptionValues,
  Globals extends OptionValues,
>(command: Command<Args, Options, Globals>) {
  const since = spanOption('--since <duration>', 'span of hourly usage')
  const notSeenFor = 'removable only if created and last seen longer ago than this'
  const notSeen = spanOption('--not-seen-for <duration>', notSeenFor)
  return command
    .optionsGroup('Evidence:')
    .addOption(since.default(timeSpan('', '48h'), '48h'))
    .addOption(notSeen.default(timeSpan('', '7d'), '7d'))
    .option('--scan <path>', 'search source code: a file, folder or glob', collect)
    .option('--include-permanent', 'review kill-switch and permission flags like others')
}

/** Which flags to review, and how. */
export interface EvidenceOptions extends ProjectOptions, UsageFilter {
  since: TimeSpan
  notSeenFor: TimeSpan
  includePermanent?: boolean | undefined
  type?: readonly string[] | undefined
  scan?: readonly string[] | undefined
  removedSince?: string | undefined
}

/** The verdicts on flags, and what could not be read. */
export interface ReviewedFlags {
  selection: Selection
  span: Span
  rows: readonly Row[]
  /** Of flags, also of those that depend on removable ones; those of projects are in the selection. */
  failures: Failures
}

/** What a search of source code shows about a flag. */
function codeEvidence(found: FoundNames, name: string): CodeEvidence {
  const presence = presenceOf(found, name)
  switch (presence.kind) {
    case 'found': {
      const { places } = presence
      const texts = places.map(({ file, line }) => `${file}:${line}`)
      return { places, texts: [`in the code: ${listed(texts, 3)}`] }
    }
    case 'absent':
      return { places: [], texts: [] }
    case 'unclear': {
      const { composed, unread } = presence
      const files = unread.map(({ file, reason }) => `${file} (${reason})`)
      const texts: string[] = []
      if (composed) {
        texts.push(`a composed text may be its name: ${composed.file}:${composed.line}`)
      }
      if (files.length > 0) {
        texts.push(`${counted(files.length, 'file')} could not be read: ${listed(files, 3)}`)
      }
      return { places: [], texts }
    }
  }
}

/**
 * Searches source code for flags, if that is wanted; with a revision, also finds which were in the code there and are no longer.
 * @throws a usage error without paths, and for paths that match nothing
 */
async function scanCode(
  context: Context,
  selection: Selection,
  { scan, removedSince }: EvidenceOptions,
) {
  if (scan === undefined && removedSince === undefined) return {}
  // The flags that depend on removable ones are searched for, too.
  const names = [...new Set([...selection.names, ...selection.flags.keys()])]
  const request = await codeRequest(context, [], { scan })
  if (!request) throw nothingToScan()
  if (removedSince === undefined) {
    return { code: await searchNames(context, names, request) }
  }
  const { removed, now, before } = await searchRemoved(context, names, removedSince, request)
  for (const { file, reason } of before.unread) {
    context.messages.warn(`${file} could not be read at ${removedSince}: ${reason}`)
  }
  return { code: now, removed }
}

/** The hourly usage of a flag or, from a service without that, the usage in the current clock hour. */
async function readAnswer(connection: Connection, name: string, span: Span): Promise<UsageAnswer> {
  const hours = await unlessMissing(readHours(connection, name, span))
  if (hours) return hours
  const { records } = await readLastHour(connection.service, name)
  return { from: hourOf(span.now), isWhole: false, records }
}

/** The part of a flag's own document that a verdict needs. */
async function readDetails({ service }: Connection, { projectId, name }: Flag) {
  const { data } = await service.read(operations.featureDocument, { projectId, featureName: name })
  const { archived, children, lifecycle } = data
  const doubts = archived ? ['it was archived in the meantime'] : []
  if (!children) doubts.push('the service does not report which flags depend on it')
  return { dependents: children ?? [], lifecycle, doubts }
}

/** What was read about a flag; not its records, because those of many flags would not fit into memory. */
interface FlagReading {
  evidence: Evidence
  /** The names in its records. */
  applications: readonly string[]
  environments: readonly string[]
  failure?: FlagadmError
}

/** Reads what is known about a flag; its own document only if it would otherwise be removable. */
async function readEvidence(
  connection: Connection,
  known: Pick<Evidence, 'name' | 'flag' | 'absence' | 'code'>,
  terms: Terms,
): Promise<FlagReading> {
  const { name, flag, absence } = known
  if (absence?.kind === 'archived') {
    return { evidence: { ...known, doubts: [] }, applications: [], environments: [] }
  }
  const answer = await readAnswer(connection, name, terms.span)
  const { applications, environments } = answer.records
  const evidence = { ...known, usage: usageEvidence(flag, answer, terms), doubts: [] }
  if (!flag || decide(evidence, terms).verdict !== 'removable') {
    return { evidence, applications, environments }
  }
  try {
    const details = await readDetails(connection, flag)
    return { evidence: { ...evidence, ...details }, applications, environments }
  } catch (error) {
    const failure = failureOf(error)
    const doubts = [`the flags that depend on it could not be read: ${problemText(failure)}`]
    const read = { evidence: { ...evidence, doubts }, applications, environments }
    // A service that follows only the specification has no documents of flags.
    return failure.kind === 'notFound' ? read : { ...read, failure }
  }
}

/** What was read about all flags. */
interface Readings {
  evidence: Map<string, Evidence>
  failures: Map<string, FlagadmError>
  applications: Set<string>
  environments: Set<string>
}

/** Reads what is known about flags, then about those that depend on removable ones, and so on. */
async function readRounds(
  connection: Connection,
  { names, flags, absences }: Selection,
  terms: Terms,
  code: FoundNames | undefined,
): Promise<Readings> {
  const all: Readings = {
    evidence: new Map(),
    failures: new Map(),
    applications: new Set(),
    environments: new Set(environmentsOf([...flags.values()])),
  }
  const knownOf = (name: string) => ({
    name,
    flag: flags.get(name),
    absence: absences.get(name),
    code: code && codeEvidence(code, name),
  })
  const read = (name: string) => readEvidence(connection, knownOf(name), terms)
  const add = ({ evidence, applications, environments, failure }: FlagReading) => {
    all.evidence.set(evidence.name, evidence)
    for (const application of applications) all.applications.add(application)
    for (const environment of environments) all.environments.add(environment)
    if (failure) all.failures.set(evidence.name, failure)
  }
  for (let pending = names; pending.length > 0; ) {
    const { failures } = await readEach(pending, connection.concurrency, read, add)
    for (const [name, failure] of failures) {
      const doubts = [`the usage could not be read: ${problemText(failure)}`]
      const evidence = { ...knownOf(name), doubts }
      add({ evidence, applications: [], environments: [], failure })
    }
    const dependents = pending.flatMap((name) => all.evidence.get(name)?.dependents ?? [])
    pending = [...new Set(dependents)].filter((name) => flags.has(name) && !all.evidence.has(name))
  }
  return all
}

/** The evidence with further doubts about the figures. */
function withDoubts(evidence: Evidence, doubts: readonly string[]): Evidence {
  const { usage } = evidence
  return usage
    ? { ...evidence, usage: { ...usage, doubts: [...doubts, ...usage.doubts] } }
    : evidence
}

/** Decides on each flag. @param doubts about the figures of all of them */
function decideEach(
  evidence: ReadonlyMap<string, Evidence>,
  terms: Terms,
  doubts: readonly string[],
): Map<string, Row> {
  const rows = new Map<string, Row>()
  for (const [name, known] of evidence) {
    const doubted = withDoubts(known, doubts)
    rows.set(name, { ...doubted, ...decide(doubted, terms) })
  }
  decideDependents(rows)
  return rows
}

/** The names of flags of the wanted types; warns if others were given. */
function namesOfType(
  { messages }: Context,
  given: readonly string[],
  { names, flags }: Selection,
  { type }: EvidenceOptions,
): string[] {
  const ofType = names.filter((name) => isOfType(flags.get(name), type))
  const others = names.length - ofType.length
  const left = `${counted(others, 'flag')} left out because of --type`
  if (given.length > 0 && others > 0) messages.warn(left)
  return ofType
}

/**
 * Reviews flags: those that are given, or all of the projects.
 * @param given names, in which `*` matches any text; empty for all flags
 */
export async function reviewFlags(
  context: Context,
  connection: Connection,
  given: readonly string[],
  options: EvidenceOptions,
): Promise<ReviewedFlags> {
  const { app, environment, notSeenFor, includePermanent } = options
  const { messages } = context
  const selection = await selectFlags(context, connection, given, options)
  const { code, removed } = await scanCode(context, selection, options)
  const ofType = namesOfType(context, given, selection, options)
  const names = ofType.filter((name) => removed?.has(name) !== false)
  const span = spanOf(options.since, await connection.clock.read())
  warnOfClock(messages, connection.clock)
  const terms: Terms = { span, app, environment, notSeenFor, includePermanent }
  const readings = await readRounds(connection, { ...selection, names }, terms, code)
  const warnings = unknownFilters(options, readings.applications, readings.environments)
  for (const warning of warnings) messages.warn(warning)
  // What a filter leaves out by mistake may be usage of any flag.
  const decided = decideEach(readings.evidence, terms, warnings)
  const rows = names.flatMap((name) => decided.get(name) ?? [])
  return { selection, span, rows, failures: readings.failures }
}
