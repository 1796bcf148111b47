import { formatted, type Safe, safe } from './text.ts'

/** The text for a value that is missing. */
export const NOTHING = safe`—`

/** An integer with its digits grouped by three. */
export function groupDigits(count: bigint): Safe {
  const [sign, digits] = count < 0n ? ['-', `${-count}`] : ['', `${count}`]
  const first = digits.slice(0, digits.length % 3)
  const others = digits.slice(first.length).match(/\d{3}/g) ?? []
  return formatted(sign + [first, ...others].filter(Boolean).join(','))
}

/** `1 name`, `2 names` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

// Longer lists are hard to read in a message.
const MAX_LISTED = 10

/** `a, b and 3 more`; empty without names. */
export function listed(names: readonly string[]): string {
  const more = names.length - MAX_LISTED
  return `${names.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The same for names that are already safe, such as code spans. */
export function listedSafe(names: readonly Safe[]): Safe {
  return formatted(listed(names))
}
