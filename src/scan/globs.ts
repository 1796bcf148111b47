import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setImmediate as otherWork } from 'node:timers/promises'
import { fileReason, FlagadmError } from '../errors.ts'
import { ignoresCase, join, relativePath, resolve } from '../paths.ts'
import { createInheritance, type Inheritance, isIgnored } from './gitignore.ts'
import { isDocumentation } from './lexer/languages.ts'
import { createExclusion, createTimed, type Matches, patternOf } from './patterns.ts'
import { SKIPPED, walkFiles } from './walk.ts'

/** The files that globs select. Paths are relative to the working directory, with `/`. */
interface Selection {
  /** In the order of their code units. */
  files: string[]
  /** Globs that match nothing. */
  unmatched: string[]
  /** Directories that could not be read, and why in a few words. */
  unreadable: Map<string, string>
  /** `.gitignore` files that could not be used, and why in a few words. */
  unusable: Map<string, string>
  /** What is hidden by `.gitignore` files, and symbolic links. A directory ends in `/`. */
  skipped: { file: string; reason: 'ignored' | 'link' }[]
}

interface SelectionContext {
  cwd: string
  signal: AbortSignal
  inheritance: Inheritance
  unreadable: Map<string, string>
  skipped: Selection['skipped']
  onUnusable(path: string, reason: string): void
}

/** Where to look, how deep, and for which paths. */
interface Search {
  directory: string
  depth: number
  /** Whether a path below the directory is wanted; undefined when every path is. */
  matches: Matches | undefined
  /** Whether the glob names documentation. */
  includesDocumentation: boolean
}

async function kindOf(path: string): Promise<'file' | 'directory' | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (stats?.isFile()) return 'file'
  return stats?.isDirectory() ? 'directory' : undefined
}

function isSkipped(shown: string): boolean {
  return shown.split('/').some((name) => SKIPPED.includes(name))
}

async function searchFiles(search: Search, context: SelectionContext): Promise<string[]> {
  const { directory, depth } = search
  const shown = relativePath(directory, context.cwd)
  if (isSkipped(shown) || (await kindOf(directory)) !== 'directory') return []
  const rules = await context.inheritance.above(directory)
  if (!rules) return []
  const prefix = shown && `${shown}/`
  const files: string[] = []
  const skipped = new Map<string, 'ignored' | 'link'>()
  await walkFiles(
    { directory, path: '', rules, depth },
    {
      signal: context.signal,
      onFile: (path) => files.push(path),
      onSkipped: (path, reason) => skipped.set(path, reason),
      onUnreadable: (path, error) =>
        context.unreadable.set(`${prefix}${path}` || '.', fileReason(error)),
      onUnusable: context.onUnusable,
    },
  )
  const matching = (paths: readonly string[]) => filter(paths, search.matches, context.signal)
  for (const path of await matching([...skipped.keys()])) {
    context.skipped.push({ file: prefix + path, reason: skipped.get(path) ?? 'ignored' })
  }
  const wanted = await matching(
    files.filter((path) => search.includesDocumentation || !isDocumentation(path)),
  )
  // A path through a parent directory may lead back into the working directory.
  const isAbove = shown.startsWith('..')
  return wanted.map((path) =>
    isAbove ? relativePath(join(directory, path), context.cwd) : prefix + path,
  )
}

// How many paths to match at a time, and the time limit for that.
const PATHS = 1_000
const LIMIT_MS = 1_000

/** The paths that match, with a time limit, because some globs take exponential time. */
async function filter(
  paths: readonly string[],
  matches: Matches | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!matches) return paths
  const timed = createTimed(LIMIT_MS)
  const matching: string[] = []
  for (let start = 0; start < paths.length && !signal.aborted; start += PATHS) {
    const found = timed(() => paths.slice(start, start + PATHS).filter(matches.test))
    if (!found) {
      const what = `--scan ${matches.glob}: takes more than ${LIMIT_MS / 1000} s to match`
      throw new FlagadmError('usage', what, { hint: 'use fewer wildcards' })
    }
    matching.push(...found)
    await otherWork()
  }
  return matching
}

async function isWanted(
  path: string,
  { cwd, inheritance }: Pick<SelectionContext, 'cwd' | 'inheritance'>,
): Promise<boolean> {
  if (isSkipped(relativePath(path, cwd))) return false
  const rules = await inheritance.inside(dirname(path))
  return rules !== undefined && !isIgnored(rules, basename(path), false)
}

function searchOf(glob: string, cwd: string): Search {
  return { ...patternOf(glob, cwd), includesDocumentation: isDocumentation(glob) }
}

/** A search for everything in a directory. */
function everythingIn(directory: string): Search {
  const depth = Number.POSITIVE_INFINITY
  return { directory, depth, matches: undefined, includesDocumentation: false }
}

async function exclude(
  paths: readonly string[],
  globs: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let left = paths
  for (const glob of globs.filter((one) => one.startsWith('!') && one !== '!')) {
    left = await filter(left, createExclusion(glob, cwd), signal)
  }
  return left
}

/** The files that a glob matches; undefined when it matches nothing. */
async function filesOf(glob: string, context: SelectionContext): Promise<string[] | undefined> {
  const path = resolve(context.cwd, glob)
  const kind = await kindOf(path)
  // An ignored file is not a mistake: the shell may have expanded a glob.
  if (kind === 'file')
    return (await isWanted(path, context)) ? [relativePath(path, context.cwd)] : []
  const search = kind === 'directory' ? everythingIn(path) : searchOf(glob, context.cwd)
  const files = await searchFiles(search, context)
  return files.length > 0 ? files : undefined
}

/** Whether two paths are the same in the folder where flagadm runs. */
type IsSame = (one: string, other: string) => boolean

function sameIn(cwd: string): IsSame {
  if (!ignoresCase(cwd)) return (one, other) => one === other
  return (one, other) => one.toLowerCase() === other.toLowerCase()
}

/** The paths below a directory that match a glob. */
async function searchPaths(
  { directory, depth, matches, includesDocumentation }: Search,
  paths: readonly string[],
  isSame: IsSame,
  signal: AbortSignal,
): Promise<string[]> {
  const prefix = directory.endsWith('/') ? directory : `${directory}/`
  const below = new Map(
    paths
      .filter((path) => isSame(path.slice(0, prefix.length), prefix))
      .map((path) => [path.slice(prefix.length), path]),
  )
  const source = [...below.keys()]
    .filter((path) => path.split('/').length - 1 <= depth)
    .filter((path) => includesDocumentation || !isDocumentation(path))
  const wanted = await filter(source, matches, signal)
  return wanted.flatMap((path) => below.get(path) ?? [])
}

/**
 * Selects the paths that globs match. Leaves out what `.gitignore` files and `node_modules` hide, as for
 * files that exist.
 * @param paths absolute ones
 * @throws a `usage` error for a glob that cannot be matched
 */
export async function selectPaths(
  globs: readonly string[],
  paths: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<Pick<Selection, 'files' | 'unmatched'>> {
  const inheritance = createInheritance(cwd, () => {})
  const isSame = sameIn(cwd)
  const selected = new Set<string>()
  const unmatched: string[] = []
  for (const glob of globs.filter((one) => !one.startsWith('!'))) {
    const path = resolve(cwd, glob)
    const search = (one: Search) => searchPaths(one, paths, isSame, signal)
    const file = paths.filter((one) => isSame(one, path))
    const inside = file.length > 0 ? file : await search(everythingIn(path))
    const found = inside.length > 0 ? inside : await search(searchOf(glob, cwd))
    const wanted: string[] = []
    for (const one of found) if (await isWanted(one, { cwd, inheritance })) wanted.push(one)
    if (wanted.length === 0 && file.length === 0) unmatched.push(glob)
    for (const one of wanted) selected.add(one)
  }
  const shown = Array.from(selected, (path) => relativePath(path, cwd))
  const files = await exclude(shown, globs, cwd, signal)
  return { files: files.toSorted(), unmatched }
}

/**
 * The files that globs match, without those that `.gitignore` files or `node_modules` hide. A glob
 * that begins with `!` excludes files, in any position; a directory matches everything in it.
 * @throws a `usage` error for a glob that cannot be matched
 */
export async function selectFiles(
  globs: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<Selection> {
  const [unreadable, unusable] = [new Map<string, string>(), new Map<string, string>()]
  const onUnusable = (path: string, reason: string) =>
    void unusable.set(relativePath(path, cwd), reason)
  const inheritance = createInheritance(cwd, onUnusable)
  const skipped: Selection['skipped'] = []
  const context = { cwd, signal, unreadable, onUnusable, inheritance, skipped }
  const wanted = globs.filter((glob) => !glob.startsWith('!'))
  const found = await Promise.all(wanted.map((glob) => filesOf(glob, context)))
  const all = [...new Set(found.flatMap((paths) => paths ?? []))]
  const files = await exclude(all, globs, cwd, signal)
  return {
    files: files.toSorted(),
    unmatched: wanted.filter((_, index) => !found[index]),
    unreadable,
    unusable,
    skipped,
  }
}
