import { groupBy } from '../../groups.ts'

const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g
// The marks of variables, and the last character of `enabled?` of Ruby and `isEnabled$` of Angular.
const MARKS = /^[$@]+|[?!$]+$/g

/**
 * A function that finds which of some words a text contains, not as parts of longer ones. It also
 * finds words that differ from those in the text by a mark at the beginning or the end.
 */
export function createWordFinder(words: Iterable<string>): (text: string) => ReadonlySet<string> {
  const known = groupBy(new Set(words), (word) => word.replace(MARKS, ''))
  if (known.size === 0) return () => new Set()
  const alternatives = (words: readonly string[]) =>
    words.map((word) => word.replace(SPECIAL, '\\$&')).join('|')
  const [ascii, others] = [true, false].map((isAscii) =>
    [...known.keys()].filter((word) => /^\w+$/.test(word) === isAscii),
  )
  // Letters beyond ASCII have no boundary.
  const parts = [
    `\\b(?:${alternatives(ascii ?? [])})\\b`,
    ...(others ?? []).map((word) => alternatives([word])),
  ]
  const pattern = new RegExp(parts.join('|'), 'g')
  return (text) => new Set(text.match(pattern)?.flatMap((word) => known.get(word) ?? []))
}

// Few words share their length and their first and last character.
const slotOf = (text: string, start: number, end: number) =>
  (31 * text.charCodeAt(start) + 7 * text.charCodeAt(end - 1) + end - start) & 0xfff

/** A quick test for some words: true for each of them, and false for most other parts of a text. */
export function createWordFilter(
  words: Iterable<string>,
): (text: string, start: number, end: number) => boolean {
  const slots = new Uint8Array(0x1000)
  for (const word of words) slots[slotOf(word, 0, word.length)] = 1
  return (text, start, end) => slots[slotOf(text, start, end)] === 1
}
