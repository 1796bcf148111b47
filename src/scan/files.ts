import { fileReason, interrupted } from '../errors.ts'
import { type FoundName, findFlagCalls, locateNames, type Position } from './calls.ts'
import { selectFiles } from './globs.ts'
import { createMatcher, type Matcher } from './matcher.ts'
import { type Reader, readTexts } from './read.ts'

/** A place in source code. */
export interface FilePlace extends Position {
  /** From the working directory, with `/`. */
  file: string
}

/** A flag name where source code uses it. */
export interface FlagUse extends FoundName, FilePlace {}

export interface Scan {
  /** In the order of the files' paths (code units), then of the text. */
  uses: FlagUse[]
  /** Calls whose flag name is an expression, in the same order. */
  unresolved: FilePlace[]
  /** How many files were read. */
  files: number
  /** Globs that match no file. */
  unmatched: string[]
  /** Files and directories that could not be read. */
  unreadable: Problem[]
  /** `.gitignore` files that could not be used. */
  unusable: Problem[]
}

/** What is wrong with a path, in a few words. */
interface Problem {
  path: string
  reason: string
}

export interface ScanOptions {
  cwd: string
  signal: AbortSignal
  /** Own patterns that `checkMatch` accepts. */
  patterns?: readonly string[]
}

interface FileScan {
  uses: FlagUse[]
  unresolved: FilePlace[]
}

function listOf(reasons: ReadonlyMap<string, string>): Problem[] {
  return [...reasons]
    .map(([path, reason]) => ({ path, reason }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

// A part of a string keeps the whole of it in memory.
function ownCopy(text: string): string {
  return Buffer.from(text).toString()
}

async function scanText(file: string, text: string, matcher?: Matcher): Promise<FileScan> {
  const matching = matcher?.match(text, file)
  const { names, unresolved } = findFlagCalls(text, file)
  const all = matching ? locateNames(text, [...names, ...(await matching)]) : names
  return {
    uses: all.map((found) => ({ ...found, name: ownCopy(found.name), file })),
    unresolved: unresolved.map((position) => ({ ...position, file })),
  }
}

async function scanTexts(
  files: readonly string[],
  { cwd, signal, patterns = [] }: ScanOptions,
  onUnreadable: Reader['onUnreadable'],
): Promise<Map<string, FileScan>> {
  const scans = new Map<string, FileScan>()
  const matcher = patterns.length > 0 ? createMatcher(patterns, signal) : undefined
  const onText = async (file: string, text: string) => {
    scans.set(file, await scanText(file, text, matcher))
  }
  try {
    await readTexts(files, { cwd }, { signal, onText, onUnreadable })
  } finally {
    await matcher?.close()
  }
  return scans
}

/**
 * Finds the flag names in the source files that globs match; a directory stands for everything in it.
 * Files that `.gitignore` hides, `node_modules`, symbolic links, binary files and files over 1 MiB are
 * skipped.
 * @throws `interrupted` when the signal aborts, a `usage` error when a glob or a pattern takes too long
 */
export async function scanFiles(globs: readonly string[], options: ScanOptions): Promise<Scan> {
  const { cwd, signal } = options
  const { files, unmatched, unreadable, unusable } = await selectFiles(globs, cwd, signal)
  const onUnreadable = (file: string, error: unknown) => {
    unreadable.set(file, fileReason(error))
  }
  const found = await scanTexts(files, options, onUnreadable)
  if (signal.aborted) throw interrupted()
  const scans = files.flatMap((file) => found.get(file) ?? [])
  return {
    uses: scans.flatMap(({ uses }) => uses),
    unresolved: scans.flatMap((scan) => scan.unresolved),
    files: files.length,
    unmatched,
    unusable: listOf(unusable),
    unreadable: listOf(unreadable),
  }
}
