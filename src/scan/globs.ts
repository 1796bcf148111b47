import { stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { setImmediate as otherWork } from 'node:timers/promises'
import { fileReason, FlagadmError } from '../errors.ts'
import { createInheritance, type Inheritance, isIgnored } from './gitignore.ts'
import { createExclusion, type Matches, patternOf } from './patterns.ts'
import { createTimed } from './timed.ts'
import { SKIPPED, walkFiles } from './walk.ts'

/** What globs select. Paths are relative to the working directory, with `/`. */
export interface Selection {
  /** In the order of their code units. */
  files: string[]
  /** Globs that match nothing. */
  unmatched: string[]
  /** Directories that could not be read, and why in a few words. */
  unreadable: Map<string, string>
  /** `.gitignore` files that could not be used, and why in a few words. */
  unusable: Map<string, string>
}

interface World {
  cwd: string
  signal: AbortSignal
  inheritance: Inheritance
  unreadable: Map<string, string>
  onUnusable(path: string, reason: string): void
}

/** Where and how deep to look, and what for. */
interface Search {
  directory: string
  depth: number
  /** Whether a path below the directory is wanted; undefined when every path is. */
  matches: Matches | undefined
}

async function kindOf(path: string): Promise<'file' | 'directory' | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (stats?.isFile()) return 'file'
  return stats?.isDirectory() ? 'directory' : undefined
}

function shownPath(cwd: string, path: string): string {
  return relative(cwd, path).split(sep).join('/')
}

function isSkipped(shown: string): boolean {
  return shown.split('/').some((name) => SKIPPED.includes(name))
}

async function searchFiles(search: Search, world: World): Promise<string[]> {
  const { directory, depth } = search
  const shown = shownPath(world.cwd, directory)
  if (isSkipped(shown) || (await kindOf(directory)) !== 'directory') return []
  const rules = await world.inheritance.above(directory)
  if (!rules) return []
  const prefix = shown && `${shown}/`
  const files: string[] = []
  await walkFiles(
    { directory, path: '', rules, depth },
    {
      signal: world.signal,
      onFile: (path) => files.push(path),
      onUnreadable: (path, error) =>
        world.unreadable.set(`${prefix}${path}` || '.', fileReason(error)),
      onUnusable: world.onUnusable,
    },
  )
  const wanted = search.matches ? await filter(files, search.matches, world.signal) : files
  // A path that leads up may come back into the working directory.
  const isAbove = shown.startsWith('..')
  return wanted.map((path) =>
    isAbove ? shownPath(world.cwd, join(directory, path)) : prefix + path,
  )
}

// How many paths a glob is matched with at a time, and how long that may take.
const PATHS = 1_000
const LIMIT_MS = 1_000

/** The paths that match; a glob can be made to take exponential time. */
async function filter(
  paths: readonly string[],
  matches: Matches,
  signal: AbortSignal,
): Promise<string[]> {
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

async function isWanted(path: string, { cwd, inheritance }: World): Promise<boolean> {
  if (isSkipped(shownPath(cwd, path))) return false
  const rules = await inheritance.inside(dirname(path))
  return rules !== undefined && !isIgnored(rules, basename(path), false)
}

/** The files that a glob matches; undefined when it matches nothing. */
async function filesOf(glob: string, world: World): Promise<string[] | undefined> {
  const path = resolve(world.cwd, glob)
  const kind = await kindOf(path)
  // A shell may have expanded its glob: ignored files among the result are not a mistake.
  if (kind === 'file') return (await isWanted(path, world)) ? [shownPath(world.cwd, path)] : []
  const everything = { directory: path, depth: Number.POSITIVE_INFINITY, matches: undefined }
  const search = kind === 'directory' ? everything : patternOf(glob, world.cwd)
  const files = await searchFiles(search, world)
  return files.length > 0 ? files : undefined
}

/**
 * The files that globs match, without those that `.gitignore` files or `node_modules` hide. A glob
 * that begins with `!` excludes files, in any position; a directory stands for everything in it.
 * @throws a `usage` error for a glob that cannot be matched
 */
export async function selectFiles(
  globs: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<Selection> {
  const [unreadable, unusable] = [new Map<string, string>(), new Map<string, string>()]
  const onUnusable = (path: string, reason: string) =>
    void unusable.set(shownPath(cwd, path), reason)
  const inheritance = createInheritance(cwd, onUnusable)
  const world = { cwd, signal, unreadable, onUnusable, inheritance }
  const wanted = globs.filter((glob) => !glob.startsWith('!'))
  const found = await Promise.all(wanted.map((glob) => filesOf(glob, world)))
  let files = [...new Set(found.flatMap((paths) => paths ?? []))]
  for (const glob of globs.filter((one) => one.startsWith('!') && one !== '!')) {
    files = await filter(files, createExclusion(glob, cwd), signal)
  }
  return {
    files: files.sort(),
    unmatched: wanted.filter((_, index) => !found[index]),
    unreadable,
    unusable,
  }
}
