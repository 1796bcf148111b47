// Flags that stay, as the configuration says.
import type { Context } from '../command/context.ts'
import { matcherOf } from '../input/wildcards.ts'
import { configured, readConfiguration } from '../profile/configuration.ts'

/** Flags that stay. */
interface Kept {
  /** A name, in which `*` matches any text. */
  name: string
  /** Why they stay, as a sentence. */
  text: string
}

/** A function that returns why a flag stays; undefined if nothing says that it does. */
export type WhyKept = (name: string) => string | undefined

/**
 * The flags that the configuration says stay.
 * @param now what its dates are compared with
 * @param known the names of all flags, if they are known: warns of entries that match none
 */
export async function readKept(
  context: Context,
  now: number,
  known: readonly string[] | undefined,
): Promise<WhyKept> {
  const found = configured(await readConfiguration(context), 'review')
  const kept = (found?.value.keep ?? []).flatMap((entry): Kept[] => {
    const { name, reason, until } = typeof entry === 'string' ? { name: entry } : entry
    // The whole day counts.
    if (until !== undefined && now >= Date.parse(`${until}T24:00:00Z`)) return []
    const time = until === undefined ? '' : ` until ${until}`
    const why = reason === undefined ? '' : `: ${reason}`
    return [{ name, text: `kept${time} (review.keep in ${found?.from})${why}` }]
  })
  for (const { name } of known ? kept : []) {
    if (known?.some(matcherOf([name]))) continue
    context.messages.warn(`review.keep in ${found?.from}: no flag matches ${name}`)
  }
  return (flag) => kept.find(({ name }) => matcherOf([name])(flag))?.text
}
