import { FlagadmError } from '../errors.ts'
import { fileReason } from '../system.ts'
import { type FoundName, findFlagNames } from './calls.ts'
import { selectFiles } from './globs.ts'
import { type Reader, readTexts } from './read.ts'

/** A flag name where source code uses it. */
export interface FlagUse extends FoundName {
  /** From the working directory, with `/`. */
  file: string
}

export interface Scan {
  /** In the order of the files' paths (code units), then of the text. */
  uses: FlagUse[]
  /** How many files were looked at. */
  files: number
  /** Globs that name no file. */
  unmatched: string[]
  /** Files and directories that could not be read, and why in a few words. */
  unreadable: { path: string; reason: string }[]
}

export interface ScanOptions {
  cwd: string
  signal: AbortSignal
  /** Own patterns, made by `compileMatch`. */
  patterns?: readonly RegExp[]
}

// A part of a string keeps the whole of it in memory.
function ownCopy(text: string): string {
  return Buffer.from(text).toString()
}

function usesIn(file: string, text: string, patterns?: readonly RegExp[]): FlagUse[] {
  return findFlagNames(text, patterns).map((found) => ({
    ...found,
    name: ownCopy(found.name),
    file,
  }))
}

/**
 * Finds the flag names in the source files that globs name; a directory stands for everything in it.
 * What `.gitignore` files hide, `node_modules`, symbolic links, binary files and files over 1 MiB are
 * passed over.
 * @throws an `interrupted` error when the signal aborts
 */
export async function scanFiles(globs: readonly string[], options: ScanOptions): Promise<Scan> {
  const { cwd, signal, patterns } = options
  const { files, unmatched, unreadable } = await selectFiles(globs, cwd, signal)
  const uses = new Map<string, FlagUse[]>()
  const reader: Reader = {
    signal,
    onText: (file, text) => uses.set(file, usesIn(file, text, patterns)),
    onUnreadable: (file, error) => unreadable.set(file, error),
  }
  await readTexts(files, { cwd }, reader)
  if (signal.aborted) throw new FlagadmError('interrupted', 'interrupted')
  return {
    uses: files.flatMap((file) => uses.get(file) ?? []),
    files: files.length,
    unmatched,
    unreadable: [...unreadable]
      .map(([path, error]) => ({ path, reason: fileReason(error) }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}
