import type { UnreadFile } from '../code/files.ts'
import type { FoundLookups } from '../code/lookups/find.ts'
import type { Reference } from '../code/lookups/result.ts'
import { counted } from '../output/incomplete.ts'
import type { Gap } from '../output/problems.ts'
import type { UnreadLookups } from '../projects/missing.ts'

/** The options of commands that find flag names in source code. */
export interface ScanOptions {
  /** Globs of source files. */
  scan?: string[] | undefined
  /** Functions that take a flag name. */
  call?: string[] | undefined
  /** Custom patterns in addition to the calls of the common SDKs. */
  match?: string[] | undefined
}

/** A lookup, or another place of a known name. */
export type CodeReference = Omit<Reference, 'kind'> & { kind: Reference['kind'] | 'mention' }

/** The flag names and the lookups in source code. */
export interface ScannedCode extends Pick<FoundLookups, 'unresolved' | 'files' | 'unmatched'> {
  references: readonly CodeReference[]
  skipped: readonly UnreadFile[]
  /** Set if lookups could not be read. */
  unread: UnreadLookups[]
  /** Files and folders that could not be read. */
  unreadFiles: string[]
}

export const nothingScanned: ScannedCode = {
  references: [],
  unresolved: [],
  skipped: [],
  files: 0,
  unmatched: [],
  unread: [],
  unreadFiles: [],
}

/** Whether options ask for a scan; otherwise only the configuration can. */
export function asksScan({ scan, call, match }: ScanOptions): boolean {
  return [scan, call, match].some((option) => option !== undefined)
}

/** What could not be read of source code. */
export function gapsOf({ unread, unresolved, unreadFiles }: ScannedCode): Gap[] {
  const lookups = unread.map(({ unread: count, of }) => ({
    message: `${count} of ${of} ${of === 1 ? 'lookup' : 'lookups'} could not be read`,
    names: [],
    places: unresolved,
  }))
  if (unreadFiles.length === 0) return lookups
  const message = `${counted(unreadFiles.length, 'file')} could not be read`
  return [...lookups, { message, names: unreadFiles }]
}
