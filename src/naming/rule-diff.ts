import { createBudget, orElse } from './engine/budget.ts'
import { type Comparison, compare, type Condition } from './engine/comparison.ts'
import { createNameMatcher } from './engine/matcher.ts'
import { enforcedPattern, maxRuleLength } from './engine/rule.ts'

/**
 * How the set of legal names that the new rule accepts relates to that of the old one: `narrower` is a proper
 * subset, `wider` a proper superset.
 */
export type Relation = 'equal' | 'narrower' | 'wider' | 'overlapping' | 'disjoint' | 'undecided'

interface RuleDiff {
  relation: Relation
  /** Names that only the new rule accepts: some, as examples. */
  newlyAccepted: string[]
  /** Names that only the old rule accepts: some, as examples. */
  newlyRejected: string[]
}

const diffSteps = 40_000_000
const wanted = 3
// Few of the names that may differ really do.
const guessed = 12

const isAccepted: Condition = ([before, after]) => after === true && before === false
const isRejected: Condition = ([before, after]) => before === true && after === false
const isKept: Condition = ([before, after]) => before === true && after === true

/**
 * Compares two patterns over all legal flag names, with the service's semantics: an empty pattern
 * means no rule, and one that does not compile enforces nothing. There may be examples even if the relation is
 * `undecided`.
 * @param signal stops the work when it aborts
 */
export async function diffRules(from: string, to: string, signal?: AbortSignal): Promise<RuleDiff> {
  const unknown: RuleDiff = { relation: 'undecided', newlyAccepted: [], newlyRejected: [] }
  const budget = createBudget(diffSteps, signal)
  const before = enforcedPattern(from)
  // A pattern with many groups takes the engine long.
  await budget.pause()
  const after = enforcedPattern(to)
  const matchers = [createNameMatcher(before, signal), createNameMatcher(after, signal)] as const

  /** The names among these that the rules treat as wanted. */
  async function confirmed(names: readonly string[], isWanted: Condition): Promise<string[]> {
    const old = await matchers[0].match(names)
    const now = await matchers[1].match(names)
    const isKnown = (i: number) => old[i] !== 'timeout' && now[i] !== 'timeout'
    const isMeant = (i: number) => isWanted([old[i] === true, now[i] === true])
    return names.filter((_, i) => isKnown(i) && isMeant(i))
  }

  async function examples({ names, guesses }: Comparison, isWanted: Condition): Promise<string[]> {
    const likely = await confirmed(await guesses(isWanted, guessed), isWanted)
    return [...new Set([...names(isWanted, wanted), ...likely])].slice(0, wanted)
  }

  async function decide(): Promise<RuleDiff> {
    const comparison = await compare([before, after], budget)
    const newlyAccepted = await examples(comparison, isAccepted)
    const newlyRejected = await examples(comparison, isRejected)

    async function relation(): Promise<Relation> {
      const addsNone = newlyAccepted.length === 0 && !comparison.some(isAccepted)
      const losesNone = newlyRejected.length === 0 && !comparison.some(isRejected)
      if (addsNone) return losesNone ? 'equal' : 'narrower'
      if (losesNone) return 'wider'
      const kept = await examples(comparison, isKept)
      return kept.length > 0 || comparison.some(isKept) ? 'overlapping' : 'disjoint'
    }

    return {
      relation: await orElse<Relation>(relation, () => 'undecided'),
      newlyAccepted,
      newlyRejected,
    }
  }

  if (before === after) return { relation: 'equal', newlyAccepted: [], newlyRejected: [] }
  if (Math.max(before.length, after.length) > maxRuleLength) return unknown
  return orElse(decide, () => unknown)
}
