// Where names come from: arguments, a list, and source code.
import type { Context } from '../command/context.ts'
import type { Emptiness } from '../command/options.ts'
import { inputName } from '../input/files.ts'
import { counted } from '../output/incomplete.ts'
import type { Place } from '../output/problems.ts'
import { relativePath } from '../paths.ts'
import {
  callsRemedy,
  type CodeOptions,
  type CodeReading,
  codeRequest,
  type CodeRequest,
  type FilePosition,
  firstInOrder,
  lookUpAdded,
  lookUpNames,
  lookUpStaged,
  namedKeyOf,
  nothingToScan,
} from '../code/index.ts'

export interface NameOptions extends CodeOptions {
  namesFrom?: string | undefined
  /** A revision: of the names in source code, only those that were added since. */
  addedSince?: string | undefined
  /** Of the names in source code, only those that the next commit adds. */
  staged?: true | undefined
}

export interface PlacedNames {
  names: readonly string[]
  /** The place of the name with this index; empty for an argument. `<stdin>` is the file of standard input. */
  placeOf(index: number): Place
  isList?: boolean
}

type PlacedName = FilePosition & { name: string }

export interface CodeNames extends CodeReading {
  names: readonly PlacedName[]
  /** How many lookups there were at the revision, if only added names were asked for. */
  lookupsBefore?: number
}

/** Whether options ask for source code; otherwise only the configuration can. */
function asksCode({ scan, call, match, addedSince, staged }: NameOptions): boolean {
  return [scan, call, match, addedSince, staged].some((option) => option !== undefined)
}

/**
 * Finds names in source code, if the options ask for it or, without other names, the configuration.
 * @param hasOthers whether there are names or projects
 */
export async function findCodeNames(
  context: Context,
  given: readonly string[],
  options: NameOptions,
  hasOthers: boolean,
): Promise<CodeNames> {
  const isAsked = asksCode(options)
  const isRead = isAsked || !hasOthers
  const request = isRead ? await codeRequest(context, given, options) : undefined
  if (!request) {
    if (isAsked) throw nothingToScan()
    return { names: [], files: 0, unresolved: [], lookups: 0, unread: [] }
  }
  const { literals, ...reading } = await literalsIn(context, request, options)
  return { ...reading, names: firstInOrder(literals, namedKeyOf) }
}

async function allLiterals(context: Context, request: CodeRequest) {
  const { references, ...reading } = await lookUpNames(context, request)
  const literals = references.map(({ name, origin }): PlacedName => ({ name, ...origin }))
  return { ...reading, literals }
}

/** All names, or only what is new since a revision or in git's index. */
async function literalsIn(
  context: Context,
  request: CodeRequest,
  { addedSince, staged }: NameOptions,
) {
  if (staged) return newLiterals(await lookUpStaged(context, request))
  if (addedSince === undefined) return allLiterals(context, request)
  return newLiterals(await lookUpAdded(context, addedSince, request))
}

function newLiterals({ names, ...reading }: Awaited<ReturnType<typeof lookUpAdded>>) {
  const literals = [...names].flatMap(([name, places]) =>
    places.map(({ origin }): PlacedName => ({ name, ...origin })),
  )
  return { ...reading, literals, isNew: true }
}

async function* listedNames({ inputs, host }: Context, path: string): AsyncGenerator<PlacedNames> {
  const file = path === '-' ? '<stdin>' : relativePath(path, host.cwd)
  for await (const { lineOf, ...batch } of inputs.names(path, '--names-from')) {
    yield { ...batch, isList: true, placeOf: (index) => ({ file, line: lineOf(index) }) }
  }
}

/**
 * Names from arguments, from a list and from source code, in that order, in batches.
 * @param namesFrom the path of the list
 */
export async function* placedNames(
  context: Context,
  names: readonly string[],
  namesFrom: string | undefined,
  code: CodeNames['names'],
): AsyncGenerator<PlacedNames> {
  if (names.length > 0) yield { names, placeOf: () => ({}) }
  if (namesFrom !== undefined) yield* listedNames(context, namesFrom)
  const placeOf = (index: number): Place => {
    const { name: _, ...place } = code[index] ?? { name: '' }
    return place
  }
  if (code.length > 0) yield { names: code.map(({ name }) => name), placeOf }
}

/** Whether the command line specifies where to find names. */
export function hasNames(names: readonly string[], options: NameOptions): boolean {
  return names.length > 0 || options.namesFrom !== undefined || asksCode(options)
}

/** Why there is nothing to check in the arguments, the list and the source code, and what to do. */
export function emptySources(
  namesFrom: string | undefined,
  { files, suggestedCalls }: CodeNames,
): Emptiness {
  const list = namesFrom === undefined ? undefined : inputName(namesFrom)
  const code = files > 0 ? counted(files, 'scanned file') : undefined
  const sources = [list, code].filter((source) => source !== undefined)
  if (sources.length === 0) {
    const remedy = 'pass names, or use --names-from <file> or --scan <path>'
    return { why: 'no names to check', remedy, isInput: true }
  }
  return {
    why: `no flag names in ${sources.join(' and ')}`,
    remedy: code ? callsRemedy(suggestedCalls) : 'write one name per line',
    isInput: true,
  }
}
