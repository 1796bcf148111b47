import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  Parser,
  visit,
} from 'yaml'
import { type ErrorKind, FlagadmError } from '../errors.ts'
import type { Path } from './shape.ts'

/** A place in text; both numbers begin at 1. */
export interface Position {
  line: number
  column: number
}

/** The data of a document, and where its fields are. */
export interface PlacedDocument {
  data: unknown
  /** The line of the field at a path, or of the last field on the way to it. */
  lineOf(path: Path): number
}

// The parser takes more than linear time.
const MAX_CHARACTERS = 1_000_000
const MAX_LEVELS = 100
const MAX_ALIASES = 100
const MALFORMED = 'not valid YAML or JSON'

/** What to call a document in an error, and the kind of error. */
interface Source {
  name: string
  kind: ErrorKind
}

/** Throws unless a document is within a limit, because larger ones would take the parser quadratic time. */
type Limit = (isWithin: boolean, limit: string) => void

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

/**
 * The nodes of a YAML document without duplicate keys and unknown aliases, and its lines.
 * @param smaller the hint for a document that exceeds a limit
 */
function checkYaml(text: string, { name, kind }: Source, smaller: string) {
  const lines = new LineCounter()
  const limit: Limit = (isWithin, most) => {
    if (isWithin) return
    throw new FlagadmError(kind, `${name}: YAML with more than ${most}`, { hint: smaller })
  }
  // Errors contain only a position: the parser's messages quote the text, which may contain a key.
  const fail = (offset: number, hint = 'correct the file at that place'): never => {
    const { line, col } = lines.linePos(offset)
    throw new FlagadmError(kind, `${name}:${line}:${col}: ${MALFORMED}`, { hint })
  }
  limit(text.length <= MAX_CHARACTERS, `${MAX_CHARACTERS} characters`)
  // The library compares every pair of keys, so duplicates are found below instead.
  const composer = new Composer({ uniqueKeys: false, stringKeys: true, lineCounter: lines })
  const tokens = shallow(new Parser(lines.addNewLine).parse(text), limit)
  const [document, second] = composer.compose(tokens, true, text.length)
  if (!document) throw new Error('the composer returned no document')
  const problem = document.errors[0]?.pos[0] ?? second?.range[0]
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
  return { document, lines }
}

/** The value of a field, and the offset of its key. */
interface Step {
  value: unknown
  start: number
}

function step(document: Document.Parsed, node: unknown, key: string | number): Step | undefined {
  const parent = isAlias(node) ? node.resolve(document) : node
  if (isSeq(parent)) {
    const value = parent.items[Number(key)]
    return isNode(value) ? { value, start: value.range?.[0] ?? 0 } : undefined
  }
  if (!isMap(parent)) return undefined
  const pair = parent.items.find((item) => isScalar(item.key) && item.key.value === key)
  return isScalar(pair?.key) ? { value: pair?.value, start: pair.key.range?.[0] ?? 0 } : undefined
}

/**
 * Reads a YAML document; it has no duplicate keys.
 * @param smaller the hint for a document that exceeds a limit
 * @throws an error with the position if it is malformed
 */
export function readYaml(text: string, source: Source, smaller: string): PlacedDocument {
  const { document, lines } = checkYaml(text, source, smaller)
  const lineOf = (path: Path) => {
    let found: Step = { value: document.contents, start: 0 }
    for (const key of path) {
      const next = step(document, found.value, key)
      if (!next) break
      found = next
    }
    return lines.linePos(found.start).line
  }
  try {
    return { data: document.toJS(), lineOf }
  } catch {
    throw new FlagadmError(source.kind, `${source.name}: ${MALFORMED}`, {
      hint: 'correct the file at that place',
    })
  }
}

/** The position of the value at `path` in a well-formed document; undefined if there is none. */
export function positionOf(text: string, path: Path): Position | undefined {
  const lines = new LineCounter()
  const options = { lineCounter: lines, uniqueKeys: false, stringKeys: true }
  const node = parseDocument(text, options).getIn(path, true)
  if (!isNode(node) || !node.range) return undefined
  const { line, col } = lines.linePos(node.range[0])
  return { line, column: col }
}
