import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isMap, parseDocument, type Document, type YAMLMap } from 'yaml'
import type { Context } from '../command/context.ts'
import { FlagadmError, refuse, systemCode } from '../errors.ts'
import { parsePlaced } from '../input/document.ts'
import { checkReplaceable, writeFailure, writeFile } from '../output/file.ts'
import { realPath } from '../repository.ts'
import {
  type Configurations,
  editableFile,
  type Profile,
  readConfiguration,
  rootOf,
} from './configuration.ts'
import { profileFields } from './configuration-schema.ts'
import { unknownProfile } from './endpoint.ts'
import { withLock } from './lock.ts'

type ConfigurationChange = (root: YAMLMap) => void

/** The field that specifies the default profile: `profile` precedes `defaultProfile`. */
function defaultField(root: YAMLMap): string {
  return root.has('profile') ? 'profile' : 'defaultProfile'
}

export function setDefault(root: YAMLMap, name: string): void {
  root.set(defaultField(root), name)
}

export function removeProfile(root: YAMLMap, name: string): void {
  const isTop = name === 'default' && root.has('baseUrl')
  if (isTop) for (const field of Object.keys(profileFields)) root.delete(field)
  else root.deleteIn(['profiles', name])
  if (root.get(defaultField(root)) === name) root.delete(defaultField(root))
}

/**
 * The text of a configuration file after a change. YAML keeps its comments, and JSON stays JSON.
 * @throws a configuration error if the change is not possible
 */
async function editedText(
  path: string,
  before: string,
  change: ConfigurationChange,
): Promise<string> {
  // Refuses duplicate fields, of which only one would be kept.
  const { isJson } = await parsePlaced(before, { name: path, kind: 'configuration' })
  const document: Document = parseDocument(before, { uniqueKeys: false, stringKeys: true })
  if (document.contents === null) document.contents = document.createNode({})
  const root = document.getIn(rootOf(path))
  try {
    if (!isMap(root)) throw new TypeError('the configuration is not a map')
    change(root)
    return isJson
      ? `${JSON.stringify(document, null, 2)}\n`
      : document.toString({ lineWidth: 0, flowCollectionPadding: /[{[] /.test(before) })
  } catch (cause) {
    // An alias, for example, may refer to what was removed.
    const what = `${path}: this change is not possible`
    throw new FlagadmError('configuration', what, { hint: 'edit the file by hand', cause })
  }
}

/** The configuration of a run, and the file of the user's part, which may not exist yet. */
export interface OwnConfiguration {
  configurations: Configurations
  file: string
}

/**
 * Reads the configuration to change the user's part. Warns only with messages.
 * @throws a usage error if that part is not in a file that can be replaced, such as a pipe
 */
export async function readOwn(
  run: Pick<Context, 'host' | 'options'> & Partial<Pick<Context, 'messages'>>,
): Promise<OwnConfiguration> {
  const configurations = await readConfiguration(run)
  const file = editableFile(configurations, run.host)
  await checkReplaceable(file, file)
  return { configurations, file }
}

interface Edit {
  change: ConfigurationChange
  /** A file to create with it, or to replace. */
  keyFile?: { path: string; key: string; replaces: boolean } | undefined
}

const MODE = 0o600

/** Replaces the text of a file. @param path that of the file, without links */
async function replaceText(
  { host, inputs }: Context,
  file: string,
  path: string,
  { change, keyFile }: Edit,
): Promise<void> {
  const before = existsSync(path)
    ? await inputs.read(path, 'configuration', 'configuration', file)
    : ''
  const text = await editedText(file, before, change)
  if (keyFile) {
    const { path: shown, key, replaces } = keyFile
    await writeFile(host, shown, `${key}\n`, { shown, mode: MODE, replaces })
  }
  try {
    await writeFile(host, path, text, { shown: file, mode: MODE, replaces: true })
  } catch (error) {
    if (keyFile && !keyFile.replaces) await rm(keyFile.path, { force: true })
    throw error
  }
}

/**
 * Changes the user's configuration file: reads and replaces it under a lock, so that no other change is lost. A process that is
 * killed leaves the old file or the new one, with mode 0600.
 * @param edit makes the change from what is stored, or refuses
 * @throws a configuration error if the change is not possible
 */
export async function editConfiguration<Made extends Edit>(
  context: Context,
  edit: (stored: OwnConfiguration) => Made,
): Promise<Made> {
  const { host, options } = context
  const ownConfiguration = await readOwn({ host, options })
  // What is refused leaves no folder behind.
  edit(ownConfiguration)
  const { file } = ownConfiguration
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    const isTaken = systemCode(cause) === 'EEXIST'
    if (isTaken)
      refuse(`${dirname(file)} is not a folder`, 'remove it, or name a file with --config')
    throw writeFailure(file, cause)
  })
  // A link stays a link.
  const path = realPath(file)
  return withLock(host, path, async () => {
    const made = edit(await readOwn({ host, options }))
    await replaceText(context, file, path, made)
    context.isCommitted = true
    return made
  })
}

/**
 * A profile of the user's configuration, to change it.
 * @throws a configuration error for an unknown one and for one of a project
 */
export function ownProfile(name: string, configurations: Configurations): Profile {
  const profile = configurations.profiles.get(name)
  if (name === 'sandbox') {
    const hint = 'it is always there: use it with -p sandbox'
    refuse('the profile sandbox is built in, not configured', hint)
  }
  if (!profile) throw unknownProfile(name, [...configurations.profiles.keys()])
  if (profile.kind === 'user') return profile
  const what = `profile '${name}' is defined in ${profile.path}, which belongs to the project`
  return refuse(what, 'edit that file')
}
