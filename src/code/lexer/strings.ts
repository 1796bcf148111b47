import type { Quote } from './languages.ts'
import { classAt, LETTER, type Lexing, type Suspended } from './lexing.ts'
import { OPEN, STRING } from './tokens.ts'

// Deeper nesting of expressions in strings is not read.
const MAX_NESTING = 32

/** Reads a string that a quotation mark opens; false if it does not end. */
export function openString(lexing: Lexing, quote: Quote): boolean {
  const { tokens, at: start, unclosed } = lexing
  const mark = quote.open
  if (lexing.isUnclosed(mark)) return false
  const token = tokens.add(STRING, start, start)
  tokens.opens[token] = mark.length
  if (readString(lexing, quote, start + mark.length, token)) {
    tokens.strings.push(token)
    return true
  }
  tokens.removeLast()
  tokens.dynamic.delete(token)
  unclosed.set(mark, limitOf(lexing, quote))
  return false
}

/** Goes on in a string after an expression in it. */
export function resumeString(lexing: Lexing, { quote, token }: Suspended): void {
  if (readString(lexing, quote, lexing.at, token)) return
  // An unterminated string ends with its expression.
  lexing.tokens.ends[token] = lexing.at
}

/** The end of the line in which an expression over several lines ends. */
function lineEndAt({ tokens, to }: Lexing, index: number): number {
  const end = tokens.text.indexOf('\n', index)
  return end === -1 ? to : Math.min(end, to)
}

function limitOf(lexing: Lexing, { lines }: Quote): number {
  return lines ? lexing.to : lexing.lineEnd
}

/** Reads a string from an index to its end, or to an expression in it. */
function readString(lexing: Lexing, quote: Quote, start: number, token: number): boolean {
  const { close, escapes, hole, dollar } = quote
  const { tokens, language } = lexing
  const { text, dynamic, holes } = tokens
  let limit = limitOf(lexing, quote)
  const first = close.charCodeAt(0)
  const holeFirst = hole?.charCodeAt(0) ?? -1
  for (let index = start; index < limit; index++) {
    const code = text.charCodeAt(index)
    const end = holes.size > 0 ? holes.get(index) : undefined
    if (end !== undefined) {
      dynamic.add(token)
      index = end - 1
      if (end > limit) limit = lineEndAt(lexing, end)
    } else if (code === holeFirst && hole && text.startsWith(hole, index)) {
      dynamic.add(token)
      // `{{` is a brace, not an expression.
      if (hole === '{' && text.startsWith('{{', index)) index++
      else if (suspend(lexing, quote, token, index)) return true
    } else if (escapes && code === 0x5c) {
      index++
    } else if (dollar && code === 0x24 && classAt(text, index + 1) === LETTER) {
      dynamic.add(token)
    } else if (code === first && text.startsWith(close, index)) {
      if (language.group === 'cs' && isDoubled(text, index, quote)) {
        index++
        dynamic.add(token)
        continue
      }
      lexing.at = index + close.length
      tokens.ends[token] = lexing.at
      tokens.closes[token] = close.length
      return true
    }
  }
  return false
}

/** Whether a quotation mark in a verbatim string of C# is written twice. */
function isDoubled(text: string, index: number, { close, escapes }: Quote): boolean {
  return !escapes && close.length === 1 && text.startsWith(close, index + 1)
}

/** Leaves a string for an expression in it. */
function suspend(lexing: Lexing, quote: Quote, token: number, index: number): boolean {
  const { tokens, suspended, brackets } = lexing
  if (suspended.length === MAX_NESTING) return false
  lexing.at = index + (quote.hole?.length ?? 0)
  const opening = tokens.add(OPEN, index, lexing.at)
  suspended.push({ quote, token, depth: brackets.length })
  brackets.push(opening)
  return true
}
