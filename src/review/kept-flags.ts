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
  /** Whether that day is over, so that it keeps nothing. */
  hasExpired: boolean
}

export type KeptBy = (flag: string) => Kept | undefined

/** `kept until 2027-03-31 (review.keep in .flagadmrc): used by the runbook` */
export function keptText({ reason, until, from, hasExpired }: Kept): string {
  const time = until === undefined ? '' : ` until ${until}`
  const why = reason === undefined ? '' : `: ${reason}`
  return `${hasExpired ? 'was kept' : 'kept'}${time} (review.keep in ${from})${why}`
}

/** The entries of the configuration that keep flags. @param now the time with which their dates are compared */
async function readEntries(context: Context, now: number): Promise<Kept[]> {
  const review = configured(await readConfiguration(context), 'review')
  return (review?.value.keep ?? []).map((entry): Kept => {
    const fields: Omit<Kept, 'from' | 'hasExpired'> =
      typeof entry === 'string' ? { name: entry } : entry
    const { until } = fields
    // The whole day counts.
    const hasExpired = until !== undefined && now >= Date.parse(`${until}T24:00:00Z`)
    return { ...fields, from: review?.from, hasExpired }
  })
}

/** The flags that the configuration says stay, or said so. @param now the time with which its dates are compared */
export async function readKept(context: Context, now: number): Promise<KeptBy> {
  const entries = await readEntries(context, now)
  return (flag) => {
    const entriesOfFlag = entries.filter(({ name }) => matcherOf([name])(flag))
    return entriesOfFlag.find(({ hasExpired }) => !hasExpired) ?? entriesOfFlag[0]
  }
}

/** Warns of entries that have expired, and of those that match none of all flags. @param flags undefined if not all are known */
export async function warnOfEntries(
  context: Context,
  now: number,
  flags: readonly string[] | undefined,
): Promise<void> {
  for (const { name, from, until, hasExpired } of await readEntries(context, now)) {
    const entry = `review.keep in ${from}`
    if (flags && !flags.some(matcherOf([name]))) {
      context.messages.warn(`${entry}: no flag matches ${name}`)
    } else if (hasExpired) {
      context.messages.warn(
        `${entry}: ${name} was kept until ${until}: extend the entry, or delete it`,
      )
    }
  }
}
