import type { UsageRow } from './rows.ts'

/** Which rows to keep; an empty list keeps all. Patterns are names in which `*` matches any text. */
export interface UsageFilter {
  applications: readonly string[]
  environments: readonly string[]
}

function globOf(pattern: string): RegExp {
  const literal = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${literal.join('.*')}$`, 's')
}

/** Tests whether a name matches one of the patterns; without patterns every name does. */
export function matcherOf(patterns: readonly string[]): (name: string | undefined) => boolean {
  if (patterns.length === 0) return () => true
  const globs = patterns.map(globOf)
  return (name) => name !== undefined && globs.some((glob) => glob.test(name))
}

/** Keeps the rows whose application and environment match; a row without the name does not. */
export function createFilter({ applications, environments }: UsageFilter) {
  const matchesApplication = matcherOf(applications)
  const matchesEnvironment = matcherOf(environments)
  return (rows: readonly UsageRow[]): UsageRow[] =>
    rows.filter((row) => matchesApplication(row.application) && matchesEnvironment(row.environment))
}
