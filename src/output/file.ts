import { constants } from 'node:fs'
import { copyFile, link, open, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileReason, FlagadmError, systemCode, writeHint, refuseUsage } from '../errors.ts'
import type { Host } from '../host.ts'
import { join } from '../paths.ts'

interface WriteOptions {
  /** What to call it in errors. */
  shown: string
  /** By default what the umask allows. */
  mode?: number
  /** Whether to replace an existing file, or a link to one; by default, one is an error. */
  replaces?: boolean
}

export function writeFailure(shown: string, cause: unknown): FlagadmError {
  if (cause instanceof FlagadmError) return cause
  if (systemCode(cause) === 'EEXIST') {
    return new FlagadmError('usage', `${shown} already exists`, { hint: 'use another name', cause })
  }
  return new FlagadmError('unexpected', `${shown} cannot be written: ${fileReason(cause)}`, {
    hint: writeHint(cause),
    cause,
  })
}

/** Refuses to replace a device, a pipe or a folder, and a link to one. A link that leads to nothing is replaced. */
export async function checkReplaceable(path: string, shown: string): Promise<void> {
  const target = await stat(path).catch(() => undefined)
  if (!target || target.isFile()) return
  refuseUsage(`${shown} is neither a regular file nor a link to one`, 'use another name')
}

/** Gives a complete file its name, unless something has that name by now. */
async function nameNew(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw error
    // Some file systems have no links.
    await copyFile(draft, path, constants.COPYFILE_EXCL)
  }
  await unlink(draft)
}

async function writeWhole(path: string, text: string, options: WriteOptions): Promise<void> {
  const { shown, mode = 0o666, replaces = false } = options
  if (replaces) await checkReplaceable(path, shown)
  const draft = join(dirname(path), `.flagadm-${crypto.randomUUID()}`)
  // Exclusive, so that a link is an error.
  const file = await open(draft, 'wx', mode)
  try {
    try {
      await file.writeFile(text)
    } finally {
      await file.close()
    }
    if (replaces) await rename(draft, path)
    else await nameNew(draft, path)
  } catch (error) {
    await unlink(draft).catch(() => {})
    throw error
  }
}

/**
 * Writes a file that is complete as soon as it has its name, also if the program is ended meanwhile. A link in its place is
 * not followed. A signal is held until the file is written, so that nothing temporary is left behind.
 * @param path absolute
 * @throws a usage error if the file must not be replaced, an `unexpected` error if it cannot be written
 */
export async function writeFile(
  { holdSignals }: Host,
  path: string,
  text: string,
  options: WriteOptions,
): Promise<void> {
  const release = holdSignals()
  try {
    await writeWhole(path, text, options)
  } catch (cause) {
    throw writeFailure(options.shown, cause)
  } finally {
    release()
  }
}
