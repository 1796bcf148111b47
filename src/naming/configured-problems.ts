import type { Context } from '../command/context.ts'
import { configured, readConfiguration } from '../profile/configuration.ts'
import { createNameMatcher, nearestNames, reasonsOf, usablePattern } from './rule.ts'

/**
 * Why names break the naming rule of the configuration, with the nearest ones that do not. Empty without a rule.
 * @throws a usage error for a rule without a pattern, or with one that does not compile
 */
export async function configuredProblems(
  context: Context,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const naming = configured(await readConfiguration(context), 'naming')
  if (!naming || names.length === 0) return new Map()
  const pattern = usablePattern({ rule: naming.value, file: naming.path })
  const matcher = createNameMatcher(pattern, context.closing)
  const verdicts = await matcher(names)
  const failing = names.flatMap((name, index) => {
    const reasons = reasonsOf(name, verdicts[index] ?? false, pattern)
    return reasons.length > 0 ? [{ name, reasons: reasons.join(', ') }] : []
  })
  const nearest = await nearestNames(
    failing.map(({ name }) => name),
    pattern,
    matcher,
  )
  return new Map(
    failing.map(({ name, reasons }, index) => {
      const meant = nearest[index]
      return [name, meant === undefined ? reasons : `${reasons} (did you mean ${meant}?)`]
    }),
  )
}
