import { unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { reload } from '../connection.ts'
import type { Context } from '../context.ts'
import { fileReason, FlagadmError, isAbsent, refuseFile, systemCode } from '../errors.ts'
import type { Host } from '../host.ts'
import { readWithin } from '../input/files.ts'
import { createFolder, targetOf, writeWhole } from '../output/file.ts'
import { editedText, type Editor } from '../profile/edit.ts'
import { userDirectory } from '../profile/places.ts'
import type { Configurations } from '../profile/profiles.ts'

const PRIVATE = 0o600
const PRIVATE_FOLDER = 0o700
// A change takes a fraction of a second.
const MAX_CHANGE_MS = 10_000
const PAUSE_MS = 20

/**
 * The user's configuration file, or the file given with --config; it may not exist yet.
 * @throws a configuration error if the user has no home directory, or if the file is a pipe
 */
export function editableFile({ files }: Configurations, host: Host): string {
  const file = files.find(({ trust }) => trust === 'user')
  if (file && !file.stats.isFile())
    refuseFile(file.path, 'not a regular file', 'use a regular file')
  if (file) return file.path
  const folder = userDirectory(host)
  if (folder !== undefined) return join(folder, 'config.yaml')
  throw new FlagadmError('configuration', 'no home directory for the configuration file', {
    hint: 'set HOME or XDG_CONFIG_HOME',
  })
}

/** The text of a configuration file; empty if it does not exist. */
async function readText(path: string): Promise<string> {
  try {
    const bytes = await readWithin(path, path, 'configuration')
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof FlagadmError) throw error
    if (error instanceof TypeError) return refuseFile(path, 'not UTF-8', 'save it as UTF-8')
    // If a file is in place of its folder, the error appears when the folder is created.
    if (isAbsent(error)) return ''
    return refuseFile(path, `cannot be read: ${fileReason(error)}`, 'check its permissions')
  }
}

function notWritable(what: string, cause: unknown): FlagadmError {
  const hint = 'check the path and its permissions'
  return new FlagadmError('unexpected', `${what}: ${fileReason(cause)}`, { hint, cause })
}

async function createPrivateFolder(folder: string): Promise<void> {
  try {
    await createFolder(folder, PRIVATE_FOLDER)
  } catch (cause) {
    throw notWritable(`${folder} cannot be created`, cause)
  }
}

/**
 * Creates a file that only the user may read.
 * @returns false if it exists, even if it is a link to nothing
 * @throws an `unexpected` error when it cannot be written
 */
export async function createPrivate(path: string, text: string): Promise<boolean> {
  await createPrivateFolder(dirname(path))
  try {
    await writeFile(path, text, { flag: 'wx', mode: PRIVATE })
    return true
  } catch (cause) {
    if (systemCode(cause) === 'EEXIST') return false
    await unlink(path).catch(() => {})
    throw notWritable(`${path} cannot be written`, cause)
  }
}

/** The lock of a file. It is beside the file that a link leads to, where the file will be replaced. */
async function lockOf(path: string): Promise<string> {
  await createPrivateFolder(dirname(path))
  try {
    return `${await targetOf(path)}.lock`
  } catch (cause) {
    throw notWritable(`${path} cannot be written`, cause)
  }
}

/** Runs a change while no other flagadm changes the same file. */
async function locked(path: string, { clock, signal }: Host, change: () => Promise<void>) {
  const lock = await lockOf(path)
  const end = clock.monotonic() + MAX_CHANGE_MS
  while (!(await createPrivate(lock, ''))) {
    if (clock.monotonic() > end) {
      refuseFile(
        lock,
        'another flagadm is changing the configuration',
        'if none is running, delete it',
      )
    }
    await clock.sleep(PAUSE_MS, signal)
  }
  try {
    await change()
  } finally {
    await unlink(lock).catch(() => {})
  }
}

/**
 * Atomically changes a configuration file of the user, with mode 0600. Nothing is written if the
 * result would not be valid.
 * @param change gets the configuration as it is now, since it may have changed since it was loaded
 */
export async function changeFile(
  path: string,
  context: Context,
  change: (editor: Editor, configurations: Configurations) => void,
): Promise<void> {
  const { host } = context
  await locked(path, host, async () => {
    const configurations = await reload(context)
    const text = await editedText(path, await readText(path), (editor) =>
      change(editor, configurations),
    )
    await writeWhole(path, host.cwd, text, PRIVATE)
  })
}
