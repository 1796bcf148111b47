// Keeps what undoes the changes of a run in a file, while they are made.
import { constants } from 'node:fs'
import { access, lstat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Context } from '../command/context.ts'
import { refuseUsage } from '../errors.ts'
import { refuseUnreadable } from '../input/document-limits.ts'
import { writeFailure, writeFile } from '../output/file.ts'
import { resolve } from '../paths.ts'

/**
 * A file with what was stored before each change of a run. An entry is added before the request that needs it, and removed
 * if that changes nothing: after the run, the file has the changes that were made or may have been. Each time, the whole
 * file is replaced. Without an entry, there is no file.
 */
export interface UndoFile<Entry> {
  /** As the user typed it. */
  path: string
  entries(): readonly Entry[]
  add(added: readonly Entry[]): Promise<void>
  remove(removed: readonly Entry[]): Promise<void>
}

/**
 * Prepares an undo file, which does not exist yet.
 * @param textOf the content of the file
 * @param mostCharacters that can be read again
 * @throws a usage error if the file exists, an `unexpected` error if its folder cannot be written to
 */
export async function prepareUndoFile<Entry>(
  { host }: Pick<Context, 'host'>,
  path: string,
  textOf: (entries: readonly Entry[]) => string,
  mostCharacters?: number,
): Promise<UndoFile<Entry>> {
  const absolute = resolve(host.cwd, path)
  const existing = await lstat(absolute).catch(() => undefined)
  if (existing) refuseUsage(`${path} already exists`, 'use another name')
  await access(dirname(absolute), constants.W_OK).catch((cause: unknown) => {
    throw writeFailure(path, cause)
  })
  let entries: readonly Entry[] = []
  const replaceWith = async (next: readonly Entry[]) => {
    // The first one creates the file, so that one of someone else is not replaced.
    const replaces = entries.length > 0
    if (next.length > 0) {
      const text = textOf(next)
      refuseUnreadable(path, text, next.length, mostCharacters)
      await writeFile(host, absolute, text, { shown: path, mode: 0o600, replaces })
    } else if (replaces) {
      await unlink(absolute).catch((cause: unknown) => {
        throw writeFailure(path, cause)
      })
    }
    entries = next
  }
  return {
    path,
    entries: () => entries,
    add: (added) => replaceWith([...entries, ...added]),
    remove: (removed) => replaceWith(entries.filter((entry) => !removed.includes(entry))),
  }
}
