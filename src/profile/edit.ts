import { mkdir, readFile, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Document, isMap, parseDocument, type YAMLMap } from 'yaml'
import type { Context } from '../context.ts'
import { fileReason, FlagadmError, isAbsent, refuseFile } from '../errors.ts'
import { parsePlaced } from '../input/document.ts'
import { isObject } from '../input/json.ts'
import { writeFile } from '../output/file.ts'
import {
  type Configurations,
  editableFile,
  type Profile,
  profilesOf,
  readCheckedConfiguration,
  refuse,
  rootOf,
} from './configuration.ts'
import { checkData } from './content.ts'
import { unknownProfile } from './endpoint.ts'
import type { ProfileFields } from './schema.ts'

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

export function removeProfile(root: YAMLMap, { name, isTop, fields }: Profile): void {
  if (isTop) for (const field of Object.keys(fields)) root.delete(field)
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
  await parsePlaced(before, path, 'configuration')
  const document: Document = parseDocument(before, { uniqueKeys: false, stringKeys: true })
  if (document.contents === null) document.contents = document.createNode({})
  const root = document.getIn(rootOf(path))
  const impossible = (cause?: unknown): never => {
    const what = `${path}: this change is not possible`
    throw new FlagadmError('configuration', what, { hint: 'edit the file by hand', cause })
  }
  if (!isMap(root)) return impossible()
  let after: string
  try {
    change(root)
    after = isJson(before)
      ? `${JSON.stringify(document, null, 2)}\n`
      : document.toString({ lineWidth: 0, flowCollectionPadding: false })
  } catch (cause) {
    // An alias, for example, may refer to what was removed.
    return impossible(cause)
  }
  // Refuses profiles that could not be read again.
  const { data } = await parsePlaced(after, path, 'configuration')
  const [field] = rootOf(path)
  const configuration = checkData(path, field !== undefined && isObject(data) ? data[field] : data)
  profilesOf({ path, trust: 'user', configuration })
  return after
}

/** The text of a configuration file; undefined if it does not exist. */
async function readText(path: string): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (error) {
    // If a file is in place of its folder, the error appears when the folder is created.
    if (isAbsent(error)) return undefined
    const reason = error instanceof TypeError ? 'not UTF-8' : `cannot be read: ${fileReason(error)}`
    return refuseFile(path, reason, 'check its encoding and its permissions')
  }
}

/** A file for the key of a new profile. */
interface KeyFile {
  path: string
  key: string
}

const PRIVATE = 0o600

/** The user's configuration, and its file, which may not exist yet. */
export interface ConfigurationEdit {
  configurations: Configurations
  file: string
  /**
   * Replaces the file by renaming a complete new one, with mode 0600. A process that is killed leaves the
   * old file or the new one.
   * @param keyFile a file to create with the change
   * @throws a configuration error if the result would not be valid, or if the file has changed meanwhile
   */
  store(change: Change, keyFile?: KeyFile): Promise<void>
}

/** Reads the configuration to change it. */
export async function beginEdit(context: Context): Promise<ConfigurationEdit> {
  const configurations = await readCheckedConfiguration(context)
  const file = editableFile(configurations, context.host)
  const before = await readText(file)
  const write = async (text: string, keyFile: KeyFile | undefined) => {
    const check = async () => {
      if ((await readText(file)) !== before) {
        refuseFile(file, 'the file has changed meanwhile', 'run the command again')
      }
      if (!keyFile) return
      await writeFile(keyFile.path, `${keyFile.key}\n`, { shown: keyFile.path, mode: PRIVATE })
    }
    // If this fails, so does writing the file, with the reason.
    await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch(() => {})
    // A link stays a link.
    const path = before === undefined ? file : await realpath(file)
    await writeFile(path, text, { shown: file, mode: PRIVATE, replaces: true, check })
    context.isCommitted = true
  }
  return {
    configurations,
    file,
    async store(change, keyFile) {
      const text = await editedText(file, before ?? '', change)
      await write(text, keyFile).finally(context.host.holdSignals())
    },
  }
}

/**
 * A profile of the user's configuration, to change it.
 * @throws a configuration error for an unknown one and for one of a project
 */
export function ownProfile(name: string, configurations: Configurations): Profile {
  const profile = configurations.profiles.get(name)
  if (!profile) throw unknownProfile(name, [...configurations.profiles.keys()])
  if (profile.trust === 'user') return profile
  const what = `profile '${name}' is defined in ${profile.file}, which belongs to the project`
  return refuse(what, 'edit that file')
}
