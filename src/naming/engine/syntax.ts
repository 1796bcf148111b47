import { UndecidedError } from './budget.ts'
import type {
  Anchor,
  AnchorPart,
  Branch,
  CharacterPart,
  Element,
  GroupPart,
  SyntaxTree,
} from './elements.ts'
import { legalCharacters } from './legal.ts'

/**
 * The start of each token of a pattern: an escape with the character after the backslash, a whole character class, or
 * a single character. Takes patterns that do not compile, too, in linear time.
 */
export function* tokens(pattern: string): Generator<{ start: number; text: string }> {
  for (let start = 0; start < pattern.length;) {
    const end = tokenEnd(pattern, start)
    yield { start, text: pattern.slice(start, end) }
    start = end
  }
}

function tokenEnd(pattern: string, start: number): number {
  if (pattern[start] === '\\') return Math.min(start + 2, pattern.length)
  if (pattern[start] !== '[') return start + 1
  let end = start + 1
  while (end < pattern.length && pattern[end] !== ']') end += pattern[end] === '\\' ? 2 : 1
  return Math.min(end + 1, pattern.length)
}

/** The legal characters that a class or an escape matches, as the engine sees it. */
function legalMatches(raw: string, ignoreCase: boolean): string {
  const rule = new RegExp(raw, ignoreCase ? 'gi' : 'g')
  return legalCharacters.match(rule)?.join('') ?? ''
}

// The compiler recurses, too, with several frames for each level.
const maxDepth = 250
const groupStart = /\(\?(?:[:=!]|<[=!]|<[^>=!][^>]*>|([a-z]*)(?:-([a-z]*))?:)|\(/y
const quantifier = /(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/y
// Longer escapes than a backslash and one character; references to groups are read before.
const longEscape = /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|c[A-Za-z]|[0-3][0-7]{0,2}|[4-7][0-7]?)/y
const reference = /\\(?:([1-9]\d*)|k<([^>]*)>)/y
const groupName = /\(\?<([^=!>][^>]*)>/y
const isNamed = /^\(\?<[^=!]/
const anchorEscapes = new Map<string, Anchor>([
  ['\\b', 'word'],
  ['\\B', 'no word'],
])
const setEscape = /^\\[dDwWsS]$/

function matchAt(rule: RegExp, text: string, index: number): RegExpExecArray | null {
  rule.lastIndex = index
  return rule.exec(text)
}

function countsOf([, sign, least = '', comma, most = '']: RegExpExecArray): [number, number] {
  if (sign !== undefined) return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity]
  const min = Number(least)
  if (!comma) return [min, min]
  return [min, most === '' ? Infinity : Number(most)]
}

/**
 * The syntax tree of a regular expression without flags that the engine compiles.
 * @throws UndecidedError when it is nested too deeply
 */
export function parseSource(source: string): SyntaxTree {
  const names = groupNames(source)
  const known = new Map<string, string>()
  let index = 0
  let captures = 0
  let ignoreCase = false

  function matchesOf(raw: string): string {
    const key = `${ignoreCase} ${raw}`
    const matches = known.get(key) ?? legalMatches(raw, ignoreCase)
    known.set(key, matches)
    return matches
  }

  function branchesAt(depth: number): Branch[] {
    if (depth > maxDepth) throw new UndecidedError('it is nested too deeply')
    const branches: Branch[] = []
    do {
      if (branches.length > 0) index++
      const branch: Branch = { start: index, end: index, least: 0, elements: [] }
      while (index < source.length && source[index] !== '|' && source[index] !== ')') {
        const element = quantified(elementAt(depth))
        branch.elements.push(element)
        branch.least += element.least
      }
      branch.end = index
      branches.push(branch)
    } while (source[index] === '|')
    return branches
  }

  function elementAt(depth: number): Element {
    const start = index
    switch (source[index]) {
      case '(':
        return groupAt(depth)
      case '^':
        return anchorTo(start, 1, 'start')
      case '$':
        return anchorTo(start, 1, 'end')
      case '\\':
        return escapeAt(start)
      default:
        index = tokenEnd(source, start)
        return characterFrom(start, index - start === 1 && source[start] !== '.')
    }
  }

  function groupAt(depth: number): Element {
    const start = index
    const [text = '', on, off] = matchAt(groupStart, source, index) ?? []
    const outerCase = ignoreCase
    if (on?.includes('i')) ignoreCase = true
    if (off?.includes('i')) ignoreCase = false
    index += text.length
    const capture = text === '(' || isNamed.test(text) ? ++captures : undefined
    const branches = branchesAt(depth + 1)
    index++
    ignoreCase = outerCase
    const end = index
    const behind = /^\(\?<[=!]/.test(text)
    if (!behind && !/^\(\?[=!]/.test(text)) {
      const group: GroupPart = { type: 'group', start, end, least: leastOf(branches), branches }
      return capture === undefined ? group : { ...group, capture }
    }
    const negate = text.endsWith('!')
    return { type: 'look', start, end, least: 0, branches, behind, negate }
  }

  function escapeAt(start: number): Element {
    const anchor = anchorEscapes.get(source.slice(start, start + 2))
    if (anchor) return anchorTo(start, 2, anchor)
    const [text = '', number, name] = matchAt(reference, source, start) ?? []
    const group = name === undefined ? Number(number) : names.indexOf(name) + 1
    if (group > 0 && group <= names.length) {
      index += text.length
      const isSure = !ignoreCase && (name === undefined || names.lastIndexOf(name) < group)
      return { type: 'reference', start, end: index, least: 0, group: isSure ? group : undefined }
    }
    // `\c` without a letter matches the backslash itself.
    const long = matchAt(longEscape, source, start)?.[0].length
    index += long ?? (source[start + 1] === 'c' ? 1 : 2)
    return characterFrom(start, !setEscape.test(source.slice(start, index)))
  }

  function anchorTo(start: number, length: number, anchor: Anchor): AnchorPart {
    index += length
    return { type: 'anchor', start, end: index, least: 0, anchor }
  }

  function characterFrom(start: number, isLiteral: boolean): CharacterPart {
    const raw = source.slice(start, index)
    const isPlain = isLiteral && raw !== '\\' && raw.length === 1 && !ignoreCase
    const part: CharacterPart = {
      type: 'character',
      start,
      end: index,
      least: 1,
      characters: isPlain ? legalOnly(raw) : matchesOf(raw === '\\' ? '\\\\' : raw),
    }
    if (isLiteral) part.literal = raw
    return part
  }

  function quantified(element: Element): Element {
    const found = matchAt(quantifier, source, index)
    if (!found) return element
    const [min, max] = countsOf(found)
    const { start, least } = element
    index += found[0].length
    const lazy = found[5] === '?'
    // 0 * Infinity is NaN.
    const total = least === 0 ? 0 : least * min
    return { type: 'repeat', start, end: index, least: total, element, min, max, lazy }
  }

  const branches = branchesAt(0)
  return { start: 0, end: source.length, least: leastOf(branches), branches }
}

function legalOnly(character: string): string {
  return legalCharacters.includes(character) ? character : ''
}

function leastOf(branches: readonly Branch[]): number {
  return branches.reduce((least, branch) => Math.min(least, branch.least), Infinity)
}

/** The name of each capturing group, undefined for one without: the meaning of an escape depends on them. */
function groupNames(source: string): (string | undefined)[] {
  const names: (string | undefined)[] = []
  for (const { start, text } of tokens(source)) {
    if (text !== '(') continue
    const name = matchAt(groupName, source, start)?.[1]
    if (name !== undefined || source[start + 1] !== '?') names.push(name)
  }
  return names
}
