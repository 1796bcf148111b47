import { existsSync } from 'node:fs'
import { mkdir, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isMap, parseDocument, type Document, type YAMLMap } from 'yaml'
import type { Context } from '../cli/context.ts'
import { FlagadmError, refuse } from '../errors.ts'
import { parsePlaced } from '../input/document.ts'
import { writeFile } from '../output/file.ts'
import {
  type Configurations,
  editableFile,
  type Profile,
  readConfiguration,
  rootOf,
} from './configuration.ts'
import { profileFields } from './configuration-schema.ts'
import { unknownProfile } from './endpoint.ts'

/** A change of the fields of a configuration, which are a map in a document. */
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

async function readText({ inputs }: Context, file: string): Promise<string | undefined> {
  return existsSync(file) ? inputs.read(file, 'configuration', 'configuration') : undefined
}

/** Reads the user's configuration to change it: also its file, which may not exist yet, and the text of the file. */
export async function beginEdit(context: Context) {
  const configurations = await readConfiguration(context)
  const file = editableFile(configurations, context.host)
  return { configurations, file, before: await readText(context, file) }
}

export type ConfigurationEdit = Awaited<ReturnType<typeof beginEdit>>

/**
 * Replaces the file by renaming a complete new one, with mode 0600. A process that is killed leaves the
 * old file or the new one.
 * @param keyFile a file to create with the change
 * @throws a configuration error if the change is not possible, or if the file has changed meanwhile
 */
export async function storeEdit(
  context: Context,
  { file, before }: ConfigurationEdit,
  change: ConfigurationChange,
  keyFile?: { path: string; key: string },
): Promise<void> {
  const mode = 0o600
  const text = await editedText(file, before ?? '', change)
  const release = context.host.holdSignals()
  const check = async () => {
    if ((await readText(context, file)) !== before) {
      refuse(`${file}: the file has changed meanwhile`, 'run the command again')
    }
    if (keyFile) await writeFile(keyFile.path, `${keyFile.key}\n`, { shown: keyFile.path, mode })
  }
  try {
    // If this fails, so does writing the file, with the reason.
    await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch(() => {})
    // A link stays a link.
    const path = before === undefined ? file : await realpath(file)
    await writeFile(path, text, { shown: file, mode, replaces: true, check })
    context.isCommitted = true
  } finally {
    release()
  }
}

/**
 * A profile of the user's configuration, to change it.
 * @throws a configuration error for an unknown one and for one of a project
 */
export function ownProfile(name: string, configurations: Configurations): Profile {
  const profile = configurations.profiles.get(name)
  if (!profile) throw unknownProfile(name, [...configurations.profiles.keys()])
  if (profile.kind === 'user') return profile
  const what = `profile '${name}' is defined in ${profile.path}, which belongs to the project`
  return refuse(what, 'edit that file')
}
