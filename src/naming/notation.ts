// Findings about the text of a pattern: notation that does not mean here what its author thinks.
import { RegExpParser, RegExpSyntaxError, visitRegExpAST } from '@eslint-community/regexpp'
import type { AST } from '@eslint-community/regexpp'
import { legalCharacters } from '../input/flag-names.ts'
import { finding, type Finding } from './finding.ts'
import { compileFailure, ruleSource, usable } from './rule.ts'

const literal = /^\/(.+)\/([a-z]*)$/s
const posixClass = /\[:(\w+):\]/
const unicodeClass = /\\p\{(\w+)\}/
// An escape with the character after the backslash, a whole character class, or a single character. Fits patterns
// that do not compile, too.
const token = /\\p\{\w+\}|\\[^]?|\[\^?(?:\[:\w+:\]|\\[^]?|[^\]\\])*\]?|[^]/
const flagGroup = /\(\?(?:[a-z]+(?:-[a-z]*)?|-[a-z]+)([:)])/

/** Replaces the tokens of a pattern, and the parts that `special` matches where a token starts. */
function replaceTokens(
  pattern: string,
  replacement: (text: string, group?: string) => string,
  special = /(?!)/,
): string {
  return pattern.replace(new RegExp(`${special.source}|${token.source}`, 'gi'), replacement)
}

/** Returns a pattern without the slashes and flags of other notations. */
export function withoutDelimiters(pattern: string): string {
  const inner = literal.exec(pattern)?.[1] ?? pattern
  const bare = (text: string, end?: string) => (end === undefined ? text : end === ':' ? '(?:' : '')
  return replaceTokens(inner, (text, end) => bare(text, end), flagGroup)
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

/** A pattern that does not compile. */
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
  return [finding('no-compile', message, suggestion)]
}

/** Slashes around a pattern and flags, which the service takes literally. */
export function delimiterFindings(pattern: string): Finding[] {
  const bare = withoutDelimiters(pattern)
  // Newer engines support `(?i:…)`.
  if (bare === pattern || isNew(ruleSource(pattern))) return []
  const what = literal.test(pattern) ? 'slashes around it' : 'flags'
  const message = `the pattern has ${what}: the service takes a bare pattern and sets no flags`
  return [finding('delimiters', message, usable(bare))]
}

/** A last backslash, which escapes the `$` that the service adds. */
export function backslashFindings(pattern: string): Finding[] {
  if (pattern.match(new RegExp(token, 'g'))?.at(-1) !== '\\') return []
  const message =
    'the last backslash escapes the $ that the service adds, so the end of a name is not anchored'
  return [finding('trailing-backslash', message, usable(pattern.slice(0, -1)))]
}

const letterAnchor = /^\\[AzZ]$/
const classes = new Map([
  ...[['lower', 'a-z'] as const, ['upper', 'A-Z'] as const, ['alpha', 'A-Za-z'] as const],
  ...[['digit', '0-9'] as const, ['alnum', 'A-Za-z0-9'] as const, ['word', '\\w'] as const],
  ...[['Ll', 'a-z'] as const, ['Lu', 'A-Z'] as const, ['L', 'A-Za-z'] as const],
  ...[['N', '0-9'] as const, ['Nd', '0-9'] as const],
])

/** Notation of other regular expressions that means something else here. */
export function foreignFindings(pattern: string): Finding[] {
  const messages = new Set<string>()
  const ranges = (text: string, notation: RegExp, shown: (set: string) => string) =>
    text.replace(new RegExp(notation, 'g'), (foreign, name) => {
      const set = classes.get(name)
      if (set === undefined) return foreign
      messages.add(`${foreign} is not a character class here: write ${shown(set)}`)
      return shown(set)
    })
  const corrected = replaceTokens(pattern, (text) => {
    if (letterAnchor.test(text)) {
      messages.add(`${text} matches the letter ${text.charAt(1)}: it is not an anchor here`)
      return ''
    }
    if (!text.startsWith('[')) return ranges(text, unicodeClass, (set) => `[${set}]`)
    return ranges(ranges(text, posixClass, String), unicodeClass, String)
  })
  if (messages.size === 0) return []
  const message = [...messages].slice(0, 5).join('; ')
  return [finding('foreign-notation', message, usable(corrected))]
}

/** The printable characters of ASCII by kind. */
const kinds = ['!-/', '0-9', ':-@', 'A-Z', '[-`', 'a-z', '{-~'] as const

const hyphen = 0x2d

function kindOf(code: number): (typeof kinds)[number] | undefined {
  return kinds.find((kind) => code >= kind.charCodeAt(0) && code <= kind.charCodeAt(2))
}

function includes(element: AST.CharacterClassElement, code: number): boolean {
  if (element.type === 'Character') return element.value === code
  if (element.type === 'CharacterClassRange') {
    return element.min.value <= code && code <= element.max.value
  }
  return new RegExp(element.raw).test(String.fromCharCode(code))
}

/** Shortens a list of characters: `A-Z _`. */
function shownSet(codes: readonly number[]): string {
  const parts = kinds.flatMap((kind): string[] => {
    const some = codes.filter((code) => kindOf(code) === kind)
    const isWhole = /\w/.test(kind) && some.length > kind.charCodeAt(2) - kind.charCodeAt(0)
    return isWhole ? [kind] : some.map((code) => String.fromCharCode(code))
  })
  return parts.join(' ')
}

/** Returns what to write instead of a range that includes more than its ends suggest. */
function correctionOf(range: AST.CharacterClassRange) {
  const { min, max, raw, parent } = range
  const [first, last] = [kindOf(min.value), kindOf(max.value)]
  if (!first || !last || first === last || parent.type !== 'CharacterClass') return undefined
  const others = parent.elements.filter((element) => element !== range)
  const legal = Array.from(legalCharacters, (character) => character.charCodeAt(0))
  const included = legal.filter((code) => includes(range, code)).sort((a, b) => a - b)
  // All printable characters are meant.
  if (included.length === legal.length) return undefined
  const unlisted = included.filter((code) => !others.some((other) => includes(other, code)))
  const isOfWords = /\w/.test(first) && /\w/.test(last)
  const isMeant = (code: number) =>
    isOfWords
      ? [first, last].some((kind) => kindOf(code) === kind)
      : [min.value, max.value, hyphen].includes(code)
  const extra = unlisted.filter((code) => !isMeant(code))
  if (extra.length === 0) return undefined
  const isMissing = (kind: string) => unlisted.some((code) => kindOf(code) === kind)
  const text = isOfWords
    ? `${isMissing(first) ? `${min.raw}-${first.charAt(2)}` : ''}${isMissing(last) ? `${last.charAt(0)}-${max.raw}` : ''}`
    : `${min.raw}\\-${max.raw}`
  const isRejected = isOfWords || included.includes(hyphen) ? '' : ' and does not match "-"'
  const advice = text === '' ? 'leave it out' : `write ${text}`
  return {
    text,
    message: `the range ${raw} also matches ${shownSet(extra)}${isRejected}: ${advice}`,
  }
}

/** Ranges between different kinds of characters that include more than their ends suggest. */
export function rangeFindings(pattern: string, tree: AST.Pattern): Finding[] {
  const messages = new Set<string>()
  let [corrected, end] = ['', 0]
  visitRegExpAST(tree, {
    onCharacterClassRangeEnter(range) {
      const correction = correctionOf(range)
      if (!correction) return
      messages.add(correction.message)
      // The source has an anchor before the pattern.
      corrected += pattern.slice(end, range.start - 1) + correction.text
      end = range.end - 1
    },
  })
  if (messages.size === 0) return []
  const suggestion = usable(corrected + pattern.slice(end))
  return [finding('suspicious-range', [...messages].slice(0, 5).join('; '), suggestion)]
}
