import { isUtf8 } from 'node:buffer'
import {
  byFile,
  readFile,
  type Selection,
  selectFiles,
  type SelectionOptions,
  type SourceFile,
  type UnreadFile,
} from '../files.ts'
import { readContents } from '../git.ts'
import { isDocumentation } from '../lexer/file-names.ts'
import { hasCode } from '../lexer/languages.ts'
import { createMatcher } from '../match.ts'
import { createPause } from '../pause.ts'
import { type RevisionFile, selectRevision } from '../revision.ts'
import type { ScanResult } from './result.ts'
import { createScanner } from './scanner.ts'

/** The flags that the code looks up. */
export interface FoundLookups extends ScanResult, Omit<Selection, 'files'> {
  /** How many files were scanned. */
  files: number
  /** Files with lookups of other flag systems, which are left out. */
  otherSystems: readonly string[]
}

export interface LookupOptions extends SelectionOptions {
  /** Functions that take the name of a flag: `name`, `object.name`, `name:2`, `name:key`; objects of flags: `name.*`. */
  calls?: readonly string[]
  /** Custom patterns that `checkMatch` accepts. */
  patterns?: readonly string[]
}

// Larger files are generated.
const MAX_BYTES = 1024 * 1024

/** The text of a file in its encoding. */
function textOf(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 3)
  if (mark.startsWith('\xff\xfe')) return bytes.toString('utf16le', 2)
  if (mark.startsWith('\xfe\xff')) {
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le')
  }
  const start = mark === '\xef\xbb\xbf' ? 3 : 0
  return isUtf8(bytes) ? bytes.toString('utf8', start) : bytes.toString('latin1')
}

/** Whether the functions of a text have names that mean nothing, because a program has shortened it. */
function isMinified(text: string): boolean {
  return text.length > 20_000 && text.length > 1_000 * text.split('\n').length
}

/** The content of a file; undefined for one that is too large. */
type Visit = (file: string, bytes: Buffer | undefined) => Promise<void>
/** Reads files in order. The bytes are valid until the next one. */
type ReadAll<File> = (files: readonly File[], visit: Visit) => Promise<void>

async function findLookups<File extends { file: string }>(
  { files, ...selection }: Omit<Selection, 'files'> & { files: readonly File[] },
  readAll: ReadAll<File>,
  unread: UnreadFile[],
  globs: readonly string[],
  { signal, calls = [], patterns = [] }: LookupOptions,
): Promise<FoundLookups> {
  const matcher = patterns.length > 0 ? createMatcher(patterns, signal) : undefined
  const scanner = createScanner(calls)
  const scanned: File[] = []
  const byName = new Map(files.map((one) => [one.file, one]))
  // The code in documentation is an example.
  const isAsked = globs.some(isDocumentation)
  const sources = isAsked ? files : files.filter(({ file }) => !isDocumentation(file))
  try {
    await readAll(sources, async (file, bytes) => {
      const source = byName.get(file)
      if (source === undefined) return
      if (!bytes) {
        if (hasCode(file)) unread.push({ file, reason: 'larger than 1 MiB' })
        return
      }
      const text = textOf(bytes)
      if (isMinified(text) && hasCode(file)) {
        unread.push({ file, reason: 'minified' })
        return
      }
      scanned.push(source)
      scanner.add(file, text, matcher ? await matcher.match(text, file) : [])
    })
  } finally {
    await matcher?.close()
  }
  const { incomplete, ...found } = await scanner.finish((onText) =>
    readAll(scanned, async (file, bytes) => {
      if (bytes) onText(file, textOf(bytes))
    }),
  )
  for (const file of incomplete) unread.push({ file, reason: 'too many lookups' })
  return { ...selection, ...found, unread: unread.sort(byFile), files: sources.length }
}

/**
 * Finds the flags that calls of the SDKs look up in the files that paths and globs select, except for
 * documentation, unless a glob ends as one of documentation.
 * @throws `interrupted` when the signal aborts, a `usage` error when a glob or a pattern takes too long, and if git
 * is missing or refuses
 */
export async function findLookupsInFiles(
  globs: readonly string[],
  options: LookupOptions,
): Promise<FoundLookups> {
  const selection = await selectFiles(globs, options)
  const unread = new Map(selection.unread.map((one) => [one.file, one.reason]))
  const buffer = Buffer.allocUnsafeSlow(MAX_BYTES + 1)
  const pause = createPause(options.signal)
  const readAll: ReadAll<SourceFile> = async (files, visit) => {
    for (const source of files) {
      const reason = await readFile(source, async (read) => {
        let length = 0
        for (;;) {
          const count = read(buffer, length, buffer.length)
          length += count
          if (count === 0 || length === buffer.length) break
        }
        await visit(source.file, length > MAX_BYTES ? undefined : buffer.subarray(0, length))
        return undefined
      })
      if (reason !== undefined) unread.set(source.file, reason)
      await pause()
    }
  }
  const list: UnreadFile[] = []
  const found = await findLookups(selection, readAll, list, globs, options)
  for (const { file, reason } of list) unread.set(file, reason)
  return {
    ...found,
    unread: Array.from(unread, ([file, reason]) => ({ file, reason })).sort(byFile),
  }
}

/**
 * Finds lookups as `findLookupsInFiles` does, in the merge base of a revision and the checked-out branch.
 * @throws also a `usage` error outside a repository, for an unknown revision, and without a common commit
 */
export async function findLookupsInRevision(
  revision: string,
  globs: readonly string[],
  options: LookupOptions,
): Promise<FoundLookups> {
  const { top, ...selection } = await selectRevision(revision, globs, options)
  const pause = createPause(options.signal)
  const readAll: ReadAll<RevisionFile> = async (files, visit) => {
    const ids = files.map(({ id }) => id)
    let [pieces, size]: [Buffer[], number] = [[], 0]
    for await (const [index, piece] of readContents(top, ids, options)) {
      size += piece.length
      if (size <= MAX_BYTES) pieces.push(piece)
      if (piece.length > 0) continue
      const { file } = files[index] ?? { file: '' }
      await visit(file, size > MAX_BYTES ? undefined : Buffer.concat(pieces))
      pieces = []
      size = 0
      await pause()
    }
  }
  return findLookups(selection, readAll, [...selection.unread], globs, options)
}
