import type { Command, OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../command/context.ts'
import { type Failures, readEach } from '../requests/each.ts'
import { failureOf, problemText, type FlagadmError } from '../errors.ts'
import { timeSpan, type TimeSpan } from '../input/values.ts'
import { collect, spanOption } from '../command/options.ts'
import { counted, type Incomplete } from '../output/incomplete.ts'
import { hourOf } from '../output/time.ts'
import type { ProjectOptions } from '../project/selection.ts'
import { unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { type Changes, readChanges } from './recent-changes.ts'
import { clockDifference, clockGaps, warnOfClock } from '../flags/clocks.ts'
import { checkTypes, isOfType, readFlagTypes } from '../flags/types.ts'
import {
  codeEvidence,
  type CodeEvidenceOptions,
  codeIncomplete,
  searchCode,
  type SearchedCode,
} from './code-evidence.ts'
import type { Evidence, Row } from './evidence.ts'
import type { UsageAnswer, UsageFilter } from '../usage/figure-doubts.ts'
import {
  environmentsOf,
  type Flag,
  lastSeen,
  oldestSighting,
  selectFlags,
  type Selection,
  unknownFilters,
} from '../flags/selection.ts'
import { readKept } from './kept-flags.ts'
import { readOwnDocument } from './own-document.ts'
import { LONGEST_DEFAULT, longestSpan, readableSpan, readSpan } from '../usage/daily-usage.ts'
import { latest, readLastHour } from '../flags/records.ts'
import type { Span } from '../flags/span.ts'
import { usageEvidence } from './usage-evidence.ts'
import { decide, decideDependents, type Terms } from './verdict.ts'

/** How long ago a removable flag was created and last seen, at least, unless an option says otherwise. */
export const NOT_SEEN_FOR = timeSpan('', '30d')

/** Adds the options of what is known about flags to a command. */
export function evidenceOptions<
  Args extends unknown[],
  Options extends OptionValues,
  Globals extends OptionValues,
>(command: Command<Args, Options, Globals>) {
  const longest = `as far as the service keeps, at most ${LONGEST_DEFAULT}`
  const since = spanOption('--since <duration>', 'span of usage')
  const notSeenFor = 'removable only if created and last seen longer ago than this'
  const notSeen = spanOption('--not-seen-for <duration>', notSeenFor)
  return command
    .optionsGroup('Evidence:')
    .addOption(since.default(undefined, longest))
    .addOption(notSeen.default(NOT_SEEN_FOR, '30d'))
    .option('--scan <path>', 'search source code: a file, folder or glob', collect)
    .option('--call <function>', 'function that takes a flag name: isOn, isOn:2, flags.*', collect)
    .option('--match <regex>', 'custom pattern with a group named flag or constant', collect)
    .option(
      '--references-from <file...>',
      'JSON of feature references in other repositories',
      collect,
    )
    .option('--include-permanent', 'review flags that stay like others')
}

/** Which flags to review, and how. */
export interface EvidenceOptions extends ProjectOptions, UsageFilter, CodeEvidenceOptions {
  namesFrom?: string | undefined
  /** Without it, as far as the service keeps usage. */
  since?: TimeSpan | undefined
  notSeenFor: TimeSpan
  includePermanent?: boolean | undefined
  type?: readonly string[] | undefined
}

/** The verdicts on flags, and what could not be read. */
export interface ReviewedFlags {
  selection: Selection
  inCode: SearchedCode
  span: Span
  rows: readonly Row[]
  /** Of flags, also of those that depend on removable ones; those of projects are in the selection. */
  failures: Failures
  /** What the report lacks, but for flags that could not be read. */
  incomplete: readonly Incomplete[]
}

/** The usage of a flag in a span or, from a service without that, the usage in the current clock hour. */
async function readAnswer(connection: Connection, name: string, span: Span): Promise<UsageAnswer> {
  const hours = await unlessMissing(readSpan(connection, name, span))
  if (hours) return hours
  const { records, readAt } = await readLastHour(connection, name)
  return { from: hourOf(span.now), isWhole: false, records, readAt }
}

/** What was read about a flag; not its records, because those of many flags would not fit into memory. */
interface FlagReading {
  evidence: Evidence
  /** The names in its records. */
  applications: readonly string[]
  environments: readonly string[]
  failure?: FlagadmError
}

/** What is known about a flag before anything is asked about it alone. */
type Known = Pick<Evidence, 'name' | 'flag' | 'absence' | 'code' | 'usageDoubts' | 'doubts'>

/** Reads what is known about a flag; its own document only if it would otherwise be removable. */
async function readEvidence(
  connection: Connection,
  known: Known,
  terms: Terms,
): Promise<FlagReading> {
  const { name, flag, absence } = known
  if (absence?.kind === 'archived') {
    return { evidence: known, applications: [], environments: [] }
  }
  const answer = await readAnswer(connection, name, terms.span)
  const { applications, environments } = answer.records
  const evidence: Evidence = { ...known, usage: usageEvidence(flag, answer, terms) }
  if (!flag || decide(evidence, terms).verdict !== 'removable') {
    return { evidence, applications, environments }
  }
  try {
    const own = await readOwnDocument(connection.service, flag, terms)
    return { evidence: { ...evidence, ...own }, applications, environments }
  } catch (error) {
    const failure = failureOf(error)
    const doubts = [`its own document could not be read: ${problemText(failure)}`]
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
  { names, flags, absences, repeated }: Selection,
  terms: Terms,
  inCode: SearchedCode,
): Promise<Readings> {
  const all: Readings = {
    evidence: new Map(),
    failures: new Map(),
    applications: new Set(),
    environments: new Set(environmentsOf([...flags.values()])),
  }
  const knownOf = (name: string): Known => ({
    name,
    flag: flags.get(name),
    absence: absences.get(name),
    code: codeEvidence(inCode, name),
    usageDoubts: repeated.has(name) ? ['the service lists it more than once'] : [],
    doubts: [],
  })
  const read = (name: string) => readEvidence(connection, knownOf(name), terms)
  const add = ({ evidence, applications, environments, failure }: FlagReading) => {
    all.evidence.set(evidence.name, evidence)
    for (const application of applications) all.applications.add(application)
    for (const environment of environments) all.environments.add(environment)
    if (failure) all.failures.set(evidence.name, failure)
  }
  for (let pending = names; pending.length > 0; ) {
    const { failures } = await readEach('flag', pending, connection, read, add)
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

/** The evidence with the doubts that recent changes of the flags give. */
function withChanges(
  evidence: ReadonlyMap<string, Evidence>,
  { doubts }: Changes,
): Map<string, Evidence> {
  const all = new Map(evidence)
  for (const [name, own] of doubts) {
    const known = evidence.get(name)
    if (!known) continue
    all.set(name, {
      ...known,
      usageDoubts: [...own.aboutUsage, ...(known.usageDoubts ?? [])],
      doubts: [...own.aboutReadiness, ...known.doubts],
    })
  }
  return all
}

/** The flags that would be removable as far as the evidence goes. */
function candidatesOf(evidence: ReadonlyMap<string, Evidence>, terms: Terms): Flag[] {
  return [...evidence.values()].flatMap((known) => {
    const isCandidate = known.flag && decide(known, terms).verdict === 'removable'
    return isCandidate && known.flag ? [known.flag] : []
  })
}

/** What is known before a review. */
interface KnownBefore {
  /** What was found in the code; without it, the code is searched. */
  searched?: SearchedCode
  /** The flags to review; without them, the service is asked. */
  selection?: Selection
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
  { searched, selection: selected }: KnownBefore = {},
): Promise<ReviewedFlags> {
  const { application, environment, notSeenFor, includePermanent } = options
  const { messages } = context
  const { clock } = connection
  const selection = selected ?? (await selectFlags(context, connection, given, options))
  const types = await readFlagTypes(connection.service)
  checkTypes(options.type, types)
  const inCode = searched ?? (await searchCode(context, connection, selection, options))
  const ofType = namesOfType(context, given, selection, options)
  const names = ofType.filter((name) => inCode.removed?.has(name) !== false)
  const { since } = options
  const span = await (since ? readableSpan(connection, since) : longestSpan(connection))
  if (!searched) warnOfClock(messages, clock)
  const sightings = Array.from(selection.flags.values(), (flag) => lastSeen(flag).time)
  const clocksDiffer = clockDifference(clock, span.now, latest(sightings))
  const isComplete = options.allProjects && given.length === 0 && selection.failures.size === 0
  const known = isComplete && !searched ? [...selection.flags.keys()] : undefined
  const terms: Terms = {
    span,
    application,
    environment,
    notSeenFor,
    includePermanent,
    clocksDiffer,
    oldestSighting: oldestSighting([...selection.flags.values()]),
    types,
    whyKept: await readKept(context, span.now, known),
  }
  const readings = await readRounds(connection, { ...selection, names }, terms, inCode)
  const warnings = unknownFilters(options, readings.applications, readings.environments)
  for (const warning of warnings) messages.warn(warning)
  const candidates = candidatesOf(readings.evidence, terms)
  const changes = await readChanges(connection, candidates, terms)
  const differ = clockDifference(clock, span.now, changes.lastTime)
  const lastTerms = { ...terms, clocksDiffer: Math.max(clocksDiffer, differ) }
  // What a filter leaves out by mistake may be usage of any flag.
  const decided = decideEach(withChanges(readings.evidence, changes), lastTerms, warnings)
  return {
    selection,
    inCode,
    span,
    rows: names.flatMap((name) => decided.get(name) ?? []),
    failures: new Map([...readings.failures, ...changes.failures]),
    incomplete: [
      ...selection.incomplete,
      ...clockGaps(clock),
      ...changes.incomplete,
      ...codeIncomplete(inCode, names),
    ],
  }
}
