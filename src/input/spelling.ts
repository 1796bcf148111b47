// Ours, because the maintained packages for this count two swapped letters as two mistakes.
import { FlagadmError } from '../errors.ts'

/** How many letters to insert, remove, replace or swap to turn one word into another. */
function distance(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const swaps = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = swaps ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced, swapped))
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}

const MAX_WORD_LENGTH = 50

/** How many letters of a word may be wrong; none in a word of one or two letters, which would be another word. */
function maxEdits(length: number): number {
  return length < 3 ? 0 : Math.max(1, length / 4)
}

/** The candidate closest to a misspelt word, if one is close enough and no other is as close. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  // Computing the distance takes quadratic time, and no candidate is that long.
  if (word.length > MAX_WORD_LENGTH) return undefined
  const [nearest, next] = [...new Set(candidates)]
    // Names of very different lengths cannot be close, and there may be thousands.
    .filter(({ length }) => Math.abs(length - word.length) <= maxEdits(length))
    .map((candidate) => ({ candidate, edits: distance(word, candidate) }))
    .filter(({ candidate, edits }) => edits <= maxEdits(candidate.length))
    // People rarely mistype the first letter.
    .map(({ candidate, edits }) => ({
      candidate,
      rank: edits + (candidate[0] === word[0] ? 0 : 0.5),
    }))
    .sort((a, b) => a.rank - b.rank)
  // As between `used` and `unused`, a guess could be the opposite.
  return nearest?.rank === next?.rank ? undefined : nearest?.candidate
}

/** The error for a value that an option does not have, with the closest one as its hint, otherwise with all. */
export function unknownValue(
  option: string,
  value: string,
  known: readonly string[],
): FlagadmError {
  const meant = closest(value, known)
  const all = known.length > 0 ? `choose one of ${known.join(', ')}` : `leave out ${option}`
  return new FlagadmError('usage', `${option}: unknown value '${value}'`, {
    hint: meant === undefined ? all : `did you mean '${meant}'?`,
  })
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function withoutAccents(name: string): string {
  return /[^\0-\x7f]/.test(name) ? name.normalize('NFKD').replace(/\p{M}/gu, '') : name
}

// Capitals before a capitalised word, a word with the capitals at its start, or capitals only.
const WORD = /[A-Z]+(?=[A-Z][a-z])|[A-Z]*[a-z0-9]+|[A-Z]+/g

/** The words of a name in lower case: separated by capitals or by anything but letters and digits. */
function wordsOf(name: string): string[] {
  return name.match(WORD)?.map((word) => word.toLowerCase()) ?? []
}

/** The name without what is illegal in names of flags. */
function legalPart(name: string): string {
  return withoutAccents(name)
    .replace(/[^\w\-.!~*'()]+/g, '-')
    .replace(/^-+|-+$/g, '')
}

/** Other spellings of a name, the smallest change first. */
export function spellings(name: string): string[] {
  const legal = legalPart(name)
  const words = wordsOf(legal)
  const camel = words.map((word, i) => (i === 0 ? word : capitalized(word))).join('')
  return [
    legal,
    legal.charAt(0).toLowerCase() + legal.slice(1),
    legal.replaceAll('_', '-'),
    legal.replaceAll('-', '_'),
    ...[/[-_.]/.exec(legal)?.[0] ?? '-', '-', '_', '.'].map((mark) => words.join(mark)),
    ...['-', '_', '.'].map((mark) => words.join(mark).toUpperCase()),
    camel,
    capitalized(camel),
    legal.toLowerCase(),
    legal.toUpperCase(),
    words.join(''),
  ]
}
