import { type Service, unlessMissing } from '../service/client.ts'
import { counted } from '../output/phrases.ts'
import { createNameMatcher, type NameMatch } from '../naming/engine/matcher.ts'
import { enforcedPattern, lengthProblem } from '../naming/engine/rule.ts'

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
  const listed = await unlessMissing(service.projectFeatures(projectId))
  if (!listed) return undefined
  const names = listed.data.features.map(({ name }) => name)
  const verdicts = await createNameMatcher(enforcedPattern(pattern), signal).match(names)
  const withVerdict = (verdict: NameMatch) =>
    names.filter((_, index) => verdicts[index] === verdict).sort()
  return {
    total: names.length,
    breaking: withVerdict(false),
    undecided: withVerdict('timeout'),
  }
}

const MAX_SHOWN = 3

function shownNames(names: readonly string[]): string {
  return names.slice(0, MAX_SHOWN).join(', ') + (names.length > MAX_SHOWN ? ', …' : '')
}

/** Why a rule needs a question, such as `2 of 5 existing flags break the new rule: a, b`; empty if it needs none. */
export function breakingTexts({ total, breaking, undecided }: BreakingFlags): string[] {
  const flags = counted(total, 'existing flag')
  const verb = breaking.length === 1 ? 'breaks' : 'break'
  const subject = `${undecided.length} of ${flags} could not be matched with the new rule in time`
  return [
    ...(breaking.length > 0
      ? [`${breaking.length} of ${flags} ${verb} the new rule: ${shownNames(breaking)}`]
      : []),
    ...(undecided.length > 0 ? [`${subject}: ${shownNames(undecided)}`] : []),
  ]
}
