import type { Context } from '../cli/context.ts'
import {
  type CodeOptions,
  codeRequest,
  nothingToScan,
  presenceOf,
  searchGaps,
  searchNames,
  searchRemoved,
  unreadAt,
} from '../code/reading.ts'
import type { FoundNames } from '../code/search.ts'
import type { UnreadFile } from '../code/source-files.ts'
import { FlagadmError, refuseUsage } from '../errors.ts'
import { counted, type Incomplete, listed } from '../output/incomplete.ts'
import type { CodeEvidence } from './evidence.ts'
import type { Selection } from './flags.ts'

/** Which code to search for flags, and how. */
export interface CodeEvidenceOptions extends CodeOptions {
  removedSince?: string | undefined
}

/** What a search of source code found. */
export interface SearchedCode {
  /** Undefined if no code was searched. */
  code?: FoundNames | undefined
  /** The flags that were in the code at the revision and are no longer, if they are asked for. */
  removed?: ReadonlyMap<string, unknown> | undefined
  /** Files that could not be read: now, and at the revision. */
  unread: readonly UnreadFile[]
  unreadBefore: readonly UnreadFile[]
}

/** Whether source code is searched. */
function isSearched({ scan, removedSince }: CodeEvidenceOptions): boolean {
  return scan !== undefined || removedSince !== undefined
}

/** @throws a usage error for options that need code without any */
export function checkCodeOptions(
  options: CodeEvidenceOptions & { failOn?: readonly string[] | undefined },
): void {
  const { call, match, failOn } = options
  const needing = [
    call && '--call',
    match && '--match',
    failOn?.includes('unread') && '--fail-on unread',
  ]
  const other = needing.find(Boolean)
  if (other && !isSearched(options)) refuseUsage(`${other} requires --scan`, 'add --scan <path>')
}

/**
 * Searches source code for flags, if that is wanted; with a revision, also finds which were in the code there and are no longer.
 * @throws a usage error without paths, and for paths that match nothing
 */
export async function searchCode(
  context: Context,
  selection: Selection,
  options: CodeEvidenceOptions,
): Promise<SearchedCode> {
  if (!isSearched(options)) return { unread: [], unreadBefore: [] }
  const { scan, call, match, removedSince } = options
  // The flags that depend on removable ones are searched for, too.
  const names = [...new Set([...selection.names, ...selection.flags.keys()])]
  const request = await codeRequest(context, [], { scan, call, match })
  if (!request) throw nothingToScan()
  if (removedSince === undefined) {
    const code = await searchNames(context, names, request)
    return { code, unread: code.unread, unreadBefore: [] }
  }
  const { removed, now, before } = await searchRemoved(context, names, removedSince, request)
  const unreadBefore = unreadAt(before.unread, removedSince)
  return { code: now, removed, unread: now.unread, unreadBefore }
}

/** What a search of source code shows about a flag. */
export function codeEvidence(found: FoundNames, name: string): CodeEvidence {
  const presence = presenceOf(found, name)
  switch (presence.kind) {
    case 'found': {
      const { places } = presence
      const texts = places.map(({ file, line }) => `${file}:${line}`)
      return { places, texts: [`in the code: ${listed(texts, 3)}`] }
    }
    case 'absent':
      return { places: [], texts: [] }
    case 'unclear': {
      const texts = presence.doubts.map(({ message, where }) =>
        where.length > 0 ? `${message}: ${listed(where, 3)}` : message,
      )
      return { places: [], texts }
    }
  }
}

/** What could not be read of the code. */
export function codeIncomplete({ code, unread, unreadBefore }: SearchedCode): Incomplete[] {
  return code ? searchGaps({ ...code, unread: [...unread, ...unreadBefore] }) : []
}

/**
 * The error for code that could not be read: if the check asks for it, or if no flag is left that may have been removed.
 * @param isEmpty whether there is no flag
 */
export function unreadRefusal(
  { unread, unreadBefore }: SearchedCode,
  { removedSince, failOn }: CodeEvidenceOptions & { failOn?: readonly string[] | undefined },
  isEmpty: boolean,
): FlagadmError | undefined {
  const all = [...unread, ...unreadBefore].map(({ file }) => file)
  if (failOn?.includes('unread') && all.length > 0) {
    return new FlagadmError('checkFailed', `unread: ${listed(all)}`)
  }
  if (!isEmpty || removedSince === undefined || unreadBefore.length === 0) return undefined
  const count = counted(unreadBefore.length, 'file')
  const what = `flags may have been removed from the code: ${count} could not be read at ${removedSince}`
  return new FlagadmError('checkFailed', what)
}
