import { BEFORE_EXPRESSION, type FunctionDefinition, KEYWORD } from './functions.ts'
import { OPEN, type Tokens, WORD } from '../lexer/tokens.ts'

// Parts of the types that names of flags have; a single letter is a type parameter.
const NAME_TYPE =
  /str|text|name|key|id\b|flag|toggle|feature|any|unknown|object|symbol|char|typeof|\b[A-Z]\b|["'`]/i

/** Whether the type of a function's first parameter is not one of names: `isDisabled(isDirty: boolean)`. */
export function takesNoName({ parameters }: FunctionDefinition): boolean {
  const [first] = parameters
  const type = first?.text.replace(first.name, '') ?? ''
  return /\w/.test(type) && !NAME_TYPE.test(type)
}

const PLAIN_WORD = /^[\w$]/
const INFIX =
  /^(?:as|in|is|of|or|and|if|unless|else|not|instanceof|satisfies|to|div|mod|xor|do|then)$/

/** Whether a name with a list of parameters is declared here, perhaps without a body. */
export function isDeclaration(tokens: Tokens, index: number): boolean {
  const { kinds, language } = tokens
  const before = tokens.textOf(index - 1)
  if (KEYWORD.test(before)) return true
  if (before === ')' && tokens.textOf(tokens.pairOf(index - 1) - 1) === 'func') return true
  if (before === '.' && KEYWORD.test(tokens.textOf(index - 3))) return true
  const opening = index + 1
  if (kinds[opening] !== OPEN) return false
  // `Type name(`; an expression can follow any word in languages that declare functions with a keyword.
  const isTyped =
    kinds[index - 1] === WORD && !BEFORE_EXPRESSION.test(before) && !tokens.isNewLine(index)
  if (isTyped && language.methods) return !language.markup
  const [first, second] = [opening + 1, opening + 2]
  if (kinds[first] !== WORD) return false
  if (kinds[second] === WORD) {
    const word = tokens.textOf(second)
    const isType = !BEFORE_EXPRESSION.test(tokens.textOf(first))
    return isType && !INFIX.test(word) && PLAIN_WORD.test(word)
  }
  return language.group === 'js' && /^(?::|\?:)$/.test(tokens.textOf(second))
}

/** Whether a text imports an object, or declares it. */
export function declares(text: string, owner: string): boolean {
  const imported = `\\b(?:import|use|using|alias|from)\\b[^'"\\n;{(]{0,200}(?:\\{[^}]{0,500}|\\([^)]{0,500})?\\b${owner}\\b`
  const declared = `\\b(?:(?:object|enum|class|module|namespace|struct)\\s+${owner}\\b|(?:const|let|var|val)\\s+${owner}\\s*=\\s*(?:[{(]|Object|require))`
  // The last part of a package of Go.
  return new RegExp(`${imported}|${declared}|/${owner}"\\s*$`, 'm').test(text)
}
