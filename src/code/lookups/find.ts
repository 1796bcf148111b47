import {
  byFile,
  DELETED,
  readFile,
  searching,
  type SelectedFiles,
  selectFiles,
  type SelectionOptions,
  type SourceFile,
  type UnreadFile,
} from '../files/source-files.ts'
import { inUtf8, unreadableReason } from '../files/contents.ts'
import { readContents } from '../files/git.ts'
import { isDocumentation, isPackageTool } from '../lexer/file-names.ts'
import { knownLanguageOf, languageOf } from '../languages/of-file.ts'
import { createMatcher } from './match.ts'
import { createPause } from '../files/pause.ts'
import type { IndexSelection, RevisionFile } from '../files/revision.ts'
import { isManifest } from './sdk-use.ts'
import { UnchangedFiles } from '../files/unchanged.ts'
import { findLookups, type LookupResult } from './scanner.ts'
import { KnownCalls } from './sdks.ts'
import { WordFilter } from '../files/word-filter.ts'

/** The flags that the code looks up. */
export interface FoundLookups
  extends Omit<LookupResult, 'incomplete' | 'functions'>,
    Omit<SelectedFiles, 'files' | 'unread'> {
  /** How many files were looked at. */
  files: number
  /** Files that git has, but not the work tree. */
  deleted: readonly string[]
  /** Files whose lookups are not known. */
  unread: UnreadFile[]
}

export interface LookupOptions extends SelectionOptions {
  /** Functions that take the name of a flag: `name`, `object.name`, `name:2`, `name:key`; objects of flags: `name.*`. */
  calls?: readonly string[]
  /** Custom patterns that `checkMatch` accepts. */
  patterns?: readonly string[]
}

// Larger files are generated.
const MAX_BYTES = 1024 * 1024
// More bytes in a line are the work of a program, which has shortened the names of functions.
const MAX_LINE = 1_000
// A file of one long line that people write has fewer bytes.
const MIN_MINIFIED = 20_000

function isMinified(bytes: Buffer): boolean {
  if (bytes.length < MIN_MINIFIED) return false
  const enough = bytes.length / MAX_LINE
  let lines = 1
  for (
    let at = bytes.indexOf('\n');
    at !== -1 && lines < enough;
    at = bytes.indexOf('\n', at + 1)
  ) {
    lines++
  }
  return lines < enough
}

/**
 * Reads files in order. The bytes are valid until the next call. A file that is too large is visited in pieces, whose
 * ends are repeated.
 */
type ReadFiles<File> = (
  files: readonly File[],
  visit: (file: File, bytes: Buffer, isWhole: boolean) => void,
) => Promise<void>

// More bytes than the call of a function up to its bracket has.
const OVERLAP = 256

/** A function that says why the lookups in a file are not read: an empty text if it has none. */
function createJudge(knownCalls: KnownCalls) {
  const filter = new WordFilter(knownCalls.words)
  return (file: string, bytes: Buffer, isWhole: boolean): string | undefined => {
    const unreadable = unreadableReason(bytes)
    if (unreadable !== undefined) return unreadable
    if (isWhole && !isMinified(bytes)) return undefined
    if (isPackageTool(file)) return ''
    const text = inUtf8(bytes)
    const words = filter.wordsIn(text)
    const mayCall = words.size > 0 && knownCalls.mayBeIn(text.toString(), words, languageOf(file))
    const reason = isWhole ? 'minified' : 'larger than 1 MiB'
    return mayCall ? reason : ''
  }
}

/** @param unread gets the files that cannot be read */
async function findIn<File extends { file: string; repository?: string }>(
  { files, unread: _, ...selection }: Omit<SelectedFiles, 'files'> & { files: readonly File[] },
  readFiles: ReadFiles<File>,
  unread: Map<string, string>,
  globs: readonly string[],
  { calls = [], patterns = [] }: LookupOptions,
  unchanged: UnchangedFiles,
): Promise<FoundLookups> {
  // The code in documentation is an example.
  const isAsked = globs.some(isDocumentation)
  const isExample = ({ file }: File) => isDocumentation(file) && !isManifest(file)
  const wanted = isAsked ? files : files.filter((file) => !isExample(file))
  // A custom pattern may match in any text.
  const hasPatterns = patterns.length > 0
  const hasCode = ({ file }: File) =>
    knownLanguageOf(file) || isManifest(file) || isDocumentation(file)
  const sources = hasPatterns ? wanted : wanted.filter(hasCode)
  const match = hasPatterns ? createMatcher(patterns) : undefined
  const repositories = new Map(sources.map(({ file, repository = '' }) => [file, repository]))
  const knownCalls = new KnownCalls(calls)
  const reasonOf = createJudge(knownCalls)
  const skipped = new Set<string>()
  const { incomplete, ...result } = await findLookups({
    readAll: (visit, isNeeded) =>
      readFiles(
        sources.filter(({ file }) => isNeeded(file) && !skipped.has(file)),
        ({ file }, bytes, isWhole) => {
          if (unread.has(file)) return
          const reason = reasonOf(file, bytes, isWhole)
          if (reason === undefined) return visit(file, inUtf8(bytes))
          skipped.add(file)
          if (reason !== '' && knownLanguageOf(file)) unread.set(file, reason)
        },
      ),
    knownCalls,
    match,
    repositoryOf: (file) => repositories.get(file) ?? '',
    unchanged,
  })
  for (const file of incomplete) unread.set(file, 'too many lookups')
  const notRead = Array.from(unread, ([file, reason]) => ({ file, reason })).sort(byFile)
  const deleted = notRead.filter(({ reason }) => reason === DELETED).map(({ file }) => file)
  return {
    ...selection,
    ...result,
    unread: notRead.filter(({ reason }) => reason !== DELETED),
    deleted,
    files: wanted.length - deleted.length,
  }
}

/**
 * Finds the flags that calls of the SDKs look up in the files that paths and globs select, except for
 * documentation, unless a glob ends as one of documentation.
 * @param selected those files, if they are known
 * @param unchanged collects what the scan finds out about them
 * @throws `interrupted` when the signal aborts, a `usage` error when a glob or a pattern takes too long, and if git
 * is missing or refuses
 */
export async function findLookupsInFiles(
  globs: readonly string[],
  options: LookupOptions,
  selected?: SelectedFiles,
  unchanged = new UnchangedFiles(),
): Promise<FoundLookups> {
  const selection = selected ?? (await selectFiles(globs, options))
  const unread = new Map(selection.unread.map(({ file, reason }) => [file, reason]))
  const buffer = Buffer.allocUnsafeSlow(MAX_BYTES + 1)
  const pause = createPause(options.signal)
  const readFiles: ReadFiles<SourceFile> = (files, visit) =>
    options.progress.track(searching(files), async (advance) => {
      for (const source of files) {
        const reason = await readFile(source, async (read) => {
          let length = 0
          let isWhole = true
          for (let count = 1; count > 0; ) {
            count = read(buffer, length, buffer.length)
            length += count
            if (length < buffer.length) continue
            isWhole = false
            visit(source, buffer, isWhole)
            buffer.copyWithin(0, length - OVERLAP, length)
            length = OVERLAP
            await pause()
          }
          const bytes = buffer.subarray(0, length)
          if (isWhole) unchanged.compare(source.file, bytes)
          visit(source, bytes, isWhole)
          return undefined
        })
        if (reason !== undefined) unread.set(source.file, reason)
        advance()
        await pause()
      }
    })
  return findIn(selection, readFiles, unread, globs, options, unchanged)
}

/**
 * Finds lookups as `findLookupsInFiles` does, in an old revision or git's index.
 * @param unchanged what a scan of the work tree showed
 */
export async function findLookupsInRevision(
  { top, ...selection }: IndexSelection,
  globs: readonly string[],
  options: LookupOptions,
  unchanged = new UnchangedFiles(),
): Promise<FoundLookups> {
  const pause = createPause(options.signal)
  const readFiles: ReadFiles<RevisionFile> = (files, visit) =>
    options.progress.track(searching(files), async (advance) => {
      const ids = files.map(({ id }) => id)
      let [pieces, size, isWhole]: [Buffer[], number, boolean] = [[], 0, true]
      for await (const [index, piece] of readContents(top, ids, options)) {
        const file = files[index]
        if (!file) continue
        pieces.push(piece)
        size += piece.length
        if (piece.length > 0 && size <= MAX_BYTES) continue
        const bytes = Buffer.concat(pieces)
        const isEnd = piece.length === 0
        isWhole = isWhole && isEnd
        visit(file, bytes, isWhole)
        const rest = bytes.subarray(-OVERLAP)
        pieces = isEnd ? [] : [rest]
        size = isEnd ? 0 : rest.length
        if (isEnd) {
          isWhole = true
          advance()
        }
        await pause()
      }
    })
  const unread = new Map(selection.unread.map(({ file, reason }) => [file, reason]))
  return findIn(selection, readFiles, unread, globs, options, unchanged)
}
