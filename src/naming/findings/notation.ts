import { type Finding, finding } from '../finding.ts'
import { compileFailure, ruleSource } from '../engine/rule.ts'
import { errorIndex, isNew } from './edition.ts'

const literal = /^\/(.+)\/([a-z]*)$/s
const flagGroup = /\(\?(?:[a-z]+(?:-[a-z]*)?|-[a-z]+)([:)])/iy

function tokenEnd(pattern: string, start: number): number {
  if (pattern[start] === '\\') return Math.min(start + 2, pattern.length)
  if (pattern[start] !== '[') return start + 1
  let end = start + 1
  while (end < pattern.length && pattern[end] !== ']') end += pattern[end] === '\\' ? 2 : 1
  return Math.min(end + 1, pattern.length)
}

/**
 * The start of each token of a pattern: an escape with the character after the backslash, a whole character class, or
 * a single character. Takes patterns that do not compile, too.
 */
function* tokens(pattern: string): Generator<{ start: number; text: string }> {
  for (let start = 0; start < pattern.length; ) {
    const end = tokenEnd(pattern, start)
    yield { start, text: pattern.slice(start, end) }
    start = end
  }
}

/** A pattern without the slashes and flags of other notations. */
export function withoutDelimiters(pattern: string): string {
  const inner = literal.exec(pattern)?.[1] ?? pattern
  let bare = ''
  let skipped = 0
  for (const { start, text } of tokens(inner)) {
    if (start < skipped) continue
    flagGroup.lastIndex = start
    const [group, end] = (text === '(' && flagGroup.exec(inner)) || []
    skipped = start + (group ?? text).length
    if (group === undefined) bare += text
    else if (end === ':') bare += '(?:'
  }
  return bare
}

/** The text, if it is a pattern that compiles. */
function usable(pattern: string): string | undefined {
  return pattern !== '' && compileFailure(pattern) === undefined ? pattern : undefined
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
  if ([...tokens(pattern)].at(-1)?.text !== '\\') return []
  const message =
    'the last backslash escapes the $ that the service adds, so the end of a name is not anchored'
  return [finding('trailing-backslash', message, { suggestion: usable(pattern.slice(0, -1)) })]
}

const posixClasses = new Map([
  ['lower', 'a-z'],
  ['upper', 'A-Z'],
  ['alpha', 'A-Za-z'],
  ['digit', '0-9'],
  ['alnum', 'A-Za-z0-9'],
])
const properties = new Map([
  ['Ll', 'a-z'],
  ['Lu', 'A-Z'],
  ['L', 'A-Za-z'],
  ['N', '0-9'],
  ['Nd', '0-9'],
])
const property = /\\p\{(\w+)\}/y
const posix = /\[\^?\[:(\w+):\]\]/y
const foreignAnchors = new Map([
  ['\\A', 'the letter A'],
  ['\\z', 'the letter z'],
  ['\\Z', 'the letter Z'],
])

interface Correction {
  text: string
  end: number
  message: string
}

function correctionAt(pattern: string, start: number, text: string): Correction | undefined {
  const letter = foreignAnchors.get(text)
  if (letter !== undefined) {
    return {
      text: '',
      end: start + 2,
      message: `${text} matches ${letter}: it is not an anchor here`,
    }
  }
  for (const [rule, sets] of [
    [property, properties],
    [posix, posixClasses],
  ] as const) {
    rule.lastIndex = start
    const [found, name = ''] = rule.exec(pattern) ?? []
    const set = sets.get(name)
    if (found === undefined || set === undefined) continue
    const end = start + found.length
    const message = `${found} is not a character class here: write [${set}]`
    return { text: found.startsWith('[^') ? `[^${set}]` : `[${set}]`, end, message }
  }
  if (text.startsWith('[') && /A-z/.test(text)) {
    const message = `${text} also matches "_", which is between Z and a: write A-Za-z`
    return { text: text.replace('A-z', 'A-Za-z'), end: start + text.length, message }
  }
  return undefined
}

/** Notation of other regular expressions that means something else here. */
export function foreignFindings(pattern: string): Finding[] {
  const messages: string[] = []
  let corrected = ''
  let end = 0
  for (const { start, text } of tokens(pattern)) {
    if (start < end) continue
    const correction = correctionAt(pattern, start, text)
    end = correction?.end ?? start + text.length
    corrected += correction?.text ?? text
    if (correction) messages.push(correction.message)
  }
  if (messages.length === 0) return []
  const message = [...new Set(messages)].slice(0, 5).join('; ')
  return [finding('foreign-notation', message, { suggestion: usable(corrected) })]
}
