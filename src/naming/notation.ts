// Findings about the text of a pattern: notation that does not mean here what its author thinks.
import { RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp'
import { finding, type Finding } from './finding-kinds.ts'
import { compileFailure, ruleSource, usable } from './rule.ts'

// `/feat-.*/i`
const LITERAL = /^\/(?<inner>.+)\/[a-z]*$/s
// An escape with the character after the backslash, a whole character class, or a single character. Fits patterns
// that do not compile, too.
export const TOKEN = /\\[pP]\{\w+\}|\\[^]?|\[\^?(?:\[:\w+:\]|\\[^]?|[^\]\\])*\]?|[^]/
const TOKENS = new RegExp(TOKEN, 'g')
// `(?i)` and `(?i:`.
const FLAG_GROUP = /\(\?(?:[a-zJUX]+(?:-[a-z]*)?|-[a-z]+)[:)]/
const TOKENS_WITH_FLAG_GROUPS = new RegExp(`${FLAG_GROUP.source}|${TOKEN.source}`, 'g')

const MAX_MESSAGES = 5

export function joined(messages: ReadonlySet<string>): string {
  return [...messages].slice(0, MAX_MESSAGES).join('; ')
}

export function withoutDelimiters(pattern: string): string {
  const inner = LITERAL.exec(pattern)?.groups?.inner ?? pattern
  return inner.replace(TOKENS_WITH_FLAG_GROUPS, (token) => {
    if (!token.startsWith('(?')) return token
    return token.endsWith(':') ? '(?:' : ''
  })
}

/** Returns the index of the first syntax error in an edition of the language; undefined if there is none. */
function errorIndexIn(ecmaVersion: 2024 | 2025, source: string): number | undefined {
  try {
    new RegExpParser({ ecmaVersion }).parsePattern(source, 0, source.length, { unicode: false })
    return undefined
  } catch (error) {
    return error instanceof RegExpSyntaxError ? error.index : undefined
  }
}

/** Whether only the newest edition, which old engines do not support, accepts a source. */
function isNew(source: string): boolean {
  return errorIndexIn(2025, source) === undefined && errorIndexIn(2024, source) !== undefined
}

export function compileFindings(pattern: string): Finding[] {
  const failure = compileFailure(pattern)
  if (failure === undefined) return []
  const source = ruleSource(pattern)
  const index = errorIndexIn(2025, source) ?? errorIndexIn(2024, source)
  // The source has an anchor at each end, and the parser stops at or after the error.
  const place = Math.max(Math.min(index ?? 0, pattern.length), 1)
  const where = index === undefined ? '' : ` near character ${place}`
  const reason = `(${failure.charAt(0).toLowerCase()}${failure.slice(1)}${where})`
  if (isNew(source)) {
    const message = `the pattern is not supported by this version of Node.js ${reason}: whether the service enforces it depends on its Node.js`
    return [finding('no-compile', message)]
  }
  const bare = withoutDelimiters(pattern)
  const suggestion = bare === pattern ? undefined : usable(bare)
  const message = `the pattern is not a valid regular expression ${reason}: the service would accept it and enforce nothing`
  return [finding('no-compile', message, { suggestion })]
}

/** Slashes around a pattern and flags, which the service takes literally. */
export function delimiterFindings(pattern: string): Finding[] {
  const bare = withoutDelimiters(pattern)
  // Newer engines support `(?i:…)`.
  if (bare === pattern || isNew(ruleSource(pattern))) return []
  const what = LITERAL.test(pattern) ? 'slashes around it' : 'flags'
  const message = `the pattern has ${what}: the service takes a bare pattern and sets no flags`
  return [finding('delimiters', message, { suggestion: usable(bare) })]
}

/** Whether the last character is a backslash that escapes the `$` that the service adds. */
export function endsInBackslash(pattern: string): boolean {
  return pattern.match(TOKENS)?.at(-1) === '\\'
}

export function backslashFindings(pattern: string): Finding[] {
  if (!endsInBackslash(pattern)) return []
  const message =
    'the last backslash escapes the $ that the service adds, so the end of a name is not anchored'
  return [finding('trailing-backslash', message, { suggestion: usable(pattern.slice(0, -1)) })]
}
