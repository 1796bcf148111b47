import { Document, isMap, isScalar, parseDocument, YAMLMap } from 'yaml'
import { FlagadmError } from '../errors.ts'
import { checkText } from './content.ts'
import { rootOf } from './root.ts'
import { checkProfiles, type Profile } from './profiles.ts'
import type { ProfileFields } from './schema.ts'

/** Changes the fields of a configuration file; keeps comments and the order of the other fields. */
export class Editor {
  readonly #document: Document
  readonly #root: readonly string[]

  constructor(document: Document, root: readonly string[]) {
    this.#document = document
    this.#root = root
  }

  #at(...path: readonly string[]): string[] {
    return [...this.#root, ...path]
  }

  #map(...path: readonly string[]): YAMLMap {
    const node = this.#document.getIn(this.#at(...path))
    if (isMap(node)) return node
    throw new Error(`${path.join('.')} is not a map`)
  }

  /** The field that specifies the default profile: `profile` precedes `defaultProfile`. */
  #defaultField(): 'profile' | 'defaultProfile' {
    return this.#document.hasIn(this.#at('profile')) ? 'profile' : 'defaultProfile'
  }

  get default(): unknown {
    return this.#document.getIn(this.#at(this.#defaultField()))
  }

  setDefault(name: string): void {
    this.#document.setIn(this.#at(this.#defaultField()), name)
  }

  add(name: string, fields: ProfileFields): void {
    const path = this.#at('profiles', name)
    this.#document.setIn(path, this.#document.createNode(fields))
    const { apiKeyCommand: command } = fields
    if (!command) return
    const line = this.#document.createNode(command, { flow: true })
    this.#document.setIn([...path, 'apiKeyCommand'], line)
  }

  remove({ name, path, fields }: Profile): void {
    if (path.length > 0) this.#document.deleteIn(this.#at(...path))
    else for (const field of Object.keys(fields)) this.#document.deleteIn(this.#at(field))
    if (this.default === name) this.#document.deleteIn(this.#at(this.#defaultField()))
  }

  rename({ name, path, fields }: Profile, to: string): void {
    const wasDefault = (this.default ?? 'default') === name
    if (path.length > 0) {
      for (const { key } of this.#map('profiles').items) {
        if (isScalar(key) && key.value === name) key.value = to
      }
    } else {
      // The pairs move as they are, so they keep their comments.
      const { items } = this.#map()
      const own = items.filter(({ key }) => isScalar(key) && String(key.value) in fields)
      const moved = new YAMLMap()
      moved.items = own
      this.#document.setIn(this.#at('profiles', to), moved)
      const all = this.#map()
      all.items = all.items.filter((pair) => !own.includes(pair))
    }
    if (wasDefault) this.setDefault(to)
  }
}

/** The data of JSON text; undefined for other text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function renderJson(document: Document, before: string): string {
  const [indent = '  '] = /^[ \t]+(?=")/m.exec(before) ?? []
  const space = before.trim().includes('\n') ? indent : undefined
  const end = before.endsWith('\n') ? '\n' : ''
  return JSON.stringify(document.toJS(), null, space) + end
}

function renderYaml(document: Document, before: string): string {
  const flowCollectionPadding = /[[{] /.test(before)
  const text = document.toString({ lineWidth: 0, flowCollectionPadding })
  return before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text
}

/**
 * The text of a configuration file after a change, in the format of the text before: JSON stays JSON.
 * @throws a configuration error if the change is not possible or its result would not be valid
 */
export async function editedText(
  path: string,
  before: string,
  change: (editor: Editor) => void,
): Promise<string> {
  const json = jsonOf(before)
  const document: Document =
    json === undefined
      ? parseDocument(before, { uniqueKeys: false, stringKeys: true })
      : new Document(json)
  let after: string
  try {
    change(new Editor(document, rootOf(path)))
    after = (json === undefined ? renderYaml : renderJson)(document, before)
  } catch (cause) {
    // An alias, for example, may refer to what was removed.
    const what = `${path}: this change is not possible`
    throw new FlagadmError('configuration', what, { hint: 'edit the file by hand', cause })
  }
  checkProfiles(path, await checkText(path, after))
  return after
}
