import { dirname, join } from 'node:path'
import { fileReason, FlagadmError, systemCode } from '../errors.ts'
import type { Host } from '../host.ts'
import { readWithin } from '../input/files.ts'
import { createFolder, writeWhole } from '../output/file.ts'
import { editedText, type Editor } from '../profile/edit.ts'
import { userDirectory } from '../profile/places.ts'
import type { Configurations } from '../profile/profiles.ts'

const PRIVATE = 0o600
const PRIVATE_FOLDER = 0o700

function refuse(path: string, what: string, hint: string): never {
  throw new FlagadmError('configuration', `${path}: ${what}`, { hint })
}

/**
 * The user's configuration file, or the one of --config; it may not exist yet.
 * @throws a configuration error if the user has no home directory, or if the file is a pipe
 */
export function editableFile({ files }: Configurations, host: Host): string {
  const file = files.find(({ trust }) => trust === 'user')
  if (file && !file.stats.isFile()) refuse(file.path, 'not a regular file', 'use a regular file')
  if (file) return file.path
  const folder = userDirectory(host)
  if (folder !== undefined) return join(folder, 'config.yaml')
  throw new FlagadmError('configuration', 'no home directory for the configuration file', {
    hint: 'set HOME or XDG_CONFIG_HOME',
  })
}

// The folder may be a file, which is reported when it is created.
const absent = new Set<string | undefined>(['ENOENT', 'ENOTDIR'])

/** The text of a configuration file; empty if it does not exist. */
async function readText(path: string): Promise<string> {
  try {
    const bytes = await readWithin(path, path, 'configuration')
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof FlagadmError) throw error
    if (error instanceof TypeError) return refuse(path, 'not UTF-8', 'save it as UTF-8')
    if (absent.has(systemCode(error))) return ''
    return refuse(path, `cannot be read: ${fileReason(error)}`, 'check its permissions')
  }
}

/**
 * Atomically writes a file that only the user may read.
 * @throws an `unexpected` error when it cannot be written
 */
export async function writePrivate(path: string, text: string, { cwd }: Host): Promise<void> {
  const folder = dirname(path)
  try {
    await createFolder(folder, PRIVATE_FOLDER)
  } catch (cause) {
    const what = `${folder} cannot be created: ${fileReason(cause)}`
    const hint = 'check the path and its permissions'
    throw new FlagadmError('unexpected', what, { hint, cause })
  }
  await writeWhole(path, cwd, text, PRIVATE)
}

/** Changes a configuration file of the user. Nothing is written if the result would not be valid. */
export async function changeFile(
  path: string,
  host: Host,
  change: (editor: Editor) => void,
): Promise<void> {
  await writePrivate(path, await editedText(path, await readText(path), change), host)
}
