import type { Command, OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../command/context.ts'
import { collect, spanOption } from '../command/options.ts'
import { clockGaps, warnOfClock } from '../flags/clocks.ts'
import { selectFlags, type Selection } from '../flags/selection.ts'
import type { Span } from '../flags/span.ts'
import { checkTypes, isOfType, readFlagTypes } from '../flags/types.ts'
import { timeSpan, type TimeSpan } from '../input/values.ts'
import { counted, type Incomplete } from '../output/incomplete.ts'
import type { ProjectOptions } from '../project/selection.ts'
import type { Failures } from '../requests/each.ts'
import type { Connection } from '../service/connection.ts'
import { LONGEST_DEFAULT, longestSpan, readableSpan } from '../usage/daily-usage.ts'
import type { UsageFilter } from '../usage/figure-doubts.ts'
import {
  codeEvidence,
  type CodeEvidenceOptions,
  codeIncomplete,
  searchCode,
  type SearchedCode,
} from './code-evidence.ts'
import { decide, type Decision } from './decide.ts'
import { type Facts, readOf } from './facts.ts'
import { gather } from './gather.ts'
import { readKept } from './kept-flags.ts'
import type { Terms } from './terms.ts'
import type { UsageEvidence } from './usage-evidence.ts'

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

/** A flag with what is known about it, and its verdict. */
export interface Row extends Decision, Pick<Facts, 'name' | 'flag' | 'absence' | 'code'> {
  /** Undefined if it was not read. */
  usage?: UsageEvidence | undefined
  /** The flags that depend on it, who created it, and its lifecycle; only read if the flag would otherwise be removable. */
  dependents?: readonly string[] | undefined
  createdBy?: string | undefined
  /** As the service reports it. */
  lifecycle?: object | null | undefined
}

function rowOf(facts: Facts, terms: Terms): Row {
  const { name, flag, absence, code } = facts
  const own = readOf(facts.document)
  return {
    name,
    flag,
    absence,
    code,
    usage: readOf(facts.usage),
    dependents: own && (own.children ?? []),
    createdBy: own?.createdBy,
    lifecycle: own?.lifecycle,
    ...decide(facts, terms),
  }
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

/** What is known before a review, and what it reads. */
interface ReviewTask {
  /** What was found in the code; without it, the code is searched. */
  searched?: SearchedCode
  /** The flags to review; without them, the service is asked. */
  selection?: Selection
  /** Whether the usage of all flags is read, also where the list settles the verdict. */
  readsAllUsage?: boolean
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
  { searched, selection: selected, readsAllUsage = false }: ReviewTask = {},
): Promise<ReviewedFlags> {
  const { application, environment, notSeenFor, includePermanent = false } = options
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
  const isComplete = options.allProjects && given.length === 0 && selection.failures.size === 0
  const known = isComplete && !searched ? [...selection.flags.keys()] : undefined
  const keptBy = await readKept(context, span.now, known)
  const { facts, terms, failures, incomplete } = await gather(
    {
      connection,
      inquiry: { span, application, environment, notSeenFor, includePermanent, types },
      flags: selection.flags,
      factsOf: (name) => ({
        name,
        flag: selection.flags.get(name),
        absence: selection.absences.get(name),
        kept: keptBy(name),
        code: codeEvidence(inCode, name),
      }),
      readsAllUsage,
    },
    names,
  )
  for (const warning of terms.unknownFilters) messages.warn(warning)
  return {
    selection,
    inCode,
    span,
    rows: names.flatMap((name) => {
      const own = facts.get(name)
      return own ? rowOf(own, terms) : []
    }),
    failures,
    incomplete: [
      ...selection.incomplete,
      ...clockGaps(clock),
      ...incomplete,
      ...codeIncomplete(inCode, names),
    ],
  }
}
