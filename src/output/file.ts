import { open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileReason, FlagadmError, systemCode, writeHint } from '../errors.ts'
import { join } from '../paths.ts'

/** How to write a file. */
interface WriteOptions {
  /** What to call it in errors. */
  shown: string
  /** By default what the umask allows. */
  mode?: number
  /** Whether to replace an existing file or link; by default, one is an error. */
  replaces?: boolean
  /** Called when the file is open, before it has content; an error removes it. */
  check?: () => Promise<void>
}

/**
 * Writes a file without following a link in its place.
 * @param path absolute
 * @throws a usage error if it exists, an `unexpected` error if it cannot be written
 */
export async function writeFile(
  path: string,
  text: string,
  { shown, mode = 0o666, replaces = false, check = async () => {} }: WriteOptions,
): Promise<void> {
  const draft = replaces ? join(dirname(path), `.flagadm-${crypto.randomUUID()}`) : path
  try {
    // Exclusive, so that a link is an error.
    const file = await open(draft, 'wx', mode)
    try {
      await check()
      await file.writeFile(text)
      await file.close()
      if (replaces) await rename(draft, path)
    } catch (error) {
      await file.close().catch(() => {})
      await unlink(draft).catch(() => {})
      throw error
    }
  } catch (cause) {
    if (cause instanceof FlagadmError) throw cause
    if (systemCode(cause) === 'EEXIST') {
      throw new FlagadmError('usage', `${shown} already exists`, {
        hint: 'use another name',
        cause,
      })
    }
    throw new FlagadmError('unexpected', `${shown} cannot be written: ${fileReason(cause)}`, {
      hint: writeHint(cause),
      cause,
    })
  }
}
