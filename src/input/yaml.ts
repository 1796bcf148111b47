import {
  Composer,
  type CST,
  type Document,
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
import { MAX_CHARACTERS, MAX_ENTRIES } from './document-limits.ts'
import type { Path, Position } from './shape.ts'
import { childrenOf, faultOf } from './yaml-faults.ts'

/** The name of a document in errors, and their kind. */
export interface DocumentSource {
  name: string
  kind: ErrorKind
}

/** The data of a document, and where its fields are. */
export interface PlacedDocument {
  data: unknown
  /** Whether the document is written as JSON. */
  isJson: boolean
  /** The position of the field at a path, or of the last field on the way to it. */
  positionOf(path: Path): Position
  /** The line of a field for an error: `flags.yaml:3`. */
  placeOf(path: Path): string
}

// Deep levels overflow the stack.
const MAX_LEVELS = 100

/** The limit that a document exceeds. */
function exceededLimit(documents: readonly CST.Token[]): string | undefined {
  let level = documents
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) return `${MAX_LEVELS} levels`
    const isLarge = level.some((one) => 'items' in one && one.items.length > MAX_ENTRIES)
    if (isLarge) return `${MAX_ENTRIES} entries in one map or list`
    level = level.flatMap(childrenOf)
  }
  return undefined
}

/** The pairs of a map by their keys. */
function pairsOf(map: YAMLMap): Map<string, Pair> {
  return new Map(map.items.map((pair) => [isScalar(pair.key) ? String(pair.key.value) : '', pair]))
}

/** Returns a function that finds the key at a path, the value of an item in a list, or the last one on the way to it. */
function createFinder({ contents }: Document.Parsed): (path: Path) => unknown {
  // Each map is indexed only once, because a search takes as long as the map.
  const indexes = new Map<YAMLMap, Map<string, Pair>>()
  const pairIn = (map: YAMLMap, key: string) => {
    const index = indexes.get(map) ?? pairsOf(map)
    indexes.set(map, index)
    return index.get(key)
  }
  return (path) => {
    let found: unknown = contents
    let value: unknown = contents
    for (const key of path) {
      const pair = isMap(value) ? pairIn(value, String(key)) : undefined
      const item = isSeq(value) ? value.items[Number(key)] : undefined
      if (!pair && !isNode(item)) break
      found = pair?.key ?? item
      value = pair ? pair.value : item
    }
    return found
  }
}

/**
 * Reads a YAML document, which may be JSON.
 * @throws an error, where possible with the position, if it is malformed or too large
 */
export function readYaml(text: string, { name, kind }: DocumentSource): PlacedDocument {
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
  if (limit) fail(`YAML with more than ${limit}`, 'make it smaller')
  const composer = new Composer({ merge: true, stringKeys: true, lineCounter: lines })
  const [document, second] = composer.compose(tokens, true, text.length)
  if (!document) throw new Error('the composer returned no document')
  const malformed = 'not valid YAML or JSON'
  const fault = faultOf(text, tokens, document, isJson)
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
    const what = "a value that begins with '*', or '<<' with a value that is no map"
    return fail(`${malformed}: ${what}`, 'put single quotes around the value')
  }
}
