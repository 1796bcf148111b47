import { isUtf8 } from 'node:buffer'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { fileReason, interrupted, systemCode } from '../errors.ts'
import { byCodeUnit } from '../output/order.ts'
import { selectFiles } from './globs.ts'
import { hasCode } from './lexer/languages.ts'
import { createMatcher } from './match.ts'
import type { ScanResult } from './result.ts'
import type { Guess } from './guesses.ts'
import { createPause } from './pause.ts'
import { createScanner, type ScanConfiguration } from './references.ts'

/** Why a file is not scanned. */
type SkipReason =
  | 'too large'
  | 'too many lookups'
  | 'not UTF-8'
  | 'ignored'
  | 'link'
  | 'binary'
  | 'unreadable'

export interface SkippedFile {
  /** From the working directory, with `/`; ends in `/` for a directory. */
  file: string
  reason: SkipReason
}

/** Where flags are in source files. */
export interface References extends ScanResult {
  /** In the order of the paths. */
  skipped: SkippedFile[]
  /** How many files were scanned. */
  files: number
  /** Functions and types that could be added, if they were asked for. */
  guesses: Guess[]
}

export interface Scan extends References {
  /** Globs that match no file. */
  unmatched: string[]
  /** Files and directories that could not be read, and why in a few words. In the order of the paths. */
  unreadable: ReadonlyMap<string, string>
  /** The same for `.gitignore` files that could not be used. */
  unusable: ReadonlyMap<string, string>
}

export interface FileScanOptions extends ScanConfiguration {
  cwd: string
  signal: AbortSignal
}

// Larger files are generated.
export const MAX_FILE_BYTES = 1024 * 1024
const BINARY_PROBE = 8 * 1024

/** The bytes of the text in a file, or why it is skipped. */
export type Content = { bytes: Buffer } | { reason: SkipReason }

/** The content of a file; a file over the limit is skipped. */
export function contentOf(bytes: Buffer, length = bytes.length): Content {
  if (length > MAX_FILE_BYTES) return { reason: 'too large' }
  const mark = bytes.toString('latin1', 0, Math.min(length, 3))
  // UTF-16
  if (/^(?:\xff\xfe|\xfe\xff)/.test(mark)) return { reason: 'not UTF-8' }
  if (bytes.subarray(0, Math.min(length, BINARY_PROBE)).includes(0)) return { reason: 'binary' }
  const text = bytes.subarray(mark === '\xef\xbb\xbf' ? 3 : 0, length)
  return isUtf8(text) ? { bytes: text } : { reason: 'not UTF-8' }
}

/** Reads a file into a buffer. */
function readContent(path: string, buffer: Buffer): Content {
  // A pipe that replaced the file must not block.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return contentOf(buffer, readSync(file, buffer, 0, buffer.length, 0))
  } finally {
    closeSync(file)
  }
}

/** Reads the contents of some files, in order. A content is valid until the next one. */
type Read = (
  files: readonly string[],
) => AsyncIterable<Content | undefined> | Iterable<Content | undefined>

/**
 * Finds the flags in files.
 * @param files in the order of code units
 * @throws `interrupted` when the signal aborts, a `usage` error when a pattern takes too long
 */
export async function findReferences(
  files: readonly string[],
  read: Read,
  { signal, patterns = [], ...configuration }: Omit<FileScanOptions, 'cwd'>,
): Promise<References> {
  const matcher = patterns.length > 0 ? createMatcher(patterns, signal) : undefined
  const scanner = createScanner(configuration)
  const skipped: SkippedFile[] = []
  const scanned: string[] = []
  const pause = createPause(signal)
  const forEach = async (
    paths: readonly string[],
    visit: (file: string, text: string) => Promise<void> | void,
  ) => {
    let at = 0
    for await (const content of read(paths)) {
      const file = paths[at++] ?? ''
      if (content && 'bytes' in content) await visit(file, content.bytes.toString('utf8'))
      else if (content) skipped.push({ file, reason: content.reason })
      await pause()
    }
    if (signal.aborted) throw interrupted()
  }
  try {
    await forEach(files, async (file, text) => {
      scanned.push(file)
      scanner.add(file, text, matcher ? await matcher.match(text, file) : [])
    })
  } finally {
    await matcher?.close()
  }
  const { incomplete, ...found } = await scanner.finish((onText) => forEach(scanned, onText))
  for (const file of incomplete) skipped.push({ file, reason: 'too many lookups' })
  return { ...found, skipped, files: scanned.length }
}

/** Whether a skipped file may have lookups: it was to be scanned, but could not be read. */
export function isUnread({ file, reason }: SkippedFile): boolean {
  if (reason === 'ignored' || reason === 'link') return false
  return reason === 'unreadable' || hasCode(file)
}

function inOrder(reasons: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...reasons].sort(([a], [b]) => byCodeUnit(a, b)))
}

/**
 * Reads files of the working tree, into the same memory. Synchronous reads take a fifth of the time
 * of asynchronous ones when the system has cached the files, and no longer when it has not.
 */
function* readFiles(
  paths: readonly string[],
  cwd: string,
  unreadable: Map<string, string>,
): Generator<Content | undefined> {
  const buffer = Buffer.allocUnsafeSlow(MAX_FILE_BYTES + 1)
  for (const path of paths) {
    try {
      // Faster than resolve() for many short paths.
      yield readContent(isAbsolute(path) ? path : `${cwd}/${path}`, buffer)
    } catch (error) {
      if (systemCode(error) === undefined) throw error
      unreadable.set(path, fileReason(error))
      yield undefined
    }
  }
}

/**
 * Finds the flags in the source files that globs match; a directory matches everything in it.
 * Files that `.gitignore` hides, `node_modules`, documentation, symbolic links, binary files (with a
 * NUL byte in the first 8 KiB), files that are not UTF-8 and files over 1 MiB are skipped.
 * @throws `interrupted` when the signal aborts, a `usage` error when a glob or a pattern takes too long
 */
export async function scanFiles(globs: readonly string[], options: FileScanOptions): Promise<Scan> {
  const { cwd, signal } = options
  const { files, unmatched, unreadable, unusable, skipped } = await selectFiles(globs, cwd, signal)
  const read = (paths: readonly string[]) => readFiles(paths, cwd, unreadable)
  const found = await findReferences(files, read, options)
  const all = [...found.skipped, ...skipped]
  return {
    ...found,
    files: files.length,
    skipped: all.sort((a, b) => byCodeUnit(a.file, b.file)),
    unmatched,
    unusable: inOrder(unusable),
    unreadable: inOrder(unreadable),
  }
}
