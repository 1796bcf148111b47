import type { Context } from '../command/context.ts'
import { clockGaps, warnOfClock } from '../flags/clocks.ts'
import { selectFlags, type Selection } from '../flags/selection.ts'
import { silenceGaps } from '../flags/silence.ts'
import type { Span } from '../flags/span.ts'
import { checkTypes, isOfType, readFlagTypes } from '../flags/types.ts'
import { counted, type Incomplete } from '../output/incomplete.ts'
import type { Failures } from '../requests/each.ts'
import type { Connection } from '../service/connection.ts'
import type { KeptDays } from '../usage/coverage.ts'
import { longestSpan, readableSpan } from '../usage/daily-usage.ts'
import { codeEvidence, codeIncomplete, searchCode, type SearchedCode } from './code-evidence.ts'
import { decide, type Decision } from './decide.ts'
import { type Facts, readOf } from './facts.ts'
import { gather } from './gather.ts'
import { readKept } from './kept-flags.ts'
import { arrives, silentPlaces } from './questions/arrives.ts'
import type { EvidenceOptions } from './options.ts'
import type { Terms } from './terms.ts'
import { type CoveredUsage, coveredUsage } from './usage-evidence.ts'

/** A flag with what is known about it, and its verdict. */
export interface Row extends Decision, Pick<Facts, 'name' | 'flag' | 'absence' | 'code'> {
  /** Undefined if it was not read. */
  usage?: CoveredUsage | undefined
  /** The flags that depend on it, who created it, and its lifecycle; only read if the flag would otherwise be removable. */
  dependents?: readonly string[] | undefined
  createdBy?: string | undefined
  /** As the service reports it. */
  lifecycle?: object | null | undefined
}

function rowOf(facts: Facts, terms: Terms): Row {
  const { name, flag, absence, code } = facts
  const own = readOf(facts.document)
  const usage = readOf(facts.usage)
  return {
    name,
    flag,
    absence,
    code,
    usage: usage && coveredUsage(flag, usage, terms),
    dependents: own && (own.children ?? []),
    createdBy: own?.createdBy,
    lifecycle: own?.lifecycle,
    ...decide(facts, terms),
  }
}

/** From where flags may be used although nothing is reported: said once, whatever number of flags it is about. */
function silenceOf(rows: readonly Row[], terms: Terms): Incomplete[] {
  const silent = rows.flatMap(({ flag, answers }) => {
    const isOpen = answers.some(
      ({ question, says }) => question === arrives.id && says === 'unknown',
    )
    return flag && isOpen ? silentPlaces(flag, terms) : []
  })
  return silenceGaps([...new Set(silent)])
}

/** The verdicts on flags, and what could not be read. */
export interface ReviewedFlags {
  selection: Selection
  inCode: SearchedCode
  span: Span
  /** The days of which the service has usage. */
  days: KeptDays
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
  const { application, environment, notSeenFor, includePermanent = false, acceptSilence } = options
  const filters = { application, environment }
  const inquiry = { ...filters, span, notSeenFor, includePermanent, types, acceptSilence }
  const factsOf = (name: string): Facts => ({
    name,
    flag: selection.flags.get(name),
    absence: selection.absences.get(name),
    kept: keptBy(name),
    code: codeEvidence(inCode, name),
  })
  const task = { connection, inquiry, flags: selection.flags, factsOf, readsAllUsage }
  const { facts, terms, failures, incomplete } = await gather(task, names)
  for (const warning of terms.unknownFilters) messages.warn(warning)
  const rows = names.flatMap((name) => {
    const own = facts.get(name)
    return own ? rowOf(own, terms) : []
  })
  return {
    selection,
    inCode,
    span,
    days: terms.days,
    rows,
    failures,
    incomplete: [
      ...selection.incomplete,
      ...clockGaps(clock),
      ...incomplete,
      ...silenceOf(rows, terms),
      ...codeIncomplete(inCode, names),
    ],
  }
}
