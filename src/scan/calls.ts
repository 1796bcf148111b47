import { createHiding } from './comments.ts'
import { constantsOf } from './constants.ts'
import { isDeclared, isMethod } from './declarations.ts'
import { formNames } from './forms.ts'
import type { NameAt } from './literals.ts'
import { CALL, isFlagCall, PREFIX, WORD } from './methods.ts'
import { type Subject, subjectOf } from './subject.ts'
import { syntaxOf } from './syntax.ts'

/** A place in a text. */
export interface Position {
  /** 1-based, as lines end in `\n`. */
  line: number
  /** 1-based, in UTF-16 units. */
  column: number
}

/** A flag name, and where its first character is. */
export interface FoundName extends NameAt, Position {}

/** What a text says of flags. */
export interface FlagCalls {
  /** In the order of the text, one for each place. */
  names: FoundName[]
  /** Calls whose flag name is an expression that the text does not give a value, in its order. */
  unresolved: Position[]
}

interface Call extends Subject {
  start: number
  /** Of its name and opening bracket. */
  end: number
}

// A call with its first argument fits into this many characters: this bounds the work on hostile text.
const WINDOW = 1_000

// Only Ruby and Elixir leave out the parenthesis; elsewhere what follows is prose.
const COMMANDS = /\.(?:rb|rake|erb|haml|slim|exs?)$/

/** Where the identifier begins that the word is a part of; further on when that is longer than any method. */
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

function locate<Found extends { offset: number }>(text: string, found: readonly Found[]) {
  let line = 1
  let lineStart = 0
  let lineEnd = text.indexOf('\n')
  return [...found]
    .sort((a, b) => a.offset - b.offset)
    .map((one) => {
      while (lineEnd !== -1 && lineEnd < one.offset) {
        line++
        lineStart = lineEnd + 1
        lineEnd = text.indexOf('\n', lineStart)
      }
      return { ...one, line, column: one.offset - lineStart + 1 }
    })
}

/** Names with their places in the order of the text, one for each place. */
export function locateNames(text: string, names: readonly NameAt[]): FoundName[] {
  const places = new Map<number, NameAt>()
  for (const name of names) if (!places.has(name.offset)) places.set(name.offset, name)
  return locate(text, [...places.values()])
}

/**
 * The flags that source text names in calls of the common SDKs, in the forms that frameworks have for
 * them, and in constants of the same file that such calls use.
 * @param file its name, which tells the language
 */
export function findFlagCalls(text: string, file = ''): FlagCalls {
  const starts = new Set([...text.matchAll(WORD)].map(({ index }) => identifierStart(text, index)))
  const calls = [...starts].flatMap((start) => callAt(text, start, file) ?? [])
  const forms = formNames(text, file, starts)
  if (calls.length + forms.length === 0) return { names: [], unresolved: [] }
  const isHidden = createHiding(text, syntaxOf(file))
  const open = calls.filter(({ start, end }) => !isHidden(start, end))
  const expressions = open.flatMap(({ expression }) => expression ?? [])
  const constantOf = constantsOf(text, expressions, isHidden)
  const names: NameAt[] = forms
    .filter(({ start, offset, name }) => !isHidden(start, offset + name.length))
    .map(({ name, offset }) => ({ name, offset }))
  const unresolved: { offset: number }[] = []
  for (const { start, names: literals, expression } of open) {
    const constant = expression === undefined ? undefined : constantOf(expression)
    if (expression !== undefined && !constant) unresolved.push({ offset: start })
    names.push(...literals, ...(constant ? [constant] : []))
  }
  const known = names.filter(({ name }) => name !== '')
  return {
    names: locateNames(text, known),
    unresolved: locate(text, unresolved).map(({ line, column }) => ({ line, column })),
  }
}
