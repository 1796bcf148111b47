import { closeSync, constants, openSync, readSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { setImmediate as otherWork } from 'node:timers/promises'
import { fileReason, interrupted, systemCode } from '../errors.ts'
import { type FoundName, findFlagCalls, locateNames, type Position } from './calls.ts'
import { selectFiles } from './globs.ts'
import { createMatcher, type Matcher } from './match.ts'

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
  /** How many files were selected. */
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

interface ScanOptions {
  cwd: string
  signal: AbortSignal
  /** Custom patterns that `checkMatch` accepts. */
  patterns?: readonly string[]
}

type FileScan = Pick<Scan, 'uses' | 'unresolved'>

// Larger files are generated.
export const MAX_FILE_BYTES = 1024 * 1024
const BINARY_PROBE = 8 * 1024

// How many files to read between checks for an interrupt.
const SLICE = 64

/**
 * The text of a file; undefined if it is binary.
 * @param length how many of the bytes are those of the file
 */
export function textIn(bytes: Buffer, length = bytes.length): string | undefined {
  if (bytes.subarray(0, Math.min(length, BINARY_PROBE)).includes(0)) return undefined
  const text = bytes.toString('utf8', 0, length)
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Reads a text file; undefined for a binary or large one. */
function readText(path: string, buffer: Buffer): string | undefined {
  // A pipe that replaced the file must not block.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const length = readSync(file, buffer, 0, buffer.length, 0)
    return length > MAX_FILE_BYTES ? undefined : textIn(buffer, length)
  } finally {
    closeSync(file)
  }
}

/** Copies a part of a text, since a slice would keep the whole text in memory. */
function ownCopy(part: string): string {
  // V8 copies what it joins before it takes a slice of it.
  return ` ${part}`.slice(1)
}

/** Finds the flag names in source text. */
export async function scanText(file: string, text: string, matcher?: Matcher): Promise<FileScan> {
  const matching = matcher?.match(text, file)
  const { names, unresolved } = findFlagCalls(text, file)
  const all = matching ? locateNames(text, [...names, ...(await matching)]) : names
  return {
    uses: all.map(({ name, offset, line, column }) => {
      return { name: ownCopy(name), offset, file, line, column }
    }),
    unresolved: unresolved.map((position) => ({ ...position, file })),
  }
}

/**
 * Scans text files, in order. Synchronous reads take a fifth of the time of asynchronous
 * ones when the system has cached the files, and no longer when it has not.
 */
async function scanTexts(
  files: readonly string[],
  { cwd, signal, patterns = [] }: ScanOptions,
  unreadable: Map<string, string>,
): Promise<FileScan[]> {
  const matcher = patterns.length > 0 ? createMatcher(patterns, signal) : undefined
  const buffer = Buffer.allocUnsafeSlow(MAX_FILE_BYTES + 1)
  const textOf = (file: string) => {
    try {
      // Faster than resolve() for many short paths.
      return readText(isAbsolute(file) ? file : `${cwd}/${file}`, buffer)
    } catch (error) {
      if (systemCode(error) === undefined) throw error
      unreadable.set(file, fileReason(error))
      return undefined
    }
  }
  const scanFile = (file: string) => {
    const text = textOf(file)
    return text === undefined ? [] : [scanText(file, text, matcher)]
  }
  const scans: FileScan[] = []
  try {
    for (let start = 0; start < files.length && !signal.aborted; start += SLICE) {
      const slice = files.slice(start, start + SLICE)
      scans.push(...(await Promise.all(slice.flatMap(scanFile))))
      await otherWork()
    }
  } finally {
    await matcher?.close()
  }
  return scans
}

function listOf(reasons: ReadonlyMap<string, string>): Problem[] {
  return [...reasons]
    .map(([path, reason]) => ({ path, reason }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * Finds the flag names in the source files that globs match; a directory matches everything in it.
 * Files that `.gitignore` hides, `node_modules`, symbolic links, binary files (with a NUL byte in the
 * first 8 KiB) and files over 1 MiB are skipped.
 * @throws `interrupted` when the signal aborts, a `usage` error when a glob or a pattern takes too long
 */
export async function scanFiles(globs: readonly string[], options: ScanOptions): Promise<Scan> {
  const { cwd, signal } = options
  const { files, unmatched, unreadable, unusable } = await selectFiles(globs, cwd, signal)
  const scans = await scanTexts(files, options, unreadable)
  if (signal.aborted) throw interrupted()
  return {
    uses: scans.flatMap(({ uses }) => uses),
    unresolved: scans.flatMap(({ unresolved }) => unresolved),
    files: files.length,
    unmatched,
    unusable: listOf(unusable),
    unreadable: listOf(unreadable),
  }
}
