import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { fileReason, FlagadmError } from '../errors.ts'
import { ignoresCase, join, relativePath, resolve } from '../paths.ts'
import { createTimed } from '../timed.ts'
import { createInheritance, type Inheritance, isIgnored } from './gitignore.ts'
import { isDocumentation } from './lexer/file-names.ts'
import { createExclusion, type Matches, patternOf } from './patterns.ts'
import { createPause } from './pause.ts'
import { SKIPPED_FOLDERS, walkFiles } from './walk.ts'

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
  /** Paths hidden by `.gitignore` files, and symbolic links. A directory ends in `/`. */
  skipped: { file: string; reason: 'ignored' | 'link' }[]
}

/** The conditions of a selection, and what it collects besides files. */
interface SelectionContext extends Pick<Selection, 'unreadable' | 'skipped'> {
  cwd: string
  signal: AbortSignal
  inheritance: Inheritance
  onUnusable(path: string, reason: string): void
}

/** A directory to search, how deep, and for which paths. */
interface Search {
  directory: string
  depth: number
  /** Whether a path below the directory is wanted; undefined when every path is. */
  matches?: Matches
  /** Whether the glob names documentation. */
  includesDocumentation: boolean
}

async function kindOf(path: string): Promise<'file' | 'directory' | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (stats?.isFile()) return 'file'
  return stats?.isDirectory() ? 'directory' : undefined
}

function isSkipped(shown: string): boolean {
  return shown.split('/').some((name) => SKIPPED_FOLDERS.includes(name))
}

async function searchFiles(search: Search, context: SelectionContext): Promise<string[]> {
  const { directory } = search
  const { cwd, signal, unreadable, onUnusable } = context
  const shown = relativePath(directory, cwd)
  if (isSkipped(shown) || (await kindOf(directory)) !== 'directory') return []
  const rules = await context.inheritance.above(directory)
  if (!rules) return []
  const prefix = shown && `${shown}/`
  const files: string[] = []
  const skipped = new Map<string, 'ignored' | 'link'>()
  const onUnreadable = (path: string, error: unknown) =>
    void unreadable.set(`${prefix}${path}` || '.', fileReason(error))
  const folder = { directory, path: '', rules, depth: search.depth }
  const pause = createPause(signal)
  await walkFiles(folder, { pause, files, skipped, onUnreadable, onUnusable })
  for (const path of await matching([...skipped.keys()], search.matches, signal)) {
    context.skipped.push({ file: prefix + path, reason: skipped.get(path) ?? 'ignored' })
  }
  const wanted = await matching(sourcesIn(files, search), search.matches, signal)
  // A path through a parent directory may lead back into the working directory.
  const isAbove = shown.startsWith('..')
  return wanted.map((path) => (isAbove ? relativePath(join(directory, path), cwd) : prefix + path))
}

/** The paths that are not documentation, unless the glob names it. */
function sourcesIn(paths: readonly string[], { includesDocumentation }: Search): readonly string[] {
  return includesDocumentation ? paths : paths.filter((path) => !isDocumentation(path))
}

// How many paths to match at a time, and the time limit for that.
const PATHS = 1_000
const LIMIT_MS = 1_000

/** The paths that match, with a time limit, because some globs take exponential time. */
async function matching(
  paths: readonly string[],
  matches: Matches | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!matches) return paths
  const timed = createTimed(LIMIT_MS)
  const pause = createPause(signal)
  const found: string[] = []
  for (let start = 0; start < paths.length; start += PATHS) {
    const some = timed(() => paths.slice(start, start + PATHS).filter(matches.test))
    if (!some) {
      const what = `--scan ${matches.glob}: takes more than ${LIMIT_MS / 1000} s to match`
      throw new FlagadmError('usage', what, { hint: 'use fewer wildcards' })
    }
    found.push(...some)
    await pause()
  }
  return found
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

function everythingIn(directory: string): Search {
  return { directory, depth: Number.POSITIVE_INFINITY, includesDocumentation: false }
}

/**
 * The files that some globs match and that no glob beginning with `!` excludes, and the globs without one.
 * @param filesOf returns the files that a glob matches; undefined when it matches nothing
 */
async function select(
  globs: readonly string[],
  cwd: string,
  signal: AbortSignal,
  filesOf: (glob: string) => Promise<string[] | undefined>,
): Promise<Pick<Selection, 'files' | 'unmatched'>> {
  const wanted = globs.filter((glob) => !glob.startsWith('!'))
  const found = await Promise.all(wanted.map(filesOf))
  let files: readonly string[] = [...new Set(found.flatMap((paths) => paths ?? []))]
  for (const glob of globs.filter((one) => one.startsWith('!') && one !== '!')) {
    files = await matching(files, createExclusion(glob, cwd), signal)
  }
  return { files: files.toSorted(), unmatched: wanted.filter((_, index) => !found[index]) }
}

/** Whether two paths are the same in the folder where flagadm runs. */
function sameIn(cwd: string): (one: string, other: string) => boolean {
  if (!ignoresCase(cwd)) return (one, other) => one === other
  return (one, other) => one.toLowerCase() === other.toLowerCase()
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
  const pathsFor = async (search: Search) => {
    const prefix = join(search.directory, '/')
    const inside = paths.filter((path) => isSame(path.slice(0, prefix.length), prefix))
    const below = new Map(inside.map((path) => [path.slice(prefix.length), path]))
    const shallow = [...below.keys()].filter((path) => path.split('/').length - 1 <= search.depth)
    const wanted = await matching(sourcesIn(shallow, search), search.matches, signal)
    return wanted.flatMap((path) => below.get(path) ?? [])
  }
  return select(globs, cwd, signal, async (glob) => {
    const path = resolve(cwd, glob)
    const same = paths.filter((one) => isSame(one, path))
    const inside = same.length > 0 ? same : await pathsFor(everythingIn(path))
    const found = inside.length > 0 ? inside : await pathsFor(searchOf(glob, cwd))
    const wanted: string[] = []
    for (const one of found) {
      if (await isWanted(one, { cwd, inheritance })) wanted.push(relativePath(one, cwd))
    }
    return wanted.length > 0 || same.length > 0 ? wanted : undefined
  })
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
  const skipped: Selection['skipped'] = []
  const onUnusable = (path: string, reason: string) =>
    void unusable.set(relativePath(path, cwd), reason)
  const inheritance = createInheritance(cwd, onUnusable)
  const context = { cwd, signal, unreadable, onUnusable, inheritance, skipped }
  const selected = await select(globs, cwd, signal, async (glob) => {
    const path = resolve(cwd, glob)
    const kind = await kindOf(path)
    // An ignored file is not a mistake: the shell may have expanded a glob.
    if (kind === 'file') return (await isWanted(path, context)) ? [relativePath(path, cwd)] : []
    const search = kind === 'directory' ? everythingIn(path) : searchOf(glob, cwd)
    const files = await searchFiles(search, context)
    return files.length > 0 ? files : undefined
  })
  return { ...selected, unreadable, unusable, skipped }
}
