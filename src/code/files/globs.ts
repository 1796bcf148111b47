import { existsSync } from 'node:fs'
import picomatch from 'picomatch'
import { FlagadmError } from '../../errors.ts'
import { join, relativePath, resolve, withSlashes } from '../../paths.ts'
import { timed } from '../../timed.ts'

/** A path or a glob of `--scan`. */
export interface Glob {
  glob: string
  /** The folder before the first wildcard, or the path itself. Absolute. */
  base: string
  /** Tests a path below the base; undefined if everything below it matches. */
  test: ((path: string) => boolean) | undefined
}

const IGNORES_CASE = ['darwin', 'win32'].includes(process.platform)

// Compiling takes cubic time; this is longer than globs that people write.
const MAX_GLOB = 500
// Each level of a path is looked at.
const MAX_PATH = 4_096

function invalidGlob(glob: string, cause?: unknown): FlagadmError {
  return new FlagadmError('usage', `--scan ${glob.slice(0, 100)}: not a valid glob`, {
    hint: 'use a shorter glob',
    cause,
  })
}

function compile(glob: string, pattern: string): (path: string) => boolean {
  if (pattern.length > MAX_GLOB) throw invalidGlob(glob)
  try {
    return picomatch(pattern, { dot: true, nocase: IGNORES_CASE })
  } catch (cause) {
    throw invalidGlob(glob, cause)
  }
}

/** Splits a glob; folders such as `(shop)` are not groups, unlike `@(a|b)`. */
function split(glob: string, cwd: string): { base: string; pattern: string } {
  const literal = glob.replace(/(?<![@*+?!\\])\(([^()|]*)\)/g, '\\($1\\)')
  const { base, glob: pattern } = picomatch.scan(literal)
  return { base: resolve(cwd, base.replace(/\\(.)/g, '$1')), pattern }
}

/** @param glob on Windows, backslashes separate folders, as `/` does; elsewhere, they are escapes */
function parseGlob(glob: string, cwd: string): Glob {
  if (glob.length > MAX_PATH) throw invalidGlob(glob)
  const path = resolve(cwd, glob)
  if (existsSync(path)) return { glob, base: path, test: undefined }
  const { base, pattern } = split(withSlashes(glob), cwd)
  return { glob, base, test: pattern === '' ? undefined : compile(glob, pattern) }
}

/**
 * A test of paths from the working directory that a glob beginning with `!` does not exclude. The glob may be
 * absolute or relative; one that begins with `**` also applies outside the working directory.
 */
function exclusion(glob: string, cwd: string): (path: string) => boolean {
  const body = withSlashes(glob.slice(1)).replace(/(?<=.)\/$/, '')
  const path = resolve(cwd, body)
  const { base, pattern } = existsSync(path) ? { base: path, pattern: '' } : split(body, cwd)
  const shown = relativePath(base, cwd).replace(/[\\*?[\]{}()!+@|]/g, '\\$&')
  const whole = [shown, pattern].filter(Boolean).join('/') || '**'
  const [itself, content] = [compile(glob, whole), compile(glob, `${whole}/**`)]
  const isAnywhere = body.startsWith('**')
  return (file) => {
    const tested = isAnywhere ? file.replace(/^(?:\.\.\/)+/, '') : file
    return !itself(tested) && !content(tested)
  }
}

// How many paths to match at a time, and the time limit for that, because some globs take exponential time.
const PATHS = 1_000
const LIMIT_MS = 1_000

/** The items whose path passes a test. */
function matching<Item>(
  items: readonly Item[],
  pathOf: (item: Item) => string,
  test: (path: string) => boolean,
  glob: string,
): Item[] {
  const matched: Item[] = []
  for (let start = 0; start < items.length; start += PATHS) {
    const batch = items.slice(start, start + PATHS)
    const some = timed(LIMIT_MS, () => batch.filter((item) => test(pathOf(item))))
    if (!some) {
      const what = `--scan ${glob}: takes more than ${LIMIT_MS / 1000} s to match`
      throw new FlagadmError('usage', what, { hint: 'use fewer wildcards' })
    }
    for (const item of some) matched.push(item)
  }
  return matched
}

/**
 * The items below the base of a glob that it matches.
 * @param pathOf the path below the base; empty for the base itself
 */
export function matchGlob<Item>(
  { glob, test }: Glob,
  items: readonly Item[],
  pathOf: (item: Item) => string,
): readonly Item[] {
  return test ? matching(items, pathOf, test, glob) : items
}

/** The items that no glob beginning with `!` excludes. */
export function withoutExcluded<Item extends { file: string }>(
  globs: readonly string[],
  items: readonly Item[],
  cwd: string,
): readonly Item[] {
  return globs
    .filter((glob) => glob.startsWith('!') && glob !== '!')
    .reduce(
      (remaining, glob) => matching(remaining, ({ file }) => file, exclusion(glob, cwd), glob),
      items,
    )
}

/** The globs that do not begin with `!`. */
export function wantedGlobs(globs: readonly string[], cwd: string): Glob[] {
  return globs.filter((glob) => !glob.startsWith('!')).map((glob) => parseGlob(glob, cwd))
}

/** A function from paths below the base of a glob to those that are shown: from the working directory, with `/`. */
export function shownPaths(base: string, cwd: string): (inside: string) => string {
  const folder = relativePath(base, cwd)
  // A path through a parent directory may lead back into the working directory.
  const isAbove = folder.startsWith('..')
  return (inside) => {
    if (inside === '') return folder
    if (isAbove) return relativePath(join(base, inside), cwd)
    return folder === '' ? inside : `${folder}/${inside}`
  }
}
