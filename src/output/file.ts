import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import {
  lstat,
  mkdir,
  open,
  readlink,
  realpath,
  rename,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileReason, FlagadmError, systemCode } from '../errors.ts'

// These open a stream of the process, which may be a file that others also write to.
const DESCRIPTOR = /^\/dev\/(std(in|out|err)$|fd\/)|^\/proc\//

/** Facts about a file; undefined if it does not exist. */
export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The file that a path leads to after following links; it may not exist yet. */
export async function targetOf(path: string): Promise<string> {
  const folder = await realpath(dirname(path))
  const link = await readlink(path).catch(() => undefined)
  return link === undefined ? path : targetOf(resolve(folder, link))
}

/**
 * Creates a folder and those that contain it, unless they exist. Node's own way of doing so never ends
 * where the system does not allow new folders, as in /proc.
 */
export async function createFolder(path: string, mode = 0o777): Promise<void> {
  const create = () =>
    mkdir(path, { mode }).catch(async (error: unknown) => {
      const existing = await statOf(path)
      if (!existing?.isDirectory()) throw error
    })
  try {
    await create()
  } catch (error) {
    const parent = dirname(path)
    if (systemCode(error) !== 'ENOENT' || parent === path) throw error
    await createFolder(parent, mode)
    await create()
  }
}

/**
 * Writes a new file completely, for another name.
 * @param existing the file it will replace, whose owner it gets
 * @param mode by default the mode of that file, or what the umask allows
 */
export async function writeDraft(
  draft: string,
  text: string,
  existing: Stats | undefined,
  mode = existing?.mode,
): Promise<void> {
  // Opened exclusively, because another user could have put a link there.
  const file = await open(draft, 'wx', mode === undefined ? 0o666 : mode & 0o777)
  try {
    try {
      await file.writeFile(text)
      if (existing) {
        // Only root may change the owner.
        await file.chown(existing.uid, existing.gid).catch(() => {})
      }
      if (mode !== undefined) await file.chmod(mode)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    await unlink(draft).catch(() => {})
    throw error
  }
}

/** Writes a new file and renames it over the target, whose owner and mode it keeps. */
async function replace(target: string, existing: Stats | undefined, text: string): Promise<void> {
  const draft = join(dirname(target), `.flagadm-${randomUUID()}`)
  await writeDraft(draft, text, existing)
  try {
    await rename(draft, target)
  } catch (error) {
    await unlink(draft).catch(() => {})
    throw error
  }
}

/** @throws an `unexpected` error when the file cannot be written */
async function reporting(path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (cause) {
    // As with standard output, a closed pipe is not an error.
    if (systemCode(cause) === 'EPIPE') return
    const what = `${path} cannot be written: ${fileReason(cause)}`
    throw new FlagadmError('unexpected', what, {
      hint: 'check the path and its permissions',
      cause,
    })
  }
}

/**
 * Writes a file atomically, so that a reader sees either the old text or the new one. Links are
 * followed; a pipe, a device or a file descriptor is written to directly. An existing file keeps its mode.
 * @throws an `unexpected` error when it cannot be written
 */
export function writeWhole(path: string, cwd: string, text: string): Promise<void> {
  const file = resolve(cwd, path)
  return reporting(path, async () => {
    const existing = await statOf(file)
    const isStream = DESCRIPTOR.test(file) || (existing && !existing.isFile())
    // Appending keeps what a log already has; pipes and devices ignore it.
    if (isStream) await writeFile(file, text, { flag: 'a' })
    else await replace(await targetOf(file), existing, text)
  })
}

/**
 * Writes a file atomically without following a link of this name, which it would replace.
 * @throws an `unexpected` error when it cannot be written
 */
export function replaceFile(path: string, cwd: string, text: string): Promise<void> {
  const file = resolve(cwd, path)
  return reporting(path, async () => {
    const existing = await lstat(file).catch(() => undefined)
    await replace(file, existing?.isFile() ? existing : undefined, text)
  })
}
