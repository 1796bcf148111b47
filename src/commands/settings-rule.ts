import { type Service, unlessMissing } from '../service/client.ts'
import { counted } from '../phrases.ts'

/** The flags of a project that a rule would reject. */
export interface BreakingFlags {
  total: number
  breaking: string[]
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
  const [{ enforcedPattern, lengthProblem }, { createMatcher }] = await Promise.all([
    import('../naming/rule.ts'),
    import('../naming/matcher.ts'),
  ])
  if (lengthProblem({ pattern }) !== undefined) return undefined
  const listed = await unlessMissing(service.projectFeatures(projectId))
  if (!listed) return undefined
  const names = listed.data.features.map(({ name }) => name)
  const verdicts = await createMatcher(enforcedPattern(pattern), signal).verdicts(names)
  const breaking = names.filter((_, index) => verdicts[index] !== true)
  return { total: names.length, breaking: breaking.sort() }
}

const MAX_SHOWN = 3

/** `2 of 5 existing flags break the rule: a, b`; undefined if none does. */
export function breakingText({ total, breaking }: BreakingFlags): string | undefined {
  if (breaking.length === 0) return undefined
  const shown = breaking.slice(0, MAX_SHOWN).join(', ')
  const more = breaking.length > MAX_SHOWN ? ', …' : ''
  const verb = breaking.length === 1 ? 'breaks' : 'break'
  return `${breaking.length} of ${counted(total, 'existing flag')} ${verb} the new rule: ${shown}${more}`
}
