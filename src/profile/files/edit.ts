import { type Document, isCollection, isMap, isPair, isScalar, parseDocument, YAMLMap } from 'yaml'
import { FlagadmError } from '../../errors.ts'
import { parsePlaced } from '../../input/document.ts'
import { quoteBlanks } from '../../old/output/yaml.ts'
import { checkText } from './content.ts'
import { rootOf } from './places.ts'
import { type Profile, profilesOf } from '../profiles.ts'
import type { ProfileFields } from './schema.ts'

/** Changes the fields of a configuration file; keeps comments and the order of the other fields. */
export class Editor {
  readonly #document: Document
  readonly #root: YAMLMap

  constructor(document: Document, root: readonly string[]) {
    if (document.contents === null) document.contents = document.createNode({})
    const map = document.getIn(root)
    if (!isMap(map)) throw new Error('the configuration is not a map')
    this.#document = document
    this.#root = map
  }

  /** The field that specifies the default profile: `profile` precedes `defaultProfile`. */
  get #defaultField(): string {
    return this.#root.has('profile') ? 'profile' : 'defaultProfile'
  }

  get #default(): unknown {
    return this.#root.get(this.#defaultField)
  }

  setDefault(name: string): void {
    this.#root.set(this.#defaultField, name)
  }

  add(name: string, fields: ProfileFields): void {
    const profiles = this.#root.get('profiles')
    // Empty profiles are written as {}, but the new one gets lines of its own.
    if (isMap(profiles) && profiles.items.length === 0) profiles.flow = false
    const { apiKeyCommand: command } = fields
    const line = command && this.#document.createNode(command, { flow: true })
    const profile = { ...fields, ...(line && { apiKeyCommand: line }) }
    this.#root.setIn(['profiles', name], this.#document.createNode(profile))
  }

  remove({ name, path, fields }: Profile): void {
    if (path.length > 0) this.#root.deleteIn(path)
    else for (const field of Object.keys(fields)) this.#root.delete(field)
    if (this.#default === name) this.#root.delete(this.#defaultField)
  }

  rename({ name, path, fields }: Profile, to: string): void {
    const wasDefault = (this.#default ?? 'default') === name
    const root = this.#root
    if (path.length > 0) {
      const profiles = root.get('profiles')
      if (!isMap(profiles)) throw new Error('profiles is not a map')
      for (const { key } of profiles.items) {
        if (isScalar(key) && key.value === name) key.value = to
      }
    } else {
      // The pairs move as they are, so they keep their comments.
      const own = root.items.filter(({ key }) => isScalar(key) && String(key.value) in fields)
      const moved = new YAMLMap()
      moved.items = own
      root.setIn(['profiles', to], moved)
      root.items = root.items.filter((pair) => !own.includes(pair))
    }
    if (wasDefault) this.setDefault(to)
  }
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
 * A node as JSON, which keeps the order of fields and the digits of numbers.
 * @param indent what to indent each level with; empty for text on one line
 * @param end the line break before the end of this node
 */
function jsonText(node: unknown, indent: string, end = indent && '\n'): string {
  if (isScalar(node)) {
    return node.type === 'PLAIN' && node.source ? node.source : JSON.stringify(node.value)
  }
  if (!isCollection(node)) return JSON.stringify(node)
  const [start, stop] = isMap(node) ? '{}' : '[]'
  const line = end + indent
  const parts = node.items.map((item) => {
    if (!isPair(item)) return jsonText(item, indent, line)
    return `${jsonText(item.key, indent)}:${indent && ' '}${jsonText(item.value, indent, line)}`
  })
  return parts.length > 0
    ? `${start}${line}${parts.join(`,${line}`)}${end}${stop}`
    : `${start}${stop}`
}

function renderJson({ contents }: Document, before: string): string {
  const [indent = '  '] = /^[ \t]+(?=")/m.exec(before) ?? []
  const end = before.endsWith('\n') ? '\n' : ''
  return jsonText(contents, before.trim().includes('\n') ? indent : '') + end
}

function renderYaml(document: Document, before: string): string {
  const [indent = '  '] = /^ +(?=[^\s#])/m.exec(before) ?? []
  quoteBlanks(document)
  const isFlow = isMap(document.contents) && document.contents.flow === true
  return document.toString({
    lineWidth: 0,
    indent: indent.length,
    indentSeq: !/^- /m.test(before),
    flowCollectionPadding: /[[{] /.test(before),
    // In what looks like JSON, new names and texts have quotation marks, too.
    ...(isFlow && { defaultKeyType: 'QUOTE_DOUBLE', defaultStringType: 'QUOTE_DOUBLE' }),
  })
}

const BYTE_ORDER_MARK = '\ufeff'

/** The text of a document in the format of the text before. */
function render(document: Document, before: string): string {
  const text = (isJson(before) ? renderJson : renderYaml)(document, before)
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
  const mark = before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const text = before.slice(mark.length)
  // Refuses duplicate fields, of which only one would be kept.
  await parsePlaced(text, path, 'configuration')
  const document: Document = parseDocument(text, { uniqueKeys: false, stringKeys: true })
  let after: string
  try {
    change(new Editor(document, rootOf(path)))
    after = render(document, text)
  } catch (cause) {
    if (cause instanceof FlagadmError) throw cause
    // An alias, for example, may refer to what was removed.
    const what = `${path}: this change is not possible`
    throw new FlagadmError('configuration', what, { hint: 'edit the file by hand', cause })
  }
  // Refuses profiles that could not be read again.
  profilesOf({ path, trust: 'user', configuration: await checkText(path, after) })
  return mark + after
}
