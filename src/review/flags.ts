import type { Context } from '../command/context.ts'
import { groupBy } from '../groups.ts'
import { clockGaps } from '../flags/clocks.ts'
import type { Selection } from '../flags/selection.ts'
import { silenceGaps } from '../flags/silence.ts'
import type { Span } from '../flags/span.ts'
import type { Incomplete } from '../output/incomplete.ts'
import type { Failures } from '../requests/each.ts'
import type { Connection } from '../service/connection.ts'
import type { KeptDays } from '../usage/coverage.ts'
import { readableSpan } from '../usage/daily-usage.ts'
import type { Candidates } from './candidates.ts'
import { codeEvidence, codeIncomplete } from './code-evidence.ts'
import { decide, type Decision } from './decide.ts'
import { type Facts, readOf } from './facts.ts'
import { gather } from './gather.ts'
import { readKept } from './kept-flags.ts'
import { arrives, silentPlaces } from './questions/arrives.ts'
import type { EvidenceOptions } from './options.ts'
import type { Terms } from './terms.ts'
import { type CoveredUsage, coveredUsage } from './usage-evidence.ts'
import { going } from './verdicts.ts'

/** A flag with what is known about it, and its verdict. */
export interface Row extends Decision, Pick<Facts, 'name' | 'flag' | 'absence' | 'code'> {
  /** Undefined if it was not read. */
  usage?: CoveredUsage | undefined
  /** The flags that depend on it, who created it, and its lifecycle; only read if the flag would otherwise be removable. */
  dependents?: readonly string[] | undefined
  createdBy?: string | undefined
  /** The person to ask: null if it is known that there is none, undefined if nothing was read. */
  owner?: string | null | undefined
  /** As the service reports it. */
  lifecycle?: object | null | undefined
}

function rowOf(facts: Facts, terms: Terms): Row {
  const { name, flag, absence, code } = facts
  const ownDocument = readOf(facts.document)
  const usage = readOf(facts.usage)
  return {
    name,
    flag,
    absence,
    code,
    usage: usage && coveredUsage(flag, usage, terms),
    dependents: ownDocument && (ownDocument.children ?? []),
    createdBy: ownDocument?.createdBy,
    owner: ownDocument?.owner,
    lifecycle: ownDocument?.lifecycle,
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

/** What the service does not show of changes, which may have kept flags: said once. */
function changeGaps(rows: readonly Row[], facts: ReadonlyMap<string, Facts>): Incomplete[] {
  const settled = rows.filter(({ verdict }) => going.has(verdict) || verdict === 'finished')
  const names = settled.map(({ name }) => name)
  const groups = groupBy(names, (name) => readOf(facts.get(name)?.events)?.gap)
  return Array.from(groups, ([message, names]) =>
    message === undefined ? [] : { message, names },
  ).flat()
}

/** The verdicts on flags, and what could not be read. */
export interface ReviewedFlags {
  selection: Selection
  span: Span
  /** The days of which the service has usage. */
  days: KeptDays
  rows: readonly Row[]
  /** Whether finished flags are told from others in use. */
  tellsFinished: boolean
  /** Of flags, also of those that depend on removable ones; those of projects are in the selection. */
  failures: Failures
  /** What the report lacks, but for flags that could not be read. */
  incomplete: readonly Incomplete[]
}

/** What a review reads beyond what decides whether flags may go. */
interface ReviewTask {
  /** Whether the usage of all flags is read, also where the list settles the verdict. */
  readsAllUsage?: boolean
  /** Whether finished flags are told from others in use: of a part, or of all, if the service keeps no days. */
  tellsFinished?: 'no' | 'likely' | 'all'
  /** Whether all is read that may show usage, also where it cannot change the verdict. */
  tellsUnused?: boolean
}

export async function reviewFlags(
  context: Context,
  connection: Connection,
  candidates: Candidates,
  options: EvidenceOptions,
  { readsAllUsage = false, tellsFinished = 'no', tellsUnused = false }: ReviewTask = {},
): Promise<ReviewedFlags> {
  const { selection, names, types, inCode } = candidates
  const span = await readableSpan(connection, options.since)
  const keptBy = await readKept(context, span.now)
  const { application, environment, notSeenFor, includePermanent = false, acceptSilence } = options
  const filters = { application, environment }
  const inquiry = {
    ...filters,
    span,
    notSeenFor,
    includePermanent,
    types,
    acceptSilence,
    tellsFinished: tellsFinished !== 'no',
    tellsUnused,
  }
  const factsOf = (name: string): Facts => ({
    name,
    flag: selection.flags.get(name),
    absence: selection.absences.get(name),
    kept: keptBy(name),
    code: codeEvidence(inCode, name),
  })
  const readsAllStates = tellsFinished === 'all'
  const { flags } = selection
  const task = { connection, inquiry, flags, factsOf, readsAllUsage, readsAllStates }
  const { facts, terms, failures, incomplete } = await gather(task, names)
  for (const warning of terms.unknownFilters) context.messages.warn(warning)
  const rows = names.flatMap((name) => {
    const flagFacts = facts.get(name)
    return flagFacts ? rowOf(flagFacts, terms) : []
  })
  return {
    selection,
    span,
    days: terms.days,
    rows,
    tellsFinished: terms.tellsFinished,
    failures,
    incomplete: [
      ...selection.incomplete,
      ...clockGaps(connection.clock),
      ...incomplete,
      ...changeGaps(rows, facts),
      ...silenceOf(rows, terms),
      ...codeIncomplete(inCode, names),
    ],
  }
}
