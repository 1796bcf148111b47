import { existsSync } from 'node:fs'
import picomatch from 'picomatch'
import { FlagadmError } from '../errors.ts'
import { ignoresCase, relativePath, resolve, withSlashes } from '../paths.ts'

/** A test of paths, and the glob that it comes from, for errors. */
export interface Matches {
  glob: string
  test(path: string): boolean
}

/** A glob as a directory without wildcards and a pattern for what is in it. */
interface Pattern {
  directory: string
  /** How many levels of directories below it can match. */
  depth: number
  matches: Matches
}

function compile(glob: string, pattern: string, cwd: string): Matches {
  try {
    const isMatch = picomatch(pattern, { dot: true, nocase: ignoresCase(cwd) })
    return { glob, test: (path) => isMatch(path) }
  } catch (cause) {
    throw new FlagadmError('usage', `--scan ${glob.slice(0, 100)}: not a valid glob`, {
      hint: 'use a shorter glob',
      cause,
    })
  }
}

// A separator in the pattern matches one in the path, except in `**` and in groups that repeat.
function depthOf(pattern: string): number {
  return /\*\*|[*+]\(/.test(pattern) ? Number.POSITIVE_INFINITY : pattern.split('/').length - 1
}

// An escape; a class; the beginning of an extended glob.
const MARKS = /\\[^]|\[[^[\]/]*\]|[@*+?]\((?!\?)|!\((?!\?[!=<:])|[()|]/g

/** Escapes parentheses, except those of extended globs such as `@(a|b)`, and of `(a|b)`. */
function withLiteralParentheses(glob: string): string {
  const literal = new Set<number>()
  const open: { at: number; isGroup: boolean }[] = []
  for (const { 0: mark, index } of glob.matchAll(MARKS)) {
    const at = index + mark.length - 1
    const last = open.at(-1)
    if (/^[\\[]/.test(mark)) continue
    if (mark === ')') {
      open.pop()
      if (!last?.isGroup) literal.add(at).add(last?.at ?? at)
    } else if (mark === '|') {
      if (last) last.isGroup = true
    } else {
      open.push({ at, isGroup: mark !== '(' })
    }
  }
  for (const { at, isGroup } of open) if (!isGroup) literal.add(at)
  return glob.replace(/[()]/g, (mark, at: number) => (literal.has(at) ? `\\${mark}` : mark))
}

/** The directory before the first wildcard, and the pattern for what is in it. */
function splitGlob(glob: string, cwd: string): { directory: string; pattern: string } {
  const { base, glob: pattern } = picomatch.scan(withLiteralParentheses(glob))
  return { directory: resolve(cwd, base.replace(/\\(.)/g, '$1')), pattern }
}

/** @param glob on Windows, backslashes separate folders, as `/` does; elsewhere, they are escapes */
export function patternOf(glob: string, cwd: string): Pattern {
  const { directory, pattern } = splitGlob(withSlashes(glob), cwd)
  return { directory, depth: depthOf(pattern), matches: compile(glob, pattern || '**', cwd) }
}

function literally(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@|]/g, '\\$&')
}

/**
 * A test of paths that a glob beginning with `!` does not exclude. The glob may be absolute or
 * relative; one that begins with `**` also applies outside the working directory.
 */
export function createExclusion(glob: string, cwd: string): Matches {
  const body = withSlashes(glob.slice(1)).replace(/(?<=.)\/$/, '')
  const path = resolve(cwd, body)
  const { directory, pattern } = existsSync(path)
    ? { directory: path, pattern: '' }
    : splitGlob(body, cwd)
  const shown = literally(relativePath(directory, cwd))
  const whole = [shown, pattern].filter(Boolean).join('/') || '**'
  const [itself, content] = [compile(glob, whole, cwd), compile(glob, `${whole}/**`, cwd)]
  const isAnywhere = body.startsWith('**')
  return {
    glob,
    test(file) {
      const tested = isAnywhere ? file.replace(/^(?:\.\.\/)+/, '') : file
      return !itself.test(tested) && !content.test(tested)
    },
  }
}
