import { link, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { join } from '../paths.ts'
import type { Context } from '../old/context.ts'
import { fileReason, FlagadmError, isAbsent, refuseFile, systemCode } from '../errors.ts'
import type { Host } from '../host.ts'
import { readWithin } from '../input/files.ts'
import { createFolder, statOf, targetOf, whenFree, writeDraft } from '../old/output/file.ts'
import { editedText, type Editor } from './files/edit.ts'
import { discard, type Drafts, locked, notWritable } from './lock.ts'
import { userFolder } from './files/places.ts'
import { type Configurations, readConfiguration } from './profiles.ts'

const PRIVATE = 0o600
const PRIVATE_FOLDER = 0o700

/**
 * The user's configuration file, or the file given with --config; it may not exist yet.
 * @throws a configuration error if the user has no home directory, or if the file is a pipe
 */
export function editableFile({ files }: Configurations, host: Host): string {
  const file = files.find(({ trust }) => trust === 'user')
  if (file && !file.stats.isFile())
    refuseFile(file.path, 'not a regular file', 'use a regular file')
  if (file) return file.path
  const folder = userFolder(host)
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

/** The file that a link leads to, where the new one will be: locks and drafts are beside it. */
async function editableTarget(path: string): Promise<string> {
  const folder = dirname(path)
  await createFolder(folder, PRIVATE_FOLDER).catch((cause: unknown) => {
    throw notWritable(folder, cause, 'created')
  })
  return targetOf(path).catch((cause: unknown) => {
    throw notWritable(path, cause)
  })
}

/** A file for the key of a new profile. */
interface KeyFile {
  path: string
  key: string
}

function draftsOf(target: string, keyFile: KeyFile | undefined): Drafts {
  const name = `.flagadm-${crypto.randomUUID()}`
  const config = join(dirname(target), name)
  if (!keyFile) return { config }
  const { path } = keyFile
  return { config, key: { draft: join(dirname(path), `${name}.key`), path } }
}

/** Creates the key file with its whole content; @throws a configuration error if it exists, even as a link. */
async function createKeyFile({ path, key }: KeyFile, draft: string): Promise<void> {
  try {
    await writeDraft(draft, `${key}\n`, undefined, PRIVATE)
    await link(draft, path)
  } catch (cause) {
    if (systemCode(cause) !== 'EEXIST') throw notWritable(path, cause)
    const hint = 'use it with --api-key-file, or delete it first'
    throw new FlagadmError('configuration', `${path} already exists`, { hint, cause })
  }
}

/** Stores a configuration and the key file of a new profile, or none of them. */
async function store(
  target: string,
  text: string,
  drafts: Drafts,
  keyFile: KeyFile | undefined,
  host: Host,
): Promise<void> {
  try {
    await writeDraft(drafts.config, text, await statOf(target), PRIVATE)
    if (keyFile && drafts.key) await createKeyFile(keyFile, drafts.key.draft)
    await whenFree(host, () => rename(drafts.config, target))
  } catch (error) {
    throw error instanceof FlagadmError ? error : notWritable(target, error)
  } finally {
    await discard(drafts, host)
  }
}

/**
 * Atomically changes a configuration file of the user, with mode 0600. Nothing is written if the
 * result would not be valid.
 * @param change gets the configuration as it is now, because it may have changed since it was loaded
 * @param keyFile a file to create with the change
 */
export async function changeFile(
  path: string,
  context: Context,
  change: (editor: Editor, configurations: Configurations) => void,
  keyFile?: KeyFile,
): Promise<void> {
  const target = await editableTarget(path)
  const drafts = draftsOf(target, keyFile)
  const edit = async () => {
    const configurations = await readConfiguration(context)
    const text = await editedText(path, await readText(path), (editor) =>
      change(editor, configurations),
    )
    await context.commit(() => store(target, text, drafts, keyFile, context.host))
  }
  await locked(`${target}.lock`, context.host, edit, drafts)
}
