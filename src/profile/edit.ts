import { existsSync } from 'node:fs'
import { mkdir, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Document, isMap, parseDocument, type YAMLMap } from 'yaml'
import type { Context } from '../context.ts'
import { FlagadmError, refuseFile } from '../errors.ts'
import { parsePlaced } from '../input/document.ts'
import { isObject } from '../input/json.ts'
import { writeFile } from '../output/file.ts'
import {
  type Configurations,
  editableFile,
  type Profile,
  readConfiguration,
  refuse,
  rootOf,
} from './configuration.ts'
import { checkData } from './content.ts'
import { unknownProfile } from './endpoint.ts'
import { type ProfileFields, profileFields } from './schema.ts'

/** A change of the fields of a configuration, which are a map in a document. */
type Change = (root: YAMLMap) => void

/** The field that specifies the default profile: `profile` precedes `defaultProfile`. */
function defaultField(root: YAMLMap): string {
  return root.has('profile') ? 'profile' : 'defaultProfile'
}

export function setDefault(root: YAMLMap, name: string): void {
  root.set(defaultField(root), name)
}

export function addProfile(root: YAMLMap, name: string, fields: ProfileFields): void {
  const document = new Document()
  const profiles = root.get('profiles')
  // Empty profiles are written as {}, but the new one gets lines of its own.
  if (isMap(profiles) && profiles.items.length === 0) profiles.flow = false
  const { apiKeyCommand: command } = fields
  const line = command && document.createNode(command, { flow: true })
  root.setIn(
    ['profiles', name],
    document.createNode({ ...fields, ...(line && { apiKeyCommand: line }) }),
  )
}

export function removeProfile(root: YAMLMap, name: string): void {
  const isTop = name === 'default' && root.has('baseUrl')
  if (isTop) for (const field of Object.keys(profileFields)) root.delete(field)
  else root.deleteIn(['profiles', name])
  if (root.get(defaultField(root)) === name) root.delete(defaultField(root))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * The text of a configuration file after a change. YAML keeps its comments, and JSON stays JSON.
 * @throws a configuration error if the change is not possible or its result would not be valid
 */
async function editedText(path: string, before: string, change: Change): Promise<string> {
  // Refuses duplicate fields, of which only one would be kept.
  await parsePlaced(before, { name: path, kind: 'configuration' })
  const document: Document = parseDocument(before, { uniqueKeys: false, stringKeys: true })
  if (document.contents === null) document.contents = document.createNode({})
  const root = document.getIn(rootOf(path))
  let after: string
  try {
    if (!isMap(root)) throw new TypeError('the configuration is not a map')
    change(root)
    after = isJson(before)
      ? `${JSON.stringify(document, null, 2)}\n`
      : document.toString({ lineWidth: 0, flowCollectionPadding: /[{[] /.test(before) })
  } catch (cause) {
    // An alias, for example, may refer to what was removed.
    const what = `${path}: this change is not possible`
    throw new FlagadmError('configuration', what, { hint: 'edit the file by hand', cause })
  }
  // Refuses profiles that could not be read again.
  const { data } = await parsePlaced(after, { name: path, kind: 'configuration' })
  const [field] = rootOf(path)
  checkData(path, field !== undefined && isObject(data) ? data[field] : data)
  return after
}

/** The user's configuration, and its file, which may not exist yet. */
export interface ConfigurationEdit {
  configurations: Configurations
  file: string
  /** The text of the file. */
  before: string | undefined
}

async function readText({ inputs }: Context, file: string): Promise<string | undefined> {
  return existsSync(file) ? inputs.read(file, 'configuration', 'configuration') : undefined
}

/** Reads the configuration to change it. */
export async function beginEdit(context: Context): Promise<ConfigurationEdit> {
  const configurations = await readConfiguration(context)
  const file = editableFile(configurations, context.host)
  return { configurations, file, before: await readText(context, file) }
}

/**
 * Replaces the file by renaming a complete new one, with mode 0600. A process that is killed leaves the
 * old file or the new one.
 * @param keyFile a file to create with the change
 * @throws a configuration error if the result would not be valid, or if the file has changed meanwhile
 */
export async function storeEdit(
  context: Context,
  { file, before }: ConfigurationEdit,
  change: Change,
  keyFile?: { path: string; key: string },
): Promise<void> {
  const mode = 0o600
  const text = await editedText(file, before ?? '', change)
  const release = context.host.holdSignals()
  const check = async () => {
    if ((await readText(context, file)) !== before) {
      refuseFile(file, 'the file has changed meanwhile', 'run the command again')
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
