import type { Context } from '../context.ts'
import { counted } from '../output/incomplete.ts'
import { relativePath } from '../paths.ts'
import type { FilePosition } from '../code/positions.ts'
import { selectsProjects, type ProjectOptions } from '../project/options.ts'
import { asksScan, type CodeReference, nothingScanned } from './scanned.ts'
import type { ScannedCode, ScanOptions } from './scanned.ts'

/** The options that specify where to find names. */
export interface NameOptions extends ScanOptions {
  namesFrom?: string | undefined
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
  if (uses.length === 0) return
  // Loaded only after a scan.
  const { firstInOrder, namedKeyOf } = await import('../code/positions.ts')
  const literals = firstInOrder(
    uses.map(({ name, origin }) => ({ name, ...origin })),
    namedKeyOf,
  )
  yield { names: literals.map(({ name }) => name), placeOf: (index) => literals[index] ?? {} }
}

/** Whether the command line specifies where to find names. */
export function hasNames(given: readonly string[], options: NameOptions): boolean {
  return given.length > 0 || options.namesFrom !== undefined || asksScan(options)
}

/** Scans source code if options or, without other names, the configuration ask for it. */
export async function findCode(
  context: Context,
  given: readonly string[],
  options: NameOptions & ProjectOptions,
): Promise<ScannedCode> {
  const hasOthers = given.length > 0 || options.namesFrom !== undefined || selectsProjects(options)
  if (hasOthers && !asksScan(options)) return nothingScanned
  const { scanIfAsked } = await import('./scanning.ts')
  return scanIfAsked(context, given, options)
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
