import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { relativePath } from '../paths.ts'
import type { FilePlace, FlagUse } from '../scan/files.ts'

/** The options that specify where to find names. */
export interface NameOptions {
  namesFrom?: string | undefined
  /** Globs of source files. */
  scan?: string[] | undefined
  /** Custom patterns in addition to the calls of the common SDKs. */
  match?: string[] | undefined
  /** Whether finding no file is allowed. */
  allowEmpty?: true | undefined
  /** Only names that the source used at this git revision and no longer uses. */
  removedSince?: string | undefined
}

/** Where a name is used; empty for an argument. `<stdin>` is the file of standard input. */
export interface Place {
  file?: string
  line?: number
  column?: number
}

/** Some names and where they are used. */
export interface PlacedNames {
  names: readonly string[]
  /** Whether they are known to contain only characters of legal names. */
  isPlain?: boolean
  /** The place of the name with this index. */
  placeOf(index: number): Place
}

/** The flag names that source code uses, and the calls whose flag name is an expression. */
export interface ScannedNames {
  uses: FlagUse[]
  unresolved: FilePlace[]
  /** Globs that match no file. */
  unmatched: string[]
}

/** How many calls could not be checked: `12 calls use an expression and were not checked`. */
export function unresolvedText(count: number): string {
  return count === 1
    ? '1 call uses an expression and was not checked'
    : `${count} calls use an expression and were not checked`
}

async function noteUnresolved(
  { messages }: Context,
  unresolved: readonly FilePlace[],
): Promise<void> {
  if (unresolved.length === 0) return
  messages.note(unresolvedText(unresolved.length))
  for (const { file, line, column } of unresolved) {
    messages.debug(`${file}:${line}:${column}: this call uses an expression`)
  }
}

/**
 * The flag names that source code uses, with their places. Warns about files that cannot be read and
 * notes how many calls could not be checked.
 * @throws a usage error for a glob that matches no file and for an invalid pattern
 */
export async function scanNames(
  context: Context,
  { scan, match = [], allowEmpty }: NameOptions,
): Promise<ScannedNames> {
  if (scan === undefined) {
    if (match.length === 0) return { uses: [], unresolved: [], unmatched: [] }
    throw new FlagadmError('usage', '--match requires --scan', {
      hint: 'add --scan or leave out --match',
    })
  }
  const [{ scanFiles }, { checkMatch }] = await Promise.all([
    import('../scan/files.ts'),
    import('../scan/match.ts'),
  ])
  const { cwd, signal } = context.host
  for (const source of match) checkMatch(source)
  const found = await scanFiles(scan, { cwd, signal, patterns: match })
  if (found.unmatched.length > 0 && !allowEmpty) {
    throw new FlagadmError('usage', `--scan: no file matches ${found.unmatched.join(', ')}`, {
      hint: 'check the path, and whether .gitignore hides it',
    })
  }
  for (const { path, reason } of found.unusable) {
    context.messages.warn(`${path} is not used: ${reason}`)
  }
  for (const { path, reason } of found.unreadable) {
    context.messages.warn(`${path} is not scanned: ${reason}`)
  }
  await noteUnresolved(context, found.unresolved)
  return found
}

/**
 * The uses of flags in source code at a git revision whose names the working tree no longer uses.
 * @throws a usage error without globs, and for one that matches no file, now or at the revision
 */
async function removedUses(
  context: Context,
  revision: string,
  options: NameOptions,
): Promise<FlagUse[]> {
  const { scan, match = [] } = options
  if (scan === undefined) {
    throw new FlagadmError('usage', '--removed-since requires --scan', {
      hint: 'add --scan or leave out --removed-since',
    })
  }
  const now = await scanNames(context, { ...options, allowEmpty: true })
  const { scanRevision } = await import('../scan/revision.ts')
  const { cwd, env, signal } = context.host
  const before = await scanRevision(revision, scan, { cwd, env, signal, patterns: match })
  const unmatched = before.unmatched.filter((glob) => now.unmatched.includes(glob))
  if (unmatched.length > 0) {
    throw new FlagadmError('usage', `--scan: no file matches ${unmatched.join(', ')}`, {
      hint: `check the path; it matches no file at ${revision} either`,
    })
  }
  const used = new Set(now.uses.map(({ name }) => name))
  return before.uses.filter(({ name }) => !used.has(name))
}

async function* listedNames({ inputs, host }: Context, path: string): AsyncGenerator<PlacedNames> {
  const file = path === '-' ? '<stdin>' : relativePath(path, host.cwd)
  for await (const { names, isPlain, lineOf } of inputs.names(path, '--names-from')) {
    yield {
      names,
      isPlain,
      placeOf(index) {
        return { file, line: lineOf(index) }
      },
    }
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
  uses: readonly FlagUse[],
): AsyncGenerator<PlacedNames> {
  if (given.length > 0) yield { names: given, placeOf: () => ({}) }
  if (namesFrom !== undefined) yield* listedNames(context, namesFrom)
  if (uses.length === 0) return
  yield {
    names: uses.map(({ name }) => name),
    placeOf(index) {
      const use = uses[index]
      return use ? { file: use.file, line: use.line, column: use.column } : {}
    },
  }
}

/** Whether the command line specifies where to find names. */
export function hasNames(given: readonly string[], options: NameOptions): boolean {
  const { namesFrom, scan, match, removedSince } = options
  return given.length > 0 || [namesFrom, scan, match, removedSince].some((it) => it !== undefined)
}

/**
 * The flags to read the usage of: from arguments, a list and source code, each once, in that order.
 * @throws a usage error when there are none, unless the names are those that were removed
 */
export async function usageNames(
  context: Context,
  given: readonly string[],
  options: NameOptions,
): Promise<string[]> {
  const { namesFrom, removedSince } = options
  const uses =
    removedSince === undefined
      ? (await scanNames(context, options)).uses
      : await removedUses(context, removedSince, options)
  const unique = new Set<string>()
  for await (const { names } of placedNames(context, given, namesFrom, uses)) {
    for (const name of names) unique.add(name)
  }
  if (unique.size > 0 || removedSince !== undefined) return [...unique]
  throw new FlagadmError('usage', 'no flag names given', {
    hint: 'pass names, or use --names-from <file>, --scan <glob> or --project <id>',
  })
}
