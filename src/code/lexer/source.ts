import type { Language } from '../languages/language.ts'
import { lex } from './lexer.ts'
import { OPERATOR, Tokens } from './tokens.ts'

// A script in markup, and the code that a file of Astro begins with.
const SCRIPTS = /<script\b[^<>]*>|^---\r?\n/gim

/** Adds the tokens of a part. */
function lexPart(tokens: Tokens, from: number, to: number, language: Language): void {
  // Separates the part from the one before.
  tokens.add(OPERATOR, from, from)
  lex(tokens, from, to, language)
}

/** Adds the tokens of markup, with those of the scripts in it and of the code in its attributes. */
function lexMarkup(tokens: Tokens, scripts: Language): void {
  const { text, language } = tokens
  let from = 0
  SCRIPTS.lastIndex = 0
  for (let match = SCRIPTS.exec(text); match; match = SCRIPTS.exec(text)) {
    const start = SCRIPTS.lastIndex
    const end = text.indexOf(match[0].startsWith('<') ? '</script' : '\n---', start - 1)
    if (end === -1) break
    lexPart(tokens, from, start, language)
    lexPart(tokens, start, end, scripts)
    SCRIPTS.lastIndex = end + 4
    from = end + 4
  }
  lexPart(tokens, from, text.length, language)
  for (const index of tokens.strings.slice()) {
    const { start, end } = tokens.contentOf(index)
    const isCode = tokens.textOf(index).startsWith('=') && text.slice(start, end).includes('(')
    const code = language.family === scripts.family ? scripts : language
    if (isCode) lexPart(tokens, start, end, code)
  }
}

/** The tokens of a file. In markup, those of the code in attributes come last. */
export function tokenize(text: string, file: string): Tokens {
  const tokens = new Tokens(text, file)
  const { scripts } = tokens.language
  if (scripts) lexMarkup(tokens, scripts)
  else lex(tokens, 0, text.length, tokens.language)
  return tokens
}
