import {
  Composer,
  type CST,
  type Document,
  type ErrorCode,
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
import type { Position } from './position.ts'
import type { Path } from './shape.ts'

/** The data of a document, and where its fields are. */
export interface PlacedDocument {
  data: unknown
  /** The line of the field at a path, or of the last field on the way to it. */
  lineOf(path: Path): number
}

const MAX_CHARACTERS = 1_000_000
const MAX_LEVELS = 100
const MAX_ALIASES = 100
const MALFORMED = 'not valid YAML or JSON'
const CORRECT = 'correct the file at that place'

/** The problem and its correction, by the parser's code. Its messages quote the text, which may contain a key. */
const problems: Partial<Record<ErrorCode, readonly [problem: string, correction?: string]>> = {
  BAD_DQ_ESCAPE: ['unknown escape in double quotes', 'use single quotes, as for every pattern'],
  BAD_INDENT: ['wrong indentation or a missing bracket'],
  BAD_SCALAR_START: ['a value that must be quoted', 'put single quotes around the value'],
  BLOCK_AS_IMPLICIT_KEY: ["': ' in a value without quotes", 'put single quotes around the value'],
  MISSING_CHAR: ['a missing quotation mark, bracket, colon or comma'],
  MULTILINE_IMPLICIT_KEY: ['a line without a colon'],
  TAB_AS_INDENT: ['a tab as indentation', 'indent with spaces'],
}

/** The name of a document in errors, and their kind. */
interface Source {
  name: string
  kind: ErrorKind
  /** The hint for a document that exceeds a limit. */
  smaller: string
  /** A command that prints a valid document, for the hint. */
  example?: string | undefined
}

/** Throws unless a document is within a limit, because parsing takes quadratic time. */
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

/** The nodes of a YAML document without duplicate keys and unknown aliases, and its lines. */
function checkYaml(text: string, { name, kind, smaller, example }: Source) {
  const lines = new LineCounter()
  const limit: Limit = (isWithin, most) => {
    if (isWithin) return
    throw new FlagadmError(kind, `${name}: YAML with more than ${most}`, { hint: smaller })
  }
  const correct = example === undefined ? CORRECT : `${CORRECT}; ${example} prints a valid one`
  const fail = (offset: number, problem?: string, hint = correct): never => {
    const { line, col } = lines.linePos(offset)
    const what = [MALFORMED, problem].filter(Boolean).join(': ')
    throw new FlagadmError(kind, `${name}:${line}:${col}: ${what}`, { hint })
  }
  limit(text.length <= MAX_CHARACTERS, `${MAX_CHARACTERS} characters`)
  // The library compares every pair of keys, so duplicates are found below instead.
  const composer = new Composer({ uniqueKeys: false, stringKeys: true, lineCounter: lines })
  const tokens = shallow(new Parser(lines.addNewLine).parse(text), limit)
  const [document, second] = composer.compose(tokens, true, text.length)
  if (!document) throw new Error('the composer returned no document')
  const [error] = document.errors
  if (error) fail(error.pos[0], ...(problems[error.code] ?? []))
  if (second) fail(second.range[0], 'a second document', "leave out the line '---'")
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
          fail(start, 'a duplicate key', `remove it; the first one is in line ${line}`)
        }
        keys.set(key.value, start)
      }
    },
    Alias(_key, alias) {
      // Resolving an alias searches the whole document.
      limit(++aliases <= MAX_ALIASES, `${MAX_ALIASES} aliases`)
      if (alias.resolve(document)) return
      fail(alias.range?.[0] ?? 0, "a value that begins with '*'", 'put single quotes around it')
    },
  })
  return { document, lines }
}

/** The nodes of a field's key and value; for an item of a list, the item twice. */
function step(document: Document.Parsed, node: unknown, key: string | number): unknown[] {
  const parent = isAlias(node) ? node.resolve(document) : node
  if (isSeq(parent)) {
    const item = parent.items[Number(key)]
    return [item, item]
  }
  if (!isMap(parent)) return []
  const pair = parent.items.find((item) => isScalar(item.key) && item.key.value === key)
  return [pair?.key, pair?.value]
}

/**
 * Reads a YAML document; it has no duplicate keys.
 * @throws an error with the position if it is malformed
 */
export function readYaml(text: string, source: Source): PlacedDocument {
  const { document, lines } = checkYaml(text, source)
  const lineOf = (path: Path) => {
    let value: unknown = document.contents
    let start = 0
    for (const name of path) {
      const [key, next] = step(document, value, name)
      if (!isNode(key)) break
      value = next
      start = key.range?.[0] ?? 0
    }
    return lines.linePos(start).line
  }
  try {
    return { data: document.toJS(), lineOf }
  } catch {
    throw new FlagadmError(source.kind, `${source.name}: ${MALFORMED}`, { hint: CORRECT })
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
