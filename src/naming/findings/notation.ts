import { RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp'
import { type Finding, finding } from '../finding.ts'
import { compileFailure, ruleSource, usable } from '../engine/rule.ts'

const literal = /^\/(.+)\/([a-z]*)$/s
// An escape with the character after the backslash, a whole character class, or a single character. Fits patterns
// that do not compile, too.
const token = /\\[^]?|\[(?:\\[^]?|[^\]\\])*\]?|[^]/
const flagGroup = /\(\?(?:[a-z]+(?:-[a-z]*)?|-[a-z]+)([:)])/

/** Replaces the tokens of a pattern, and the parts that `special` matches where a token starts. */
function replaceTokens(
  pattern: string,
  special: RegExp,
  replacement: (text: string, group?: string) => string,
): string {
  return pattern.replace(new RegExp(`${special.source}|${token.source}`, 'gi'), replacement)
}

/** A pattern without the slashes and flags of other notations. */
export function withoutDelimiters(pattern: string): string {
  const inner = literal.exec(pattern)?.[1] ?? pattern
  return replaceTokens(inner, flagGroup, (text, end) => {
    if (end === undefined) return text
    return end === ':' ? '(?:' : ''
  })
}

/** The index of the first syntax error according to an edition of the language; undefined if there is none. */
function errorIndexIn(ecmaVersion: 2024 | 2025, source: string): number | undefined {
  try {
    new RegExpParser({ ecmaVersion }).parsePattern(source, 0, source.length, { unicode: false })
    return undefined
  } catch (error) {
    return error instanceof RegExpSyntaxError ? error.index : undefined
  }
}

/** The index of the first syntax error; undefined if unknown. */
function errorIndex(source: string): number | undefined {
  // An engine may not support the newest edition.
  return errorIndexIn(2025, source) ?? errorIndexIn(2024, source)
}

/** Whether only the newest edition, which old engines do not support, accepts a source. */
function isNew(source: string): boolean {
  return errorIndexIn(2025, source) === undefined && errorIndexIn(2024, source) !== undefined
}

function locationOf(pattern: string): string {
  const index = errorIndex(ruleSource(pattern))
  if (index === undefined) return ''
  // The source has an anchor at each end, and the parser stops at or after the error.
  return ` near character ${Math.max(Math.min(index, pattern.length), 1)}`
}

/** A pattern that does not compile: at most one finding. */
export function compileFindings(pattern: string): Finding[] {
  const failure = compileFailure(pattern)
  if (failure === undefined) return []
  const reason = failure.charAt(0).toLowerCase() + failure.slice(1)
  const isTooNew = isNew(ruleSource(pattern))
  const bare = isTooNew ? pattern : withoutDelimiters(pattern)
  const suggestion = bare === pattern ? undefined : usable(bare)
  const [what, consequence] = isTooNew
    ? [
        'not supported by this version of Node.js',
        'whether the service enforces it depends on its Node.js',
      ]
    : ['not a valid regular expression', 'the service would accept it and enforce nothing']
  const message = `the pattern is ${what} (${reason}${locationOf(pattern)}): ${consequence}`
  return [finding('no-compile', message, { suggestion })]
}

/** Slashes around a pattern and flags, which the service takes literally. */
export function delimiterFindings(pattern: string): Finding[] {
  const bare = withoutDelimiters(pattern)
  // Newer engines support `(?i:…)`.
  if (bare === pattern || isNew(ruleSource(pattern))) return []
  const what = literal.test(pattern) ? 'slashes around it' : 'flags'
  const message = `the pattern has ${what}: the service takes a bare pattern and sets no flags`
  return [finding('delimiters', message, { suggestion: usable(bare) })]
}

/** A last backslash, which escapes the `$` that the service adds. */
export function backslashFindings(pattern: string): Finding[] {
  if (pattern.match(new RegExp(token, 'g'))?.at(-1) !== '\\') return []
  const message =
    'the last backslash escapes the $ that the service adds, so the end of a name is not anchored'
  return [finding('trailing-backslash', message, { suggestion: usable(pattern.slice(0, -1)) })]
}

const letterAnchor = /^\\[AzZ]$/
const foreignClass = /\\p\{\w+\}|\[\^?\[:\w+:\]\]/
const foreignClasses = new Map([
  ['[[:lower:]]', 'a-z'],
  ['[[:upper:]]', 'A-Z'],
  ['[[:alpha:]]', 'A-Za-z'],
  ['[[:digit:]]', '0-9'],
  ['[[:alnum:]]', 'A-Za-z0-9'],
  ['\\p{Ll}', 'a-z'],
  ['\\p{Lu}', 'A-Z'],
  ['\\p{L}', 'A-Za-z'],
  ['\\p{N}', '0-9'],
  ['\\p{Nd}', '0-9'],
])

interface Correction {
  text: string
  message: string
}

function correctionOf(text: string): Correction | undefined {
  if (letterAnchor.test(text)) {
    const message = `${text} matches the letter ${text.charAt(1)}: it is not an anchor here`
    return { text: '', message }
  }
  const set = foreignClasses.get(text.replace('[^', '['))
  if (set !== undefined) {
    const message = `${text} is not a character class here: write [${set}]`
    return { text: text.startsWith('[^') ? `[^${set}]` : `[${set}]`, message }
  }
  if (text.startsWith('[') && text.includes('A-z')) {
    const message = `${text} also matches "_", which is between Z and a: write A-Za-z`
    return { text: text.replace('A-z', 'A-Za-z'), message }
  }
  return undefined
}

/** Notation of other regular expressions that means something else here. */
export function foreignFindings(pattern: string): Finding[] {
  const messages = new Set<string>()
  const corrected = replaceTokens(pattern, foreignClass, (text) => {
    const correction = correctionOf(text)
    if (correction) messages.add(correction.message)
    return correction?.text ?? text
  })
  if (messages.size === 0) return []
  const message = [...messages].slice(0, 5).join('; ')
  return [finding('foreign-notation', message, { suggestion: usable(corrected) })]
}
