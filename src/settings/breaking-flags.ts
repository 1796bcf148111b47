import { type Service, unlessMissing } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import {
  createNameMatcher,
  enforcedPattern,
  lengthProblem,
  type NameMatch,
} from '../naming/rule.ts'

/** The flags of a project that a rule would reject. */
export interface BreakingFlags {
  total: number
  breaking: string[]
  /** Those that could not be matched in time. */
  undecided: string[]
}

/**
 * The existing flags of a project that would break a pattern; undefined if the pattern is too long to check, or if the
 * service does not list the flags of a project.
 */
export async function breakingFlags(
  service: Service,
  projectId: string,
  pattern: string,
  signal: AbortSignal,
): Promise<BreakingFlags | undefined> {
  if (lengthProblem({ pattern }) !== undefined) return undefined
  const listed = await unlessMissing(service.read(operations.projectFeatures, { projectId }))
  if (!listed) return undefined
  const names = listed.data.features.map(({ name }) => name)
  const verdicts = await createNameMatcher(enforcedPattern(pattern), signal)(names)
  const withVerdict = (verdict: NameMatch) =>
    names.filter((_, index) => verdicts[index] === verdict).sort()
  return {
    total: names.length,
    breaking: withVerdict(false),
    undecided: withVerdict('timeout'),
  }
}
