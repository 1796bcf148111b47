import type { CST, LineCounter } from 'yaml'
import { type ErrorKind, FlagadmError } from '../errors.ts'
import { isObject } from './json.ts'
import type { Path } from './shape.ts'

const MAX_CHARACTERS = 1_000_000
const MAX_LEVELS = 100
const MAX_ALIASES = 100

export interface Position {
  line: number
  column: number
}

function malformed(name: string, kind: ErrorKind, at?: Position, hint?: string): FlagadmError {
  const where = at ? `${name}:${at.line}:${at.column}` : name
  return new FlagadmError(kind, `${where}: not valid YAML or JSON`, {
    hint: hint ?? 'correct the file at that place',
  })
}

/** Throws unless a document is within a limit, since larger ones would take the parser quadratic time. */
type Limit = (isWithin: boolean, limit: string) => void

const makeSmaller = 'make it smaller, or write it as JSON'

function limitFor(name: string, kind: ErrorKind, hint: string): Limit {
  return (isWithin, limit) => {
    if (isWithin) return
    throw new FlagadmError(kind, `${name}: YAML with more than ${limit}`, { hint })
  }
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : []
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value]).filter((child) => child != null)
}

/** The tokens; throws if they are nested so deeply that composing them would overflow the stack. */
function* shallow(tokens: Iterable<CST.Token>, limit: Limit): Generator<CST.Token> {
  for (const token of tokens) {
    let level = [token]
    for (let depth = 0; level.length > 0; depth++) {
      limit(depth <= MAX_LEVELS, `${MAX_LEVELS} levels`)
      level = level.flatMap(childrenOf)
    }
    yield token
  }
}

type Nodes = import('yaml').Document.Parsed

/** Parses one YAML document with options that keep the work linear. */
async function composeYaml(
  text: string,
  lines: LineCounter,
  limit: Limit,
): Promise<{ document: Nodes; problem: number | undefined }> {
  const { Composer, Parser } = await import('yaml')
  limit(text.length <= MAX_CHARACTERS, `${MAX_CHARACTERS} characters`)
  // The library compares every pair of keys, so parseYaml looks for duplicates instead.
  const composer = new Composer({ uniqueKeys: false, stringKeys: true, lineCounter: lines })
  const tokens = shallow(new Parser(lines.addNewLine).parse(text), limit)
  const [document, second] = composer.compose(tokens, true, text.length)
  if (!document) throw new Error('the composer returned no document')
  return { document, problem: document.errors[0]?.pos[0] ?? second?.range[0] }
}

/** A YAML document without duplicate keys and unknown aliases. */
interface CheckedYaml {
  document: Nodes
  lines: LineCounter
  /** @throws an error if the document cannot be converted to data */
  data(): unknown
}

// Errors contain only a position, since the parser's messages quote the text, which may contain a key.
async function checkYaml(
  text: string,
  name: string,
  kind: ErrorKind,
  smaller = makeSmaller,
): Promise<CheckedYaml> {
  const { isScalar, LineCounter, visit } = await import('yaml')
  const lines = new LineCounter()
  const limit = limitFor(name, kind, smaller)
  const fail = (offset: number, hint?: string): never => {
    const { line, col } = lines.linePos(offset)
    throw malformed(name, kind, { line, column: col }, hint)
  }
  const { document, problem } = await composeYaml(text, lines, limit)
  if (problem !== undefined) fail(problem)
  let aliases = 0
  visit(document, {
    Map(_key, { items }) {
      const keys = new Map<unknown, number>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        const [start = 0] = key.range ?? []
        const first = keys.get(key.value)
        if (first !== undefined) {
          const { line } = lines.linePos(first)
          fail(start, `remove the duplicate key; the first one is in line ${line}`)
        }
        keys.set(key.value, start)
      }
    },
    Alias(_key, alias) {
      // Resolving an alias searches the whole document.
      limit(++aliases <= MAX_ALIASES, `${MAX_ALIASES} aliases`)
      if (alias.resolve(document)) return
      fail(alias.range?.[0] ?? 0, "put quotation marks around a value that begins with '*'")
    },
  })
  return {
    document,
    lines,
    data() {
      try {
        return document.toJS()
      } catch {
        throw malformed(name, kind)
      }
    },
  }
}

function parseJson(text: string): { data: unknown } | undefined {
  try {
    return { data: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The data without `$schema`, with which a document refers to the schema that editors use. */
export function withoutSchema(data: unknown): unknown {
  if (!isObject(data) || typeof data.$schema !== 'string') return data
  const { $schema: _schema, ...rest } = data
  return rest
}

/**
 * The data of a YAML or JSON document, without `$schema`.
 * @param name what to call the document in an error
 * @param kind the kind of error to throw when it is malformed or exceeds a limit
 */
export async function parseDocument(text: string, name: string, kind: ErrorKind): Promise<unknown> {
  const json = parseJson(text)
  return withoutSchema(json ? json.data : (await checkYaml(text, name, kind)).data())
}

/** The data of a document, and where its fields are. */
export interface PlacedDocument {
  data: unknown
  /** The line of the field at a path, or of the last field on the way to it. */
  lineOf(path: Path): number
}

/** Like `parseDocument`, but finds lines and refuses duplicate keys in JSON as well. */
export async function parsePlaced(
  text: string,
  name: string,
  kind: ErrorKind,
): Promise<PlacedDocument> {
  const { isAlias, isMap, isScalar, isSeq, isNode } = await import('yaml')
  // JSON is checked as YAML, which contains it.
  const { document, lines, data } = await checkYaml(
    text,
    name,
    kind,
    'make it smaller, or split it into several files',
  )

  /** The value of a field, and the offset of its key. */
  function step(
    node: unknown,
    key: string | number,
  ): { value: unknown; start: number } | undefined {
    const parent = isAlias(node) ? node.resolve(document) : node
    if (isSeq(parent)) {
      const value = parent.items[Number(key)]
      return isNode(value) ? { value, start: value.range?.[0] ?? 0 } : undefined
    }
    if (!isMap(parent)) return undefined
    const pair = parent.items.find((item) => isScalar(item.key) && item.key.value === key)
    return isScalar(pair?.key) ? { value: pair?.value, start: pair.key.range?.[0] ?? 0 } : undefined
  }

  return {
    data: withoutSchema(parseJson(text)?.data ?? data()),
    lineOf(path) {
      let found: { value: unknown; start: number } = { value: document.contents, start: 0 }
      for (const key of path) {
        const next = step(found.value, key)
        if (!next) break
        found = next
      }
      return lines.linePos(found.start).line
    },
  }
}

/** The position of the value at `path` in a well-formed document; undefined if there is none. */
export async function locate(
  text: string,
  path: readonly (string | number)[],
): Promise<Position | undefined> {
  const { LineCounter, isNode, parseDocument: parseNodes } = await import('yaml')
  const lines = new LineCounter()
  const node = parseNodes(text, { lineCounter: lines, uniqueKeys: false, stringKeys: true }).getIn(
    path,
    true,
  )
  if (!isNode(node) || !node.range) return undefined
  const { line, col } = lines.linePos(node.range[0])
  return { line, column: col }
}
