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

/**
 * The flags that the configuration says stay.
 * @param now what its dates are compared with
 * @param flags the names of all flags, if they are known: warns of entries that match none
 */
export async function readKept(
  context: Context,
  now: number,
  flags: readonly string[] | undefined,
): Promise<KeptBy> {
  const review = configured(await readConfiguration(context), 'review')
  const entries = (review?.value.keep ?? []).map((entry): Kept => {
    const fields = typeof entry === 'string' ? { name: entry } : entry
    return { ...fields, from: review?.from }
  })
  // The whole day counts.
  const kept = entries.filter(
    ({ until }) => until === undefined || now < Date.parse(`${until}T24:00:00Z`),
  )
  for (const { name } of flags ? kept : []) {
    if (flags?.some(matcherOf([name]))) continue
    context.messages.warn(`review.keep in ${review?.from}: no flag matches ${name}`)
  }
  return (flag) => kept.find(({ name }) => matcherOf([name])(flag))
}
