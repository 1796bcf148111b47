import {
  Composer,
  type CST,
  type Document,
  type ErrorCode,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  Parser,
  type YAMLMap,
} from 'yaml'
import { FlagadmError, type ErrorKind } from '../errors.ts'
import { memoized } from '../memoized.ts'
import { MAX_CHARACTERS, MAX_ENTRIES, MAX_LEVELS } from './document-limits.ts'
import type { Path, Position } from './shape.ts'

export interface DocumentSource {
  name: string
  kind: ErrorKind
  /** Whether the document may be larger as JSON. */
  takesLargeJson?: boolean
}

export interface PlacedDocument {
  data: unknown
  isJson: boolean
  /** The position of the field at a path, or of the last field on the way to it. */
  positionOf(path: Path): Position
  /** The line of a field for an error: `flags.yaml:3`. */
  placeOf(path: Path): string
}

const QUOTE = 'put single quotes around the value'
const INDENT = 'indent the entry like those beside it'
const CORRECT = 'correct the file at that place'

// The parser's own messages quote the text, which may contain a key.

/** What is wrong with a document, and how to correct it, by the parser's code. */
const problems: Partial<Record<ErrorCode, { problem: string; correction?: string }>> = {
  BAD_DQ_ESCAPE: {
    problem: 'unknown escape in double quotes',
    correction: 'use single quotes, as for every pattern',
  },
  BAD_INDENT: {
    problem: 'wrong indentation, or a missing bracket',
    correction: `${INDENT}; ${QUOTE} if it is a pattern`,
  },
  BAD_SCALAR_START: {
    problem: 'a value that must be quoted',
    correction: QUOTE,
  },
  BLOCK_AS_IMPLICIT_KEY: {
    problem: "': ' in a value without quotes, or wrong indentation",
    correction: `${QUOTE}, or ${INDENT}`,
  },
  DUPLICATE_KEY: {
    problem: 'a duplicate key',
    correction: 'remove one of them',
  },
  MISSING_CHAR: {
    problem: 'a missing quotation mark, bracket, colon or comma',
    correction: `add it; ${QUOTE} if it is a pattern`,
  },
  MULTILINE_IMPLICIT_KEY: {
    problem: "no 'key: value'",
    correction: 'write a colon and a space after the key',
  },
  TAB_AS_INDENT: {
    problem: 'a tab as indentation',
    correction: 'indent with spaces',
  },
  TAG_RESOLVE_FAILED: {
    problem: "a value that begins with '!'",
    correction: QUOTE,
  },
  UNEXPECTED_TOKEN: {
    problem: 'unexpected text',
    correction: `${QUOTE} if it is a pattern`,
  },
}

/** The first fault of a document: an offset, what is wrong there, and how to correct it; undefined if it has none. */
function faultOf({ errors, warnings }: Document.Parsed, isJson: boolean) {
  // An unknown tag is a warning, but its value would be another text.
  const [error] = [...errors, ...warnings]
  if (!error) return undefined
  const [offset] = error.pos
  const { problem, correction = CORRECT } = problems[error.code] ?? {}
  if (!isJson || error.code === 'DUPLICATE_KEY') return { offset, problem, correction }
  if (error.code !== 'BAD_DQ_ESCAPE') return { offset, problem, correction: CORRECT }
  return { offset, problem: 'unknown escape', correction: 'write \\\\ for a backslash' }
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : []
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value]).filter((child) => child != null)
}

function exceededLimit(documents: readonly CST.Token[]): string | undefined {
  let level = documents
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) return `${MAX_LEVELS} levels`
    const isLarge = level.some((token) => 'items' in token && token.items.length > MAX_ENTRIES)
    if (isLarge) return `${MAX_ENTRIES} entries in one map or list`
    level = level.flatMap(childrenOf)
  }
  return undefined
}

function pairsOf(map: YAMLMap): Map<string, Pair> {
  return new Map(map.items.map((pair) => [isScalar(pair.key) ? String(pair.key.value) : '', pair]))
}

/** Returns a function that finds the key at a path, the value of an item in a list, or the last one on the way to it. */
function createFinder({ contents }: Document.Parsed): (path: Path) => unknown {
  // Each map is indexed only once, because a search takes as long as the map.
  const indexOf = memoized(pairsOf)
  return (path) => {
    let node: unknown = contents
    let value: unknown = contents
    for (const key of path) {
      const pair = isMap(value) ? indexOf(value).get(String(key)) : undefined
      const item = isSeq(value) ? value.items[Number(key)] : undefined
      if (!pair && !isNode(item)) break
      node = pair?.key ?? item
      value = pair ? pair.value : item
    }
    return node
  }
}

/**
 * Reads a YAML document, which may be JSON.
 * @throws an error, where possible with the position, if it is malformed or too large
 */
export function readYaml(
  text: string,
  { name, kind, takesLargeJson = false }: DocumentSource,
): PlacedDocument {
  const isJson = /\.json$/i.test(name) || /^\s*[[{]\s*"/.test(text)
  const lines = new LineCounter()
  const fail = (what: string, hint: string, offset?: number): never => {
    const { line, col } = lines.linePos(offset ?? 0)
    const place = offset === undefined ? '' : `:${line}:${col}`
    throw new FlagadmError(kind, `${name}${place}: ${what}`, { hint })
  }
  const tooLong = text.length > MAX_CHARACTERS && `${MAX_CHARACTERS} characters`
  const tokens = tooLong ? [] : [...new Parser(lines.addNewLine).parse(text)]
  const limit = tooLong || exceededLimit(tokens)
  const smaller =
    takesLargeJson && !isJson ? 'make it smaller, or write it as JSON' : 'make it smaller'
  if (limit) fail(`YAML with more than ${limit}`, smaller)
  const composer = new Composer({ merge: true, stringKeys: true, lineCounter: lines })
  const [document, second] = composer.compose(tokens, true, text.length)
  if (!document) throw new Error('the composer returned no document')
  const malformed = 'not valid YAML or JSON'
  const fault = faultOf(document, isJson)
  if (fault) {
    const { problem, correction, offset } = fault
    fail(problem === undefined ? malformed : `${malformed}: ${problem}`, correction, offset)
  }
  if (second) fail(`${malformed}: a second document`, "leave out the line '---'", second.range[0])
  const nodeAt = createFinder(document)
  const positionOf = (path: Path): Position => {
    const node = nodeAt(path)
    const { line, col } = lines.linePos((isNode(node) && node.range?.[0]) || 0)
    return { line, column: col }
  }
  const placeOf = (path: Path) => `${name}:${positionOf(path).line}`
  try {
    return { data: document.toJS(), isJson, positionOf, placeOf }
  } catch {
    const what = "a value that begins with '*', or '<<' with a value that is not a map"
    return fail(`${malformed}: ${what}`, 'put single quotes around the value')
  }
}
