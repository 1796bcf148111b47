import { isLegalName, maxNameLength } from '../input/flag-names.ts'
import type { NameMatcher } from './rule.ts'

// Literal characters at the start of a pattern, without one that has a quantifier.
const literalStart = /^\^?((?:[\w~!'-]|\\[-.!~*'()])*)(?![*+?{])/

// A longer name has no legal spelling.
const maxSpelledLength = 2 * maxNameLength

/** The literal text at the start of every match, if it is easy to see. */
export function literalPrefix(pattern: string): string {
  if (pattern.includes('|')) return ''
  return literalStart.exec(pattern)?.[1]?.replaceAll('\\', '') ?? ''
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

function legalPart(name: string): string {
  return withoutAccents(name)
    .replace(/[^\w\-.!~*'()]+/g, '-')
    .replace(/^-+|-+$/g, '')
}

type Spell = (name: string) => string[]

/** Other spellings of a name, the smallest change first. */
function closeSpellings(name: string): string[] {
  const legal = legalPart(name)
  const words = wordsOf(legal)
  return [
    legal,
    legal.charAt(0).toLowerCase() + legal.slice(1),
    legal.replaceAll('_', '-'),
    legal.replaceAll('-', '_'),
    words.join(/[-_.]/.exec(legal)?.[0] ?? '-'),
    words.join('-'),
  ]
}

function otherSpellings(name: string): string[] {
  const legal = legalPart(name)
  const words = wordsOf(legal)
  const camel = words.map((word, i) => (i === 0 ? word : capitalized(word))).join('')
  return [
    words.join('_'),
    words.join('.'),
    ...['-', '_', '.'].map((separator) => words.join(separator).toUpperCase()),
    camel,
    capitalized(camel),
    legal.toLowerCase(),
    legal.toUpperCase(),
    words.join(''),
  ]
}

/** For each failing name, the nearest legal one that passes, if there is one. */
export async function nearestNames(
  names: readonly string[],
  pattern: string,
  matcher: NameMatcher,
): Promise<(string | undefined)[]> {
  const prefix = literalPrefix(pattern)
  const prefixed = (name: string) => {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : name
    return [rest, ...closeSpellings(rest), ...otherSpellings(rest)].map((word) => prefix + word)
  }
  // In stages, because the first one suffices for most names.
  const stages: Spell[] = [closeSpellings, otherSpellings, ...(prefix === '' ? [] : [prefixed])]
  const nearest: (string | undefined)[] = names.map(() => undefined)
  for (const spell of stages) {
    const choices = names.map((name, i) =>
      nearest[i] === undefined && name.length <= maxSpelledLength
        ? spell(name).filter(isLegalName)
        : [],
    )
    const spellings = [...new Set(choices.flat())]
    const verdicts = await matcher(spellings)
    const passing = new Set(spellings.filter((_, i) => verdicts[i] === true))
    for (const [i, choice] of choices.entries()) {
      nearest[i] ??= choice.find((spelling) => passing.has(spelling))
    }
  }
  return nearest
}
