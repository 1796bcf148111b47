/** `1 name`, `2 names` */
export function counted(count: number, noun: string): string {
  return `${groupDigits(count)} ${noun}${count === 1 ? '' : 's'}`
}

// Longer lists are hard to read in a message.
const MAX_LISTED = 10

/** `a, b and 3 more`; empty without names. */
export function listed(names: readonly string[]): string {
  const more = names.length - MAX_LISTED
  return `${names.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** An integer with its digits grouped by three. */
export function groupDigits(count: number): string {
  return `${count}`.replace(/\B(?=(\d{3})+$)/g, ',')
}
