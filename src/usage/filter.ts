import type { UsageRow } from './rows.ts'

/** Which rows to keep; an empty list keeps all. In a pattern, `*` matches any text. */
export interface UsageFilter {
  applications: readonly string[]
  environments: readonly string[]
}

/** A test for names. By hand, as a regular expression with several `.*` can take exponential time. */
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

/** Tests whether a name matches one of the patterns; without patterns every name does. */
export function matcherOf(patterns: readonly string[]): (name: string | undefined) => boolean {
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
