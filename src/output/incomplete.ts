/** Something that a report lacks: a sentence, and the names that it is about. */
export interface Incomplete {
  message: string
  names: readonly string[]
  /** Whether rows of the report, or messages of the run, say so as well. */
  isReported?: boolean
}

// Longer lists are hard to read in a message.
const MAX_LISTED = 10

/** `a, b and 3 more` */
export function listed(names: readonly string[], most = MAX_LISTED): string {
  const more = names.length - most
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** `1 name`, `2 names` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** `1 of 3 projects could not be read (mail)` */
export function incompleteText({ message, names }: Incomplete): string {
  return names.length > 0 ? `${message} (${listed(names)})` : message
}

/** The lines below a report about what it lacks. */
export function incompleteLines(incomplete: readonly Incomplete[]): string[] {
  return incomplete.map((one) => `Incomplete: ${incompleteText(one)}`)
}

/** What a report lacks, as a field of its JSON document; without the field if it lacks nothing. */
export function incompleteJson(incomplete: readonly Incomplete[]): { incomplete?: object[] } {
  if (incomplete.length === 0) return {}
  return { incomplete: incomplete.map(({ message, names }) => ({ message, names })) }
}
