import type { Context } from '../old/context.ts'
import { FlagadmError } from '../errors.ts'
import { counted } from '../old/output/phrases.ts'
import { relativePath } from '../paths.ts'
import type { UnreadLookups } from '../projects/missing.ts'
import { type FilePosition, firstInOrder, namedKeyOf } from '../code/positions.ts'
import {
  asksScan,
  type CodeReference,
  refuseUnmatched,
  refuseWithoutPaths,
  scanIfAsked,
  scanLeniently,
  type ScannedCode,
  type ScanOptions,
  type ScanRequest,
  scanRequest,
  unreadLookups,
} from './scanning.ts'

/** The options that specify where to find names. */
export interface NameOptions extends ScanOptions {
  namesFrom?: string | undefined
  /** Only names that the source used at this git revision and no longer uses. */
  removedSince?: string | undefined
}

/** Where a name is used; empty for an argument. `<stdin>` is the file of standard input. */
export type Place = Partial<FilePosition>

/** Some names and where they are used. */
export interface PlacedNames {
  names: readonly string[]
  /** The place of the name with this index. */
  placeOf(index: number): Place
  /** Whether all characters are known to be legal in names. */
  hasLegalCharacters?: boolean
}

async function* listedNames(
  { inputs, host, messages }: Context,
  path: string,
): AsyncGenerator<PlacedNames> {
  if (path === '-' && (await host.openTerminal())) {
    messages.note('reading names from the terminal, one per line; Ctrl-D ends the list')
  }
  const file = path === '-' ? '<stdin>' : relativePath(path, host.cwd)
  for await (const { lineOf, ...batch } of inputs.names(path, '--names-from')) {
    yield { ...batch, placeOf: (index) => ({ file, line: lineOf(index) }) }
  }
}

/**
 * Names from arguments, from a list and from source code, in that order, in batches.
 * @param namesFrom the path of the list
 */
export async function* placedNames(
  context: Context,
  given: readonly string[],
  namesFrom: string | undefined,
  references: readonly CodeReference[],
): AsyncGenerator<PlacedNames> {
  if (given.length > 0) yield { names: given, placeOf: () => ({}) }
  if (namesFrom !== undefined) yield* listedNames(context, namesFrom)
  const uses = references.filter(({ kind }) => kind !== 'mention')
  const literals = firstInOrder(
    uses.map(({ name, origin }) => ({ name, ...origin })),
    namedKeyOf,
  )
  if (literals.length === 0) return
  yield { names: literals.map(({ name }) => name), placeOf: (index) => literals[index] ?? {} }
}

/** Whether the command line specifies where to find names. */
export function hasNames(given: readonly string[], options: NameOptions): boolean {
  const { namesFrom, removedSince } = options
  return (
    given.length > 0 || namesFrom !== undefined || removedSince !== undefined || asksScan(options)
  )
}

/** Explains that the list and the source code have no names; undefined if neither was read. */
export function emptySources(
  namesFrom: string | undefined,
  { files }: ScannedCode,
): { message: string; hint: string } | undefined {
  const list = namesFrom === '-' ? 'standard input' : namesFrom
  if (files > 0) {
    const code = counted(files, 'scanned file')
    return {
      message: `no flag names in ${list === undefined ? code : `${list} and ${code}`}`,
      hint: 'for lookups that were not recognized, use --call or --match',
    }
  }
  if (list === undefined) return undefined
  return { message: `no flag names in ${list}`, hint: 'write one name per line' }
}

/** Names from arguments, from a list and from source code, in that order, each once. */
export async function distinctNames(
  context: Context,
  given: readonly string[],
  namesFrom: string | undefined,
  references: readonly CodeReference[],
): Promise<string[]> {
  const unique = new Set<string>()
  for await (const { names } of placedNames(context, given, namesFrom, references)) {
    for (const name of names) unique.add(name)
  }
  return [...unique]
}

/**
 * Finds the flags that the source code used at the merge base with a revision and no longer uses, and the
 * lookups that could not be read at either.
 * @throws a usage error without globs, and for one that matches no file, now or at the revision
 */
async function removedUses(
  context: Context,
  revision: string,
  request: ScanRequest,
): Promise<{ references: CodeReference[]; unread: UnreadLookups[] }> {
  refuseWithoutPaths(request, '--removed-since')
  const { findLookupsInRevision } = await import('../code/lookups/find.ts')
  const { cwd, env, signal } = context.host
  const { globs, ...settings } = request
  const before = await findLookupsInRevision(revision, globs, { ...settings, cwd, env, signal })
  const names = [...new Set(before.references.map(({ name }) => name))]
  const now = await scanLeniently(context, request, names)
  for (const glob of before.unmatched.filter((one) => !now.unmatched.includes(one))) {
    context.messages.warn(
      `--scan ${glob}: matches no file at ${revision}, so what it removed is not known`,
    )
  }
  const unmatched = before.unmatched.filter((glob) => now.unmatched.includes(glob))
  refuseUnmatched(unmatched, `check the path; it matches no file at ${revision} either`)
  // A name that is still quoted somewhere may have moved into a constant.
  const used = new Set(now.references.map(({ name }) => name))
  return {
    references: before.references.filter(({ name }) => !used.has(name)),
    unread: [...now.unread, ...unreadLookups(before, revision)],
  }
}

/** The flags to read, and the lookups in their source code that could not be read. */
interface FoundNames {
  names: string[]
  unreadLookups: readonly UnreadLookups[]
}

/**
 * The flags to read the usage of: from arguments, a list and source code, each once, in that order.
 * @throws a usage error when there are none, unless the names are those that were removed
 */
export async function usageNames(
  context: Context,
  given: readonly string[],
  options: NameOptions,
): Promise<FoundNames> {
  const { namesFrom, removedSince } = options
  if (removedSince !== undefined) {
    const request = await scanRequest(context, given, options)
    const { references, unread } = await removedUses(context, removedSince, request)
    const names = await distinctNames(context, given, namesFrom, references)
    return { names, unreadLookups: unread }
  }
  const code = await scanIfAsked(context, given, options)
  const names = await distinctNames(context, given, namesFrom, code.references)
  if (names.length > 0) return { names, unreadLookups: code.unread }
  const { message, hint } = emptySources(namesFrom, code) ?? {
    message: 'no flag names given',
    hint: 'pass names, or use --names-from <file>, --scan <glob> or --project <id>',
  }
  throw new FlagadmError('usage', message, { hint })
}
