// Findings about characters that match more than their authors think: ranges and dots.
import { type AST, visitRegExpAST } from '@eslint-community/regexpp'
import { LEGAL_CHARACTERS } from '../input/flag-names.ts'
import { legalMatches } from './analysis/syntax.ts'
import { finding, type Finding } from './finding-kinds.ts'
import { joined } from './notation.ts'
import { usable } from './rule.ts'

/** Characters that follow each other in ASCII. */
interface CharacterKind {
  first: number
  last: number
  isWord: boolean
}

function kind(first: string, last: string): CharacterKind {
  return { first: first.charCodeAt(0), last: last.charCodeAt(0), isWord: /\w/.test(first) }
}

const characterKinds: readonly CharacterKind[] = [
  kind('!', '/'),
  kind('0', '9'),
  kind(':', '@'),
  kind('A', 'Z'),
  kind('[', '`'),
  kind('a', 'z'),
  kind('{', '~'),
]

const HYPHEN = 0x2d

const legalCodes: readonly number[] = Array.from(LEGAL_CHARACTERS, (character) =>
  character.charCodeAt(0),
).sort((a, b) => a - b)

function kindOf(code: number): CharacterKind | undefined {
  return characterKinds.find(({ first, last }) => first <= code && code <= last)
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
  const parts = characterKinds.flatMap(({ first, last, isWord }): string[] => {
    const some = codes.filter((code) => first <= code && code <= last)
    const isWhole = isWord && some.length === last - first + 1
    return isWhole
      ? [`${String.fromCharCode(first)}-${String.fromCharCode(last)}`]
      : some.map((code) => String.fromCharCode(code))
  })
  return parts.join(' ')
}

/** The correction of a range between letters or digits of two kinds: the parts in these kinds. */
function splitRange(
  { min, max }: AST.CharacterClassRange,
  [first, last]: readonly [CharacterKind, CharacterKind],
  unlisted: readonly number[],
): string {
  const isMissing = (kind: CharacterKind) => unlisted.some((code) => kindOf(code) === kind)
  const start = isMissing(first) ? `${min.raw}-${String.fromCharCode(first.last)}` : ''
  const end = isMissing(last) ? `${String.fromCharCode(last.first)}-${max.raw}` : ''
  return start + end
}

/** What to write instead of a range, empty for nothing, and why; undefined for a range that is meant. */
function correctionOf(range: AST.CharacterClassRange) {
  const { min, max, raw, parent } = range
  const first = kindOf(min.value)
  const last = kindOf(max.value)
  if (!first || !last || first === last || parent.type !== 'CharacterClass') return undefined
  const included = legalCodes.filter((code) => includes(range, code))
  // All printable characters are meant.
  if (included.length === legalCodes.length) return undefined
  const others = parent.elements.filter((element) => element !== range)
  const unlisted = included.filter((code) => !others.some((other) => includes(other, code)))
  const areWords = first.isWord && last.isWord
  const isMeant = (code: number) =>
    areWords
      ? [first, last].some((kind) => kindOf(code) === kind)
      : [min.value, max.value, HYPHEN].includes(code)
  const extra = unlisted.filter((code) => !isMeant(code))
  if (extra.length === 0) return undefined
  const text = areWords ? splitRange(range, [first, last], unlisted) : `${min.raw}\\-${max.raw}`
  const isRejected = areWords || included.includes(HYPHEN) ? '' : ' and does not match "-"'
  const advice = text === '' ? 'leave it out' : `write ${text}`
  return {
    text,
    message: `the range ${raw} also matches ${shownSet(extra)}${isRejected}: ${advice}`,
  }
}

/** Ranges between different kinds of characters that include more than their ends suggest. */
export function rangeFindings(pattern: string, tree: AST.Pattern): Finding[] {
  const messages = new Set<string>()
  let corrected = ''
  let end = 0
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
  return [finding('suspicious-range', joined(messages), { suggestion })]
}

/** Whether an element matches letters and digits only, one or more. */
function isWord(element: AST.Element | undefined): boolean {
  switch (element?.type) {
    case 'Quantifier':
      return element.min > 0 && isWord(element.element)
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
      return /^[A-Za-z0-9]+$/.test(legalMatches(element))
    default:
      return false
  }
}

/** Unescaped dots between words, which are probably meant literally. */
export function dotFindings(pattern: string, tree: AST.Pattern): Finding[] {
  const dots: number[] = []
  visitRegExpAST(tree, {
    onAlternativeEnter({ elements }) {
      for (const [index, element] of elements.entries()) {
        const isDot = element.type === 'CharacterSet' && element.kind === 'any'
        if (!isDot || !isWord(elements[index - 1]) || !isWord(elements[index + 1])) continue
        // The source has an anchor before the pattern.
        dots.push(element.start - 1)
      }
    },
  })
  const [first] = dots.sort((a, b) => a - b)
  if (first === undefined) return []
  const escaped = (text: string, dot: number) => `${text.slice(0, dot)}\\${text.slice(dot)}`
  const suggestion = dots.reduceRight(escaped, pattern)
  const message = `the dot at character ${first + 1} matches any character: write \\. for a dot`
  return [finding('unescaped-dot', message, { suggestion })]
}
