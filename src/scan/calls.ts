import type { NameAt } from './arguments.ts'
import { createHiddenCheck, syntaxOf } from './comments.ts'
import { constantsOf } from './constants.ts'
import { formNames } from './forms.ts'
import { CALL, isDeclared, isFlagCall, isMethod, PREFIX, WORD } from './methods.ts'
import { type Subject, subjectOf } from './subject.ts'

/** A position in text. */
export interface Position {
  /** 1-based, as lines end in `\n`. */
  line: number
  /** 1-based, in UTF-16 units. */
  column: number
}

/** A flag name, and where its first character is. */
export interface FoundName extends NameAt, Position {}

/** The flags that source text uses. */
interface FlagCalls {
  /** In the order of the text, one for each place. */
  names: FoundName[]
  /** Calls whose flag name is an expression without a known value, in the order of the text. */
  unresolved: Position[]
}

interface Call extends Subject {
  start: number
  /** Of its name and opening bracket. */
  end: number
}

// Enough for a call and its first argument, but limited to bound the work on hostile text.
const WINDOW = 1_000

// Only Ruby and Elixir allow calls without parentheses; in other files, such text is prose.
const COMMANDS = /\.(?:rb|rake|erb|haml|slim|exs?)$/

/** The start of the identifier around a word, or a later index if it is longer than any method name. */
function identifierStart(text: string, word: number): number {
  const before = text.slice(Math.max(0, word - PREFIX), word)
  return word - (/[\w$]*$/.exec(before)?.[0].length ?? 0)
}

function callAt(text: string, start: number, file: string): Call | undefined {
  const window = text.slice(start, start + WINDOW)
  const call = CALL.exec(window)
  if (!call || isDeclared(text, start) || !isFlagCall(text, start, call)) return undefined
  const [head] = call
  const rest = window.slice(head.length)
  const { names, expression } = subjectOf(call, rest, start + head.length)
  const end = start + head.length
  if (expression === undefined) return { start, end, names }
  const isCommand = call.groups?.command !== undefined
  const isCall = isCommand ? COMMANDS.test(file) : !isMethod(text, start, rest)
  return isCall ? { start, end, names, expression } : undefined
}

/** A function from offsets, in ascending order, to positions. */
function createLocator(text: string): (offset: number) => Position {
  let line = 1
  let lineStart = 0
  let lineEnd = text.indexOf('\n')
  return (offset) => {
    while (lineEnd !== -1 && lineEnd < offset) {
      line++
      lineStart = lineEnd + 1
      lineEnd = text.indexOf('\n', lineStart)
    }
    return { line, column: offset - lineStart + 1 }
  }
}

/** Names with their places in the order of the text, one for each place. */
export function locateNames(text: string, names: readonly NameAt[]): FoundName[] {
  const positionOf = createLocator(text)
  const found: FoundName[] = []
  let last = -1
  for (const { name, offset } of [...names].sort((a, b) => a.offset - b.offset)) {
    if (offset === last) continue
    last = offset
    const { line, column } = positionOf(offset)
    found.push({ name, offset, line, column })
  }
  return found
}

/** The calls and forms in source text, without those in comments. */
interface Code {
  calls: Call[]
  names: NameAt[]
  isHidden(start: number, end: number): boolean
}

function codeOf(text: string, file: string): Code | undefined {
  const starts = new Set<number>()
  for (const { index } of text.matchAll(WORD)) starts.add(identifierStart(text, index))
  const calls: Call[] = []
  for (const start of starts) {
    const call = callAt(text, start, file)
    if (call) calls.push(call)
  }
  const forms = formNames(text, file, starts)
  if (calls.length + forms.length === 0) return undefined
  const isHidden = createHiddenCheck(text, syntaxOf(file))
  return {
    calls: calls.filter(({ start, end }) => !isHidden(start, end)),
    names: forms
      .filter(({ start, offset, name }) => !isHidden(start, offset + name.length))
      .map(({ name, offset }) => ({ name, offset })),
    isHidden,
  }
}

/**
 * The flags that source text uses in calls of the common SDKs, in the forms of frameworks, and in
 * constants of the same file that such calls use.
 * @param file its name, which determines the language
 */
export function findFlagCalls(text: string, file = ''): FlagCalls {
  const code = codeOf(text, file)
  if (!code) return { names: [], unresolved: [] }
  const { calls, names, isHidden } = code
  const expressions = calls.flatMap(({ expression }) => expression ?? [])
  const constantOf = constantsOf(text, expressions, isHidden)
  const unresolved: number[] = []
  for (const call of calls) {
    for (const literal of call.names) names.push(literal)
    if (call.expression === undefined) continue
    const constant = constantOf(call.expression)
    if (constant) names.push(constant)
    else unresolved.push(call.start)
  }
  return {
    names: locateNames(
      text,
      names.filter(({ name }) => name !== ''),
    ),
    unresolved: unresolved.map(createLocator(text)),
  }
}
