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

/** A function that finds names that the rules treat as wanted. */
function createExamples(
  { names, guesses }: Comparison,
  [before, after]: readonly [string, string],
  signal: AbortSignal,
) {
  const [old, now] = [createNameMatcher(before, signal), createNameMatcher(after, signal)]
  return async (isWanted: Condition): Promise<string[]> => {
    const likely = await guesses(isWanted, guessed)
    const [were, are] = [await old.match(likely), await now.match(likely)]
    const confirmed = likely.filter((_, i) => {
      const isKnown = were[i] !== 'timeout' && are[i] !== 'timeout'
      return isKnown && isWanted([were[i] === true, are[i] === true])
    })
    return [...new Set([...names(isWanted, wanted), ...confirmed])].slice(0, wanted)
  }
}

/**
 * Compares two patterns over all legal flag names, with the service's semantics: an empty pattern
 * means no rule, and one that does not compile enforces nothing. There may be examples even if the relation is
 * `undecided`.
 * @param signal stops the work when it aborts
 */
export async function diffRules(from: string, to: string, signal: AbortSignal): Promise<RuleDiff> {
  const budget = createBudget(diffSteps, signal)
  const before = enforcedPattern(from)
  // A pattern with many groups takes the engine long.
  await budget.pause()
  const after = enforcedPattern(to)
  if (before === after) return { relation: 'equal', newlyAccepted: [], newlyRejected: [] }
  const isShort = Math.max(before.length, after.length) <= maxRuleLength
  const comparison = isShort && (await orElse(compare([before, after], budget), undefined))
  if (!comparison) return { relation: 'undecided', newlyAccepted: [], newlyRejected: [] }
  const { some } = comparison
  const examples = createExamples(comparison, [before, after], signal)
  const newlyAccepted = await examples(isAccepted)
  const newlyRejected = await examples(isRejected)

  async function relation(): Promise<Relation> {
    const addsNone = newlyAccepted.length === 0 && !some(isAccepted)
    const losesNone = newlyRejected.length === 0 && !some(isRejected)
    if (addsNone) return losesNone ? 'equal' : 'narrower'
    if (losesNone) return 'wider'
    const kept = await examples(isKept)
    return kept.length > 0 || some(isKept) ? 'overlapping' : 'disjoint'
  }

  return { relation: await orElse(relation(), 'undecided'), newlyAccepted, newlyRejected }
}
