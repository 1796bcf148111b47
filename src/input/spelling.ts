import { FlagadmError } from '../errors.ts'
import { replaceIllegal } from './flag-names.ts'

// Ours, because the maintained packages for this count two swapped letters as two mistakes.

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

/** The only candidate that a word abbreviates, such as `prod`. */
function abbreviated(word: string, candidates: readonly string[]): string | undefined {
  const longer = candidates.filter((candidate) => candidate.toLowerCase().startsWith(word))
  return word.length > 2 && longer.length === 1 ? longer[0] : undefined
}

/**
 * The candidate closest to a misspelt word, if one is close enough and no other is as close; otherwise the one that it
 * abbreviates. Upper and lower case make no difference.
 */
export function closest(misspelt: string, all: readonly string[]): string | undefined {
  const word = misspelt.toLowerCase()
  const candidates = [...new Set(all)]
  // None in a word of one or two letters, which would be another word.
  const maxEdits = ({ length }: string) => (length < 3 ? 0 : Math.max(1, length / 4))
  const [nearest, next] = candidates
    .map((candidate) => ({ candidate, edits: distance(word, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= maxEdits(candidate))
    // People rarely mistype the first letter.
    .map(({ candidate, edits }) => {
      const hasOtherStart = candidate[0]?.toLowerCase() !== word[0]
      return { candidate, rank: edits + (hasOtherStart ? 0.5 : 0) }
    })
    .sort((a, b) => a.rank - b.rank)
  if (!nearest) return abbreviated(word, candidates)
  // As between `used` and `unused`, a guess could be the opposite.
  return nearest.rank === next?.rank ? undefined : nearest.candidate
}

/** The error for a value that an option does not have, with the closest one as its hint, otherwise with all. */
export function unknownValue(
  option: string,
  value: string,
  values: readonly string[],
): FlagadmError {
  const meant = closest(value, values)
  const [first = '', ...others] = values
  const one = others.length > 0 ? `choose one of ${values.join(', ')}` : `use '${first}'`
  const all = values.length > 0 ? one : `leave out ${option}`
  const hint = meant === undefined ? all : `did you mean '${meant}'?`
  return new FlagadmError('usage', `${option}: unknown value '${value}'`, { hint })
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

// Capitals before a capitalised word, a word with the capitals at its start, or capitals only.
const WORD = /[A-Z]+(?=[A-Z][a-z])|[A-Z]*[a-z0-9]+|[A-Z]+/g

/** Other spellings of a name, the smallest change first. */
export function spellings(name: string): string[] {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '')
  const legal = replaceIllegal(letters, '-').replace(/^-+|-+$/g, '')
  const words = legal.match(WORD)?.map((word) => word.toLowerCase()) ?? []
  const camel = words.map((word, i) => (i === 0 ? word : capitalized(word))).join('')
  return [
    legal,
    lowerFirst(legal),
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
