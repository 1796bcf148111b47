// What a review is about: flags of the service, and what the code has of them.
import type { Context } from '../command/context.ts'
import { warnOfClock } from '../flags/clocks.ts'
import { selectFlags, type Selection } from '../flags/selection.ts'
import { type FlagTypes, isOfType, readFlagTypes } from '../flags/types.ts'
import { counted } from '../output/incomplete.ts'
import type { Connection } from '../service/connection.ts'
import { searchCode, type SearchedCode } from './code-evidence.ts'
import { warnOfEntries } from './kept-flags.ts'
import type { EvidenceOptions } from './options.ts'

export interface Candidates {
  /** The flags of the projects. */
  selection: Selection
  /** The names to review. */
  names: readonly string[]
  types: FlagTypes
  inCode: SearchedCode
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
  const omitted = `${counted(others, 'flag')} left out because of --type`
  if (given.length > 0 && others > 0) messages.warn(omitted)
  return ofType
}

/**
 * Selects the flags to review, and searches the code for them.
 * @param given names, in which `*` matches any text; empty for all flags of the projects
 */
export async function selectCandidates(
  context: Context,
  connection: Connection,
  given: readonly string[],
  options: EvidenceOptions,
): Promise<Candidates> {
  const selection = await selectFlags(context, connection, given, options)
  const types = await readFlagTypes(connection.service, options.type)
  const inCode = await searchCode(context, connection, selection, options)
  const names = namesOfType(context, given, selection, options)
  warnOfClock(context.messages, connection.clock)
  const isComplete = options.allProjects && given.length === 0 && selection.failures.size === 0
  const listedNames = isComplete ? [...selection.flags.keys()] : undefined
  await warnOfEntries(context, connection.clock.now(), listedNames)
  return {
    selection,
    names: names.filter((name) => inCode.removed?.has(name) !== false),
    types,
    inCode,
  }
}
