import type { Command, OptionValues } from '@commander-js/extra-typings'
import type { FoundNames } from '../code/search.ts'
import type { Context } from '../cli/context.ts'
import { readEach } from '../requests/each.ts'
import { problemText, type FlagadmError } from '../errors.ts'
import { timeSpan, type TimeSpan } from '../input/values.ts'
import { codeRequest, nothingToScan, searchNames, searchRemoved } from '../names/code.ts'
import { collectPaths, spanOption } from '../cli/options.ts'
import { counted, listed } from '../output/incomplete.ts'
import type { ProjectOptions } from '../project/projects.ts'
import { unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import { type CodeEvidence, type Evidence, type UsageAnswer, usageEvidence } from './evidence.ts'
import { environmentsOf, isOfType, selectFlags, unknownFilters } from './flags.ts'
import type { Flag, Selection } from './flags.ts'
import { readHours, readLastHour } from './records.ts'
import { hourOf, spanOf, type Span, warnOfClock } from './span.ts'
import { decide, judgeDependents, type Row, type Terms } from './verdict.ts'

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
    .option('--scan <path>', 'search source code: a file, folder or glob', collectPaths)
    .option('--include-permanent', 'review kill-switch and permission flags like others')
}

/** Which flags to review, and how. Times are in milliseconds. */
export interface JudgementOptions extends ProjectOptions, Omit<Terms, 'span'> {
  since: TimeSpan
  type?: readonly string[] | undefined
  scan?: readonly string[] | undefined
  removedSince?: string | undefined
}

/** The verdicts on flags, and what could not be read. */
export type Judgements = Awaited<ReturnType<typeof judgeFlags>>

/** The evidence about each flag in source code. */
function evidenceIn({ names, unread }: FoundNames) {
  const files = unread.map(({ file, reason }) => `${file} (${reason})`)
  const notRead = `${counted(files.length, 'file')} could not be read: ${listed(files, 3)}`
  const gaps = files.length > 0 ? [notRead] : []
  return (name: string): CodeEvidence => {
    const { places = [], composed } = names.get(name) ?? {}
    const found = places.map(({ file, line }) => `${file}:${line}`)
    if (found.length > 0) return { places, texts: [`in the code: ${listed(found, 3)}`] }
    const doubt = composed && `a composed text may be its name: ${composed.file}:${composed.line}`
    return { places, texts: doubt ? [doubt, ...gaps] : gaps }
  }
}

/**
 * Searches source code for flags; with a revision, also finds which were in the code there and are no longer.
 * @throws a usage error without paths, and for paths that match nothing
 */
async function scanCode(
  context: Context,
  names: readonly string[],
  { scan, removedSince }: JudgementOptions,
) {
  const request = await codeRequest(context, [], { scan })
  if (!request) throw nothingToScan()
  if (removedSince === undefined) {
    return { codeOf: evidenceIn(await searchNames(context, names, request)) }
  }
  const { removed, now, before } = await searchRemoved(context, names, removedSince, request)
  for (const { file, reason } of before.unread) {
    context.messages.warn(`${file} could not be read at ${removedSince}: ${reason}`)
  }
  return { codeOf: evidenceIn(now), removed }
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
export async function judgeFlags(
  context: Context,
  connection: Connection,
  given: readonly string[],
  options: JudgementOptions,
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
  const judged = await judge(context, connection, { ...selection, names }, terms, found?.codeOf)
  return { selection, span, ...judged }
}

/**
 * Reads what is known about flags and decides on each. Reads a flag's own document only if the flag would otherwise
 * be removable, and then also reviews the flags that depend on it.
 */
async function judge(
  { messages }: Context,
  connection: Connection,
  { names, flags, absences }: Selection,
  terms: Terms,
  codeOf: ((name: string) => CodeEvidence) | undefined,
) {
  const applications = new Set<string>()
  const environments = new Set(environmentsOf([...flags.values()]))
  const known = new Map<string, Evidence>()
  const failures = new Map<string, FlagadmError>()
  // Only the evidence is kept: the records of many flags would not fit into memory.
  const read = async (name: string): Promise<void> => {
    const [flag, absence] = [flags.get(name), absences.get(name)]
    const evidence: Evidence = { name, flag, absence, code: codeOf?.(name), doubts: [] }
    known.set(name, evidence)
    if (absence?.kind === 'archived') return
    const answer = await readAnswer(connection, name, terms.span)
    for (const application of answer.records.applications) applications.add(application)
    for (const place of answer.records.environments) environments.add(place)
    evidence.usage = usageEvidence(flag, answer, terms)
    if (!flag || decide(evidence, terms).verdict !== 'removable') return
    Object.assign(evidence, await readDetails(connection, flag))
  }
  for (let pending = names; pending.length > 0; ) {
    const unread = (await readEach(pending, connection.concurrency, read)).failures
    for (const [name, failure] of unread) {
      const evidence = known.get(name)
      if (!evidence) continue
      const what = evidence.usage ? 'the flags that depend on it' : 'the usage'
      evidence.doubts = [`${what} could not be read: ${problemText(failure)}`]
      // A service that follows only the specification has no documents of flags.
      if (!evidence.usage || failure.kind !== 'notFound') failures.set(name, failure)
    }
    const dependents = pending.flatMap((name) => known.get(name)?.dependents ?? [])
    pending = [...new Set(dependents)].filter((name) => flags.has(name) && !known.has(name))
  }
  const doubts = unknownFilters(terms, applications, environments)
  for (const warning of doubts) messages.warn(warning)
  const rows = new Map<string, Row>()
  for (const [name, evidence] of known) {
    evidence.usage?.doubts.unshift(...doubts)
    rows.set(name, { ...evidence, ...decide(evidence, terms) })
  }
  judgeDependents(rows)
  return { rows: names.flatMap((name) => rows.get(name) ?? []), failures }
}
