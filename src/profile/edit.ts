import { mkdir, readFile, realpath, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Document, isMap, parseDocument, Scalar, visit, type YAMLMap } from 'yaml'
import type { Context } from '../context.ts'
import { fileReason, FlagadmError, isAbsent, refuseFile, writeHint } from '../errors.ts'
import { parsePlaced } from '../input/document.ts'
import { isObject } from '../input/json.ts'
import { writeFile } from '../output/file.ts'
import {
  type Configurations,
  editableFile,
  ownPart,
  type Profile,
  profilesOf,
  readCheckedConfiguration,
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

export function removeProfile(root: YAMLMap, { name, path, fields }: Profile): void {
  if (path.length > 0) root.deleteIn(path)
  else for (const field of Object.keys(fields)) root.delete(field)
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

function renderJson(document: Document, before: string): string {
  const [indent = '  '] = /^[ \t]+(?=")/m.exec(before) ?? []
  const end = before.endsWith('\n') ? '\n' : ''
  return JSON.stringify(document.toJS(), null, before.trim().includes('\n') ? indent : '') + end
}

function renderYaml(document: Document, before: string): string {
  const [indent = '  '] = /^ +(?=[^\s#])/m.exec(before) ?? []
  visit(document, {
    Scalar(_key, scalar) {
      // In a block, the library would write blanks so that they are read as another text.
      const isBlank = typeof scalar.value === 'string' && /^\s+$/.test(scalar.value)
      if (isBlank) scalar.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString({
    lineWidth: 0,
    indent: indent.length,
    indentSeq: !/^( *)\w+:.*\n\1- /m.test(before),
    flowCollectionPadding: /[[{] /.test(before),
  })
}

const BYTE_ORDER_MARK = '\ufeff'

/**
 * The text of a configuration file after a change, in the format of the text before: JSON stays JSON.
 * @throws a configuration error if the change is not possible or its result would not be valid
 */
export async function editedText(path: string, before: string, change: Change): Promise<string> {
  const mark = before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const text = before.slice(mark.length)
  // Refuses duplicate fields, of which only one would be kept.
  await parsePlaced(text, path, 'configuration')
  const document: Document = parseDocument(text, { uniqueKeys: false, stringKeys: true })
  if (document.contents === null) document.contents = document.createNode({})
  const root = document.getIn(rootOf(path))
  let after: string
  try {
    if (!isMap(root)) throw new Error('the configuration is not a map')
    change(root)
    after = (isJson(text) ? renderJson : renderYaml)(document, text)
  } catch (cause) {
    if (cause instanceof FlagadmError) throw cause
    // An alias, for example, may refer to what was removed.
    const what = `${path}: this change is not possible`
    throw new FlagadmError('configuration', what, { hint: 'edit the file by hand', cause })
  }
  // Refuses profiles that could not be read again.
  const { data } = await parsePlaced(after, path, 'configuration')
  const [field] = rootOf(path)
  const configuration = checkData(path, field !== undefined && isObject(data) ? data[field] : data)
  profilesOf({ path, trust: 'user', configuration })
  return mark + (text.includes('\r\n') ? after.replaceAll('\n', '\r\n') : after)
}

/** The text of a configuration file; undefined if it does not exist. */
async function readText(path: string): Promise<string | undefined> {
  try {
    const bytes = await readFile(path)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return refuseFile(path, 'not UTF-8', 'save it as UTF-8')
    // If a file is in place of its folder, the error appears when the folder is created.
    if (isAbsent(error)) return undefined
    return refuseFile(path, `cannot be read: ${fileReason(error)}`, 'check its permissions')
  }
}

async function createFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const what = `${path} cannot be created: ${fileReason(cause)}`
    throw new FlagadmError('unexpected', what, { hint: writeHint(cause), cause })
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
  const { host } = context
  const configurations = await readCheckedConfiguration(context)
  const file = editableFile(configurations, host)
  const before = await readText(file)
  const refuseChanged = async () => {
    if ((await readText(file)) === before) return
    refuseFile(file, 'the file has changed meanwhile', 'run the command again')
  }
  const write = async (text: string, keyFile: KeyFile | undefined) => {
    const options = { shown: file, mode: PRIVATE, replaces: true, check: refuseChanged }
    await createFolder(dirname(file))
    if (keyFile) {
      await writeFile(keyFile.path, `${keyFile.key}\n`, { shown: keyFile.path, mode: PRIVATE })
    }
    try {
      // A link stays a link.
      await writeFile(before === undefined ? file : await realpath(file), text, options)
      context.isCommitted = true
    } catch (error) {
      if (keyFile) await rm(keyFile.path, { force: true })
      throw error
    }
  }
  return {
    configurations,
    file,
    async store(change, keyFile) {
      const text = await editedText(file, before ?? '', change)
      await write(text, keyFile).finally(host.holdSignals())
    },
  }
}

/**
 * A profile of the user's configuration, to change it.
 * @throws a configuration error for an unknown one and for one of a project
 */
export function ownProfile(name: string, configurations: Configurations): Profile {
  const profile = configurations.profiles.get(name)
  if (profile?.trust === 'user') return profile
  if (profile) {
    const what = `profile '${name}' is defined in ${profile.file}, which belongs to the project`
    const hint = `edit that file, or use the profile with -p ${name}`
    throw new FlagadmError('configuration', what, { hint })
  }
  throw unknownProfile(name, [...ownPart(configurations).profiles.keys()])
}
