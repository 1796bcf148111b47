// Flags that stay, as the configuration says.
import type { Context } from '../command/context.ts'
import { matcherOf } from '../input/wildcards.ts'
import { configured, readConfiguration } from '../profile/configuration.ts'

/** An entry of the configuration that keeps flags. */
export interface Kept {
  /** A name, in which `*` matches any text. */
  name: string
  reason?: string | undefined
  /** The last day on which it holds. */
  until?: string | undefined
  /** The file that it is in. */
  from: string | undefined
}

/** A function that returns the entry that keeps a flag. */
export type KeptBy = (flag: string) => Kept | undefined

/** `kept until 2027-03-31 (review.keep in .flagadmrc): used by the runbook` */
export function keptText({ reason, until, from }: Kept): string {
  const time = until === undefined ? '' : ` until ${until}`
  const why = reason === undefined ? '' : `: ${reason}`
  return `kept${time} (review.keep in ${from})${why}`
}

/** The entries of the configuration that keep flags. */
async function readEntries(context: Context): Promise<Kept[]> {
  const review = configured(await readConfiguration(context), 'review')
  return (review?.value.keep ?? []).map((entry): Kept => {
    const fields = typeof entry === 'string' ? { name: entry } : entry
    return { ...fields, from: review?.from }
  })
}

/**
 * The flags that the configuration says stay.
 * @param now the time with which its dates are compared
 */
export async function readKept(context: Context, now: number): Promise<KeptBy> {
  // The whole day counts.
  const kept = (await readEntries(context)).filter(
    ({ until }) => until === undefined || now < Date.parse(`${until}T24:00:00Z`),
  )
  return (flag) => kept.find(({ name }) => matcherOf([name])(flag))
}

/** Warns of entries that match none of all flags. */
export async function warnOfUnmatched(context: Context, flags: readonly string[]): Promise<void> {
  for (const { name, from } of await readEntries(context)) {
    if (flags.some(matcherOf([name]))) continue
    context.messages.warn(`review.keep in ${from}: no flag matches ${name}`)
  }
}
