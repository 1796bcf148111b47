import { matcherOf } from '../input/wildcards.ts'
import type { FeatureUsage } from '../service/schema.ts'
import type { UsageRow } from './rows.ts'
import type { UsageFilter } from './view.ts'

/** The rows whose application and environment match; a missing name matches no pattern. */
export function filterRows(rows: readonly UsageRow[], filter: UsageFilter): UsageRow[] {
  const [matches, matchesIn] = [matcherOf(filter.app), matcherOf(filter.environment)]
  return rows.filter((row) => matches(row.application) && matchesIn(row.environment))
}

/** The names of applications and environments that a service is known to have. */
export interface KnownNames {
  applications: Set<string>
  environments: Set<string>
}

/** Adds the names in a usage document. */
export function addKnown(
  { applications, environments }: KnownNames,
  { lastHourUsage, seenApplications }: FeatureUsage,
): void {
  for (const { appName, environment } of lastHourUsage) {
    if (appName != null) applications.add(appName)
    if (environment != null) environments.add(environment)
  }
  for (const name of seenApplications ?? []) applications.add(name)
}

/** A value of a filter that matches no known name. */
export interface UnknownFilter {
  kind: 'application' | 'environment'
  pattern: string
  known: ReadonlySet<string>
}

/** The values of a filter that match no known name. */
export function unknownFilters(filter: UsageFilter, known: KnownNames): UnknownFilter[] {
  const kinds = [
    ['application', filter.app, known.applications],
    ['environment', filter.environment, known.environments],
  ] as const
  return kinds.flatMap(([kind, patterns, names]) =>
    unknownPatterns(patterns, names).map((pattern) => ({ kind, pattern, known: names })),
  )
}

/** The patterns that match none of the known names. */
export function unknownPatterns(
  patterns: readonly string[] | undefined,
  known: ReadonlySet<string>,
): readonly string[] {
  return (patterns ?? []).filter((pattern) => ![...known].some(matcherOf([pattern])))
}
