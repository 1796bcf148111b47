import type { FeatureUsage } from '../service/schema.ts'
import type { UsageRow } from './rows.ts'
import type { UsageFilter } from './view.ts'

/** A test for names. A regular expression with several `.*` could take exponential time. */
function globOf(pattern: string): (name: string) => boolean {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop()
  if (tail === undefined) return (name) => name === pattern
  return (name) => {
    if (!name.startsWith(head)) return false
    let from = head.length
    for (const part of rest) {
      const found = name.indexOf(part, from)
      if (found === -1) return false
      from = found + part.length
    }
    return name.length - tail.length >= from && name.endsWith(tail)
  }
}

/** Tests whether a name matches one of the patterns; without patterns, every name does. */
export function matcherOf(patterns: readonly string[] = []): (name: string | undefined) => boolean {
  if (patterns.length === 0) return () => true
  const globs = patterns.map(globOf)
  return (name) => name !== undefined && globs.some((matches) => matches(name))
}

/** Keeps the rows whose application and environment match; a missing name matches no pattern. */
export function createFilter({ applications, environments }: UsageFilter) {
  const matchesApplication = matcherOf(applications)
  const matchesEnvironment = matcherOf(environments)
  return (rows: readonly UsageRow[]): UsageRow[] =>
    rows.filter((row) => matchesApplication(row.application) && matchesEnvironment(row.environment))
}

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
