import type { Command, OptionValues } from '@commander-js/extra-typings'
import type { FoundNames } from '../code/search.ts'
import type { Context } from '../cli/context.ts'
import { readEach } from '../requests/each.ts'
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
import type { UsageAnswer } from './figure-doubts.ts'
import {
  environmentsOf,
  type Flag,
  isOfType,
  selectFlags,
  type Selection,
  unknownFilters,
} from './flags.ts'
import { readHours, readLastHour, type Records } from './records.ts'
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

/** Which flags to review, and how. Times are in milliseconds. */
export interface EvidenceOptions extends ProjectOptions, Omit<Terms, 'span'> {
  since: TimeSpan
  type?: readonly string[] | undefined
  scan?: readonly string[] | undefined
  removedSince?: string | undefined
}

/** The verdicts on flags, and what could not be read. */
export type ReviewedFlags = Awaited<ReturnType<typeof reviewFlags>>

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
 * Searches source code for flags; with a revision, also finds which were in the code there and are no longer.
 * @throws a usage error without paths, and for paths that match nothing
 */
async function scanCode(
  context: Context,
  names: readonly string[],
  { scan, removedSince }: EvidenceOptions,
) {
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

/**
 * Reviews flags: those that are given, or all of the projects.
 * @param given names, in which `*` matches any text; empty for all flags
 */
export async function reviewFlags(
  context: Context,
  connection: Connection,
  given: readonly string[],
  options: EvidenceOptions,
) {
  const { scan, removedSince, type } = options
  const selection = await selectFlags(context, connection, given, options)
  const { flags } = selection
  // The flags that depend on removable ones are searched for, too.
  const searched = [...new Set([...selection.names, ...flags.keys()])]
  const isScanned = scan !== undefined || removedSince !== undefined
  const found = isScanned ? await scanCode(context, searched, options) : undefined
  const ofType = selection.names.filter((name) => isOfType(flags.get(name), type))
  const others = selection.names.length - ofType.length
  const left = `${counted(others, 'flag')} left out because of --type`
  if (given.length > 0 && others > 0) context.messages.warn(left)
  const names = ofType.filter((name) => found?.removed?.has(name) !== false)
  const span = spanOf(options.since, await connection.clock.read())
  warnOfClock(context.messages, connection.clock)
  const terms = { ...options, span }
  const decided = await decideAll(context, connection, { ...selection, names }, terms, found?.code)
  return { selection, span, ...decided }
}

/** Reads what is known about a flag; its own document only if it would otherwise be removable. */
async function readEvidence(
  connection: Connection,
  known: Pick<Evidence, 'name' | 'flag' | 'absence' | 'code'>,
  terms: Terms,
): Promise<{ evidence: Evidence; records?: Records; failure?: FlagadmError }> {
  const { name, flag, absence } = known
  if (absence?.kind === 'archived') return { evidence: { ...known, doubts: [] } }
  const answer = await readAnswer(connection, name, terms.span)
  const { records } = answer
  const evidence = { ...known, usage: usageEvidence(flag, answer, terms), doubts: [] }
  if (!flag || decide(evidence, terms).verdict !== 'removable') return { evidence, records }
  try {
    return { evidence: { ...evidence, ...(await readDetails(connection, flag)) }, records }
  } catch (error) {
    const failure = failureOf(error)
    const doubts = [`the flags that depend on it could not be read: ${problemText(failure)}`]
    // A service that follows only the specification has no documents of flags.
    const isMissing = failure.kind === 'notFound'
    return { evidence: { ...evidence, doubts }, records, ...(!isMissing && { failure }) }
  }
}

/** The evidence with further doubts about the figures. */
function withDoubts(evidence: Evidence, doubts: readonly string[]): Evidence {
  const { usage } = evidence
  return usage
    ? { ...evidence, usage: { ...usage, doubts: [...doubts, ...usage.doubts] } }
    : evidence
}

/** Reads what is known about flags, and about those that depend on removable ones, and decides on each. */
async function decideAll(
  { messages }: Context,
  connection: Connection,
  { names, flags, absences }: Selection,
  terms: Terms,
  code: FoundNames | undefined,
) {
  const applications = new Set<string>()
  const environments = new Set(environmentsOf([...flags.values()]))
  const known = new Map<string, Evidence>()
  const failures = new Map<string, FlagadmError>()
  const knownOf = (name: string) => ({
    name,
    flag: flags.get(name),
    absence: absences.get(name),
    code: code && codeEvidence(code, name),
  })
  for (let pending = names; pending.length > 0; ) {
    // Only the evidence is kept: the records of many flags would not fit into memory.
    const read = async (name: string) => {
      const { evidence, records, failure } = await readEvidence(connection, knownOf(name), terms)
      for (const application of records?.applications ?? []) applications.add(application)
      for (const environment of records?.environments ?? []) environments.add(environment)
      if (failure) failures.set(name, failure)
      return evidence
    }
    const { results, failures: unread } = await readEach(pending, connection.concurrency, read)
    for (const evidence of results) known.set(evidence.name, evidence)
    for (const [name, failure] of unread) {
      const doubts = [`the usage could not be read: ${problemText(failure)}`]
      known.set(name, { ...knownOf(name), doubts })
      failures.set(name, failure)
    }
    const dependents = pending.flatMap((name) => known.get(name)?.dependents ?? [])
    pending = [...new Set(dependents)].filter((name) => flags.has(name) && !known.has(name))
  }
  const doubts = unknownFilters(terms, applications, environments)
  for (const warning of doubts) messages.warn(warning)
  const rows = new Map<string, Row>()
  for (const [name, evidence] of known) {
    const doubted = withDoubts(evidence, doubts)
    rows.set(name, { ...doubted, ...decide(doubted, terms) })
  }
  decideDependents(rows)
  return { rows: names.flatMap((name) => rows.get(name) ?? []), failures }
}
