import { stat } from 'node:fs/promises'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import picomatch from 'picomatch'
import { createInheritance, type Inheritance, isFileIgnored } from './gitignore.ts'
import { SKIPPED, walkFiles } from './walk.ts'

/** What globs select. Paths are seen from the working directory, with `/`. */
export interface Selection {
  /** In the order of their code units. */
  files: string[]
  /** Globs that name nothing. */
  unmatched: string[]
  /** Directories that could not be read. */
  unreadable: Map<string, unknown>
}

interface World {
  cwd: string
  signal: AbortSignal
  inheritance: Inheritance
  unreadable: Map<string, unknown>
}

/** Where, how deep and for what to look. */
interface Search {
  directory: string
  depth: number
  /** Of a path under the directory. */
  matches(path: string): boolean
}

const options = { dot: true }

function isNegative(glob: string): boolean {
  return glob.startsWith('!')
}

async function kindOf(path: string): Promise<'file' | 'directory' | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (stats?.isFile()) return 'file'
  return stats?.isDirectory() ? 'directory' : undefined
}

// A separator in the pattern stands for one in the path, but for `**` and groups that repeat.
function depthOf(pattern: string): number {
  return /\*\*|[*+]\(/.test(pattern) ? Number.POSITIVE_INFINITY : pattern.split('/').length - 1
}

function searchOf(glob: string, cwd: string): Search {
  const { base, glob: pattern } = picomatch.scan(glob)
  const directory = resolve(cwd, base.replace(/\\(.)/g, '$1'))
  return { directory, depth: depthOf(pattern), matches: picomatch(pattern || '**', options) }
}

function shownPath(cwd: string, path: string): string {
  return relative(cwd, path).split(sep).join('/')
}

function isSkipped(shown: string): boolean {
  return shown.split('/').some((name) => SKIPPED.includes(name))
}

async function searchFiles(search: Search, world: World): Promise<string[]> {
  const { directory, depth, matches } = search
  const shown = shownPath(world.cwd, directory)
  if (isSkipped(shown) || (await kindOf(directory)) !== 'directory') return []
  const rules = await world.inheritance.above(directory)
  if (!rules) return []
  const prefix = shown && `${shown}/`
  const files: string[] = []
  const onFile = (path: string) => files.push(prefix + path)
  const onUnreadable = (path: string, error: unknown) =>
    world.unreadable.set(`${prefix}${path}` || '.', error)
  await walkFiles(
    { directory, path: '', rules, depth },
    { signal: world.signal, matches, onFile, onUnreadable },
  )
  return files
}

async function isWanted(path: string, { cwd, inheritance }: World): Promise<boolean> {
  if (isSkipped(shownPath(cwd, path))) return false
  const rules = await inheritance.inside(dirname(path))
  return rules !== undefined && !isFileIgnored(rules, basename(path))
}

/** The files that a glob names; undefined when it names nothing. */
async function filesOf(glob: string, world: World): Promise<string[] | undefined> {
  const path = resolve(world.cwd, glob)
  const kind = await kindOf(path)
  // A shell may have spelled out its glob: among those files the ignored ones are no mistake.
  if (kind === 'file') return (await isWanted(path, world)) ? [shownPath(world.cwd, path)] : []
  const everything = { directory: path, depth: Number.POSITIVE_INFINITY, matches: () => true }
  const search = kind === 'directory' ? everything : searchOf(glob, world.cwd)
  const files = await searchFiles(search, world)
  return files.length > 0 ? files : undefined
}

/**
 * The files that globs name, without those that `.gitignore` files or `node_modules` hide. A glob
 * that begins with `!` takes files away again; a directory stands for everything in it.
 */
export async function selectFiles(
  globs: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<Selection> {
  const unreadable = new Map<string, unknown>()
  const world = { cwd, signal, unreadable, inheritance: createInheritance(cwd) }
  const taken = globs.filter(isNegative).map((glob) => glob.slice(1).replace(/\/$/, ''))
  const patterns = taken.filter(Boolean).flatMap((glob) => [glob, `${glob}/**`])
  const isTaken = picomatch(patterns, options)
  const wanted = globs.filter((glob) => !isNegative(glob))
  const found = await Promise.all(wanted.map((glob) => filesOf(glob, world)))
  const files = new Set(found.flatMap((paths) => paths ?? []))
  return {
    files: [...files].filter((path) => !isTaken(path)).sort(),
    unmatched: wanted.filter((_, index) => !found[index]),
    unreadable,
  }
}
