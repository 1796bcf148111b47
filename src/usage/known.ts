import type { FeatureUsage } from '../service/schema.ts'
import { matcherOf, type UsageFilter } from './filter.ts'
import { byCodeUnit } from './order.ts'

// A message with more names than this is not read.
const MOST_LISTED = 10

/** The names of applications and environments that a service is known to have. */
export interface KnownNames {
  applications: Set<string>
  environments: Set<string>
}

/** Adds the names in a usage document. */
export function addNames(
  { applications, environments }: KnownNames,
  { lastHourUsage, seenApplications }: FeatureUsage,
): void {
  for (const { appName, environment } of lastHourUsage) {
    if (appName != null) applications.add(appName)
    if (environment != null) environments.add(environment)
  }
  for (const name of seenApplications ?? []) applications.add(name)
}

/** The patterns that match none of the known names. */
export function unknownPatterns(
  patterns: readonly string[],
  known: ReadonlySet<string>,
): readonly string[] {
  return patterns.filter((pattern) => ![...known].some(matcherOf([pattern])))
}

function listed(names: ReadonlySet<string>): string {
  const sorted = [...names].sort(byCodeUnit)
  const more = sorted.length - MOST_LISTED
  if (sorted.length === 0) return 'none known'
  const shown = sorted.slice(0, MOST_LISTED).join(', ')
  return `known: ${shown}${more > 0 ? ` and ${more} more` : ''}`
}

/** Describes the filter values that match no known name; undefined if all do. */
export function unknownFilters(filter: UsageFilter, known: KnownNames): string | undefined {
  const kinds = [
    ['application', filter.applications, known.applications],
    ['environment', filter.environments, known.environments],
  ] as const
  const problems = kinds.flatMap(([kind, patterns, names]) =>
    unknownPatterns(patterns, names).map(
      (pattern) => `unknown ${kind} '${pattern}' (${listed(names)})`,
    ),
  )
  return problems.length > 0 ? problems.join('; ') : undefined
}
