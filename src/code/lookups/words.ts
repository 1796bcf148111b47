import { groupBy } from '../../groups.ts'

/** The words in some lines, between single spaces. */
export function splitWords(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' '))
}

// The marks of variables, and the last character of `enabled?` of Ruby and `isEnabled$` of Angular.
const MARKS = /^[$@]+|[?!$]+$/g

// With more words, an expression of them could become too large.
const MAX_ALTERNATIVES = 1000

/**
 * A function that finds which of some words a text contains, not as parts of longer ones. It also
 * finds words that differ from those in the text by a mark at the beginning or the end.
 */
export function createWordFinder(words: Iterable<string>): (text: string) => ReadonlySet<string> {
  const known = groupBy(new Set(words), (word) => word.replace(MARKS, ''))
  const stems = [...known.keys()]
  const isSmall = stems.length <= MAX_ALTERNATIVES && stems.every((stem) => /^\w+$/.test(stem))
  // Letters beyond ASCII are parts of words, but have no boundary.
  const source = isSmall ? `\\b(?:${stems.join('|')})\\b` : '[\\w\\u0080-\\uffff]+'
  const pattern = new RegExp(source, 'g')
  return (text) => {
    if (stems.length === 0) return new Set()
    return new Set(text.match(pattern)?.flatMap((word) => known.get(word) ?? []))
  }
}
