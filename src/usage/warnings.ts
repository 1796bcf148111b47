import { type FlagEnvironment, lastSeenIn } from '../projects/flags.ts'
import type { HourlySummary } from './hourly-summary.ts'
import type { Span } from './span.ts'

/** Why the figures of a flag may be wrong. */
export type FlagWarning =
  /** The service may have more applications of the flag than it reports. */
  | { kind: 'cut' }
  /** The operation of the service is deprecated. */
  | { kind: 'deprecated' }
  /** There is usage that is in none of the hours. */
  | { kind: 'hidden'; hidden: HourlySummary['hidden']; span: Span }
  /** The service saw the flag in an environment without usage of it. */
  | { kind: 'seenOnly'; environment: string; lastSeen: number; span: Span }

/**
 * Why the hours of a span may lack usage; undefined if nothing shows that.
 * @param environments those that the filters keep
 */
export function missingUsage(
  { hidden, span, usedIn, isCut }: HourlySummary,
  environments: readonly FlagEnvironment[],
): FlagWarning | undefined {
  if (hidden.applications.length + hidden.environments.length > 0) {
    // Environments are listed even if only unlisted applications use them.
    return isCut ? { kind: 'cut' } : { kind: 'hidden', hidden, span }
  }
  const { from = Number.POSITIVE_INFINITY } = span
  for (const environment of environments) {
    const { name } = environment
    const lastSeen = lastSeenIn(environment)
    if (lastSeen === undefined || lastSeen < from || usedIn.includes(name)) continue
    return { kind: 'seenOnly', environment: name, lastSeen, span }
  }
  return undefined
}
