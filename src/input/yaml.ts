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
  Parser,
  visit,
} from 'yaml'
import { type ErrorKind, FlagadmError } from '../errors.ts'
import type { Position } from './position.ts'
import type { Path } from './shape.ts'

/** The data of a document, and where its fields are. */
export interface PlacedDocument {
  data: unknown
  /** Whether the document is written as JSON. */
  isJson: boolean
  /** The line of the field at a path, or of the last field on the way to it. */
  lineOf(path: Path): number
  /** The position of the value at a path; undefined if there is none. */
  positionOf(path: Path): Position | undefined
}

// Parsing and the search for duplicate keys take quadratic time.
const MAX_CHARACTERS = 1_000_000
const MAX_LEVELS = 100
const MAX_ENTRIES = 10_000
const MAX_ALIASES = 100

const MALFORMED = 'not valid YAML or JSON'
const CORRECT = 'correct the file at that place'
const QUOTE = 'put single quotes around the value'

/** The problem and its correction in YAML, by the parser's code. Its messages quote the text, which may contain a key. */
const problems: Partial<Record<ErrorCode, readonly [problem: string, correction?: string]>> = {
  BAD_DQ_ESCAPE: ['unknown escape in double quotes', 'use single quotes, as for every pattern'],
  BAD_INDENT: ['wrong indentation or a missing bracket', `${QUOTE} if it begins with [ or {`],
  BAD_SCALAR_START: ['a value that must be quoted', QUOTE],
  BLOCK_AS_IMPLICIT_KEY: ["': ' in a value without quotes", QUOTE],
  DUPLICATE_KEY: ['a duplicate key', 'remove one of them'],
  MISSING_CHAR: ['a missing quotation mark, bracket, colon or comma'],
  MULTILINE_IMPLICIT_KEY: ['a line without a colon'],
  TAB_AS_INDENT: ['a tab as indentation', 'indent with spaces'],
  TAG_RESOLVE_FAILED: ["a value that begins with '!'", QUOTE],
  UNEXPECTED_TOKEN: ['unexpected text', `${QUOTE} if it is a pattern`],
}

/** The name of a document in errors, and their kind. */
interface Source {
  name: string
  kind: ErrorKind
  /** A command that prints a valid document, for the hint. */
  example?: string | undefined
}

/** Throws unless a document is within a limit. */
type Limit = (isWithin: boolean, limit: string) => void

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : []
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value]).filter((child) => child != null)
}

/** The tokens; throws for those that would take too long to compose, or overflow the stack. */
function* withinLimits(tokens: Iterable<CST.Token>, limit: Limit): Generator<CST.Token> {
  for (const token of tokens) {
    let level = [token]
    for (let depth = 0; level.length > 0; depth++) {
      limit(depth <= MAX_LEVELS, `${MAX_LEVELS} levels`)
      const isSmall = level.every((one) => !('items' in one) || one.items.length <= MAX_ENTRIES)
      limit(isSmall, `${MAX_ENTRIES} entries in one map or list`)
      level = level.flatMap(childrenOf)
    }
    yield token
  }
}

/** The nodes of a document, its lines, and whether it is JSON. */
function checkYaml(text: string, { name, kind, example }: Source) {
  const lines = new LineCounter()
  const isJson = /\.json$/i.test(name) || /^\s*[[{]\s*"/.test(text)
  const limit: Limit = (isWithin, most) => {
    if (isWithin) return
    throw new FlagadmError(kind, `${name}: YAML with more than ${most}`, {
      hint: 'make it smaller',
    })
  }
  const correct = example === undefined ? CORRECT : `${CORRECT}; ${example} prints a valid one`
  const fail = (offset: number, problem?: string, hint = correct): never => {
    const { line, col } = lines.linePos(offset)
    const what = [MALFORMED, problem].filter(Boolean).join(': ')
    throw new FlagadmError(kind, `${name}:${line}:${col}: ${what}`, { hint })
  }
  limit(text.length <= MAX_CHARACTERS, `${MAX_CHARACTERS} characters`)
  const composer = new Composer({ merge: true, stringKeys: true, lineCounter: lines })
  const tokens = withinLimits(new Parser(lines.addNewLine).parse(text), limit)
  const [document, second] = composer.compose(tokens, true, text.length)
  if (!document) throw new Error('the composer returned no document')
  // An unknown tag is a warning, but its value would be another text.
  const [error] = [...document.errors, ...document.warnings]
  if (error) {
    const [problem, correction] = problems[error.code] ?? []
    const [start] = error.pos
    if (!isJson || error.code === 'DUPLICATE_KEY') fail(start, problem, correction)
    if (error.code !== 'BAD_DQ_ESCAPE') fail(start, problem)
    fail(start, 'unknown escape', 'write \\\\ for a backslash')
  }
  if (second) fail(second.range[0], 'a second document', "leave out the line '---'")
  let aliases = 0
  visit(document, {
    Alias(_key, alias) {
      // Resolving an alias searches the whole document.
      limit(++aliases <= MAX_ALIASES, `${MAX_ALIASES} aliases`)
      if (!alias.resolve(document))
        fail(alias.range?.[0] ?? 0, "a value that begins with '*'", QUOTE)
    },
  })
  return { document, lines, isJson }
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
 * Reads a YAML document, which may be JSON.
 * @throws an error with the position if it is malformed
 */
export function readYaml(text: string, source: Source): PlacedDocument {
  const { document, lines, isJson } = checkYaml(text, source)
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
  const positionOf = (path: Path) => {
    const node = document.getIn(path, true)
    if (!isNode(node) || !node.range) return undefined
    const { line, col } = lines.linePos(node.range[0])
    return { line, column: col }
  }
  try {
    return { data: document.toJS(), isJson, lineOf, positionOf }
  } catch {
    // A merge key '<<' whose value is not a map.
    throw new FlagadmError(source.kind, `${source.name}: ${MALFORMED}`, { hint: CORRECT })
  }
}
