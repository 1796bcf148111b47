// Explains errors of the YAML parser, whose messages quote the text, which may contain a key.
import type { CST, Document, ErrorCode, YAMLError } from 'yaml'

/** What is wrong with a document, where, and how to correct it. */
export interface Fault {
  offset: number
  problem: string | undefined
  correction: string
}

const QUOTE = 'put single quotes around the value'
const INDENT = 'indent it like the entries beside it'
const CORRECT = 'correct the file at that place'

/** The problem and its correction by the parser's code. */
const problems: Partial<Record<ErrorCode, { problem: string; correction?: string }>> = {
  BAD_DQ_ESCAPE: {
    problem: 'unknown escape in double quotes',
    correction: 'use single quotes, as for every pattern',
  },
  BAD_INDENT: {
    problem: 'wrong indentation',
    correction: INDENT,
  },
  BAD_SCALAR_START: {
    problem: 'a value that must be quoted',
    correction: QUOTE,
  },
  BLOCK_AS_IMPLICIT_KEY: {
    problem: "': ' in a value without quotes",
    correction: QUOTE,
  },
  DUPLICATE_KEY: {
    problem: 'a duplicate key',
    correction: 'remove one of them',
  },
  MISSING_CHAR: {
    problem: 'a missing quotation mark, bracket, colon or comma',
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

export function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : []
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value]).filter((child) => child != null)
}

/** A list or map in brackets. */
interface Flow {
  start: number
  /** Undefined if the closing bracket is missing. */
  end: number | undefined
}

/** The lists and maps in brackets, in their order. */
function flowsIn(tokens: readonly CST.Token[]): Flow[] {
  const flows: Flow[] = []
  for (let level = tokens; level.length > 0; level = level.flatMap(childrenOf)) {
    for (const one of level) {
      if (one.type !== 'flow-collection') continue
      const closing = one.start.source === '[' ? 'flow-seq-end' : 'flow-map-end'
      const bracket = one.end.find(({ type }) => type === closing)
      flows.push({ start: one.offset, end: bracket?.offset })
    }
  }
  return flows.toSorted((a, b) => a.start - b.start)
}

/** The errors that wrong indentation causes where they begin a line. */
const indentationErrors: ReadonlySet<ErrorCode> = new Set([
  'BAD_INDENT',
  'BLOCK_AS_IMPLICIT_KEY',
  'MISSING_CHAR',
  'UNEXPECTED_TOKEN',
])

/** The offset of the first character from an offset that is not a space. */
function afterSpaces(text: string, offset: number): number {
  return offset + text.slice(offset).search(/[^ ]|$/)
}

/**
 * The offset of a key that is indented too far. With the value on the line above it, the parser takes it for the end of a key
 * of several lines.
 */
function nestedKey(text: string, errors: readonly YAMLError[], offset: number): number | undefined {
  const long = errors.find(
    ({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === offset,
  )
  const lineBreak = long ? text.slice(...long.pos).lastIndexOf('\n') : -1
  return lineBreak === -1 ? undefined : afterSpaces(text, offset + lineBreak + 1)
}

/** Wrong indentation, or a missing bracket: the parser finds both on another line, or as another problem. */
function layoutFault(
  text: string,
  tokens: readonly CST.Token[],
  errors: readonly YAMLError[],
): Fault | undefined {
  const [first] = errors
  if (!first) return undefined
  const [offset] = first.pos
  const flows = flowsIn(tokens)
  const open = flows.findLast(({ start, end }) => end === undefined && start < offset)
  if (open && first.code === 'BAD_INDENT') {
    const correction = `${QUOTE} if it is a pattern; otherwise close the bracket, and indent what is in it`
    return { offset: open.start, problem: 'a missing bracket', correction }
  }
  // In brackets, indentation means nothing.
  if (flows.some(({ start, end = text.length }) => start < offset && offset < end)) return undefined
  const beginsLine = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === ''
  const key = beginsLine ? undefined : nestedKey(text, errors, offset)
  if (key !== undefined) {
    const correction = `${INDENT}; a text of several lines begins with '|'`
    return { offset: key, problem: 'wrong indentation', correction }
  }
  const word = afterSpaces(text, offset)
  const isWord = word < text.length && !/[\]}\r\n]/.test(text.charAt(word))
  if (!beginsLine || !isWord || !indentationErrors.has(first.code)) return undefined
  return { offset: word, problem: 'wrong indentation', correction: INDENT }
}

/** The first fault of a document; undefined if it has none. */
export function faultOf(
  text: string,
  tokens: readonly CST.Token[],
  { errors, warnings }: Document.Parsed,
  isJson: boolean,
): Fault | undefined {
  const fault = isJson ? undefined : layoutFault(text, tokens, errors)
  // An unknown tag is a warning, but its value would be another text.
  const [error] = [...errors, ...warnings]
  if (fault || !error) return fault
  const { problem, correction = CORRECT } = problems[error.code] ?? { problem: undefined }
  const [offset] = error.pos
  if (!isJson || error.code === 'DUPLICATE_KEY') return { offset, problem, correction }
  if (error.code !== 'BAD_DQ_ESCAPE') return { offset, problem, correction: CORRECT }
  return { offset, problem: 'unknown escape', correction: 'write \\\\ for a backslash' }
}
