import { createBudget, orElse } from './budget.ts'
import { type Comparison, compare, hasReference, type Verdicts } from './comparison.ts'
import { createMatcher } from './matcher.ts'
import { enforcedPattern, ruleSource } from './rule.ts'
import { parseSource } from './syntax.ts'

/**
 * How the set of legal names that the new rule accepts relates to that of the old one: `narrower` is a proper
 * subset, `wider` a proper superset.
 */
export type Relation = 'equal' | 'narrower' | 'wider' | 'overlapping' | 'disjoint' | 'undecided'

export interface RuleDiff {
  relation: Relation
  /** Names that only the new rule accepts: some, as examples. */
  newlyAccepted: string[]
  /** Names that only the old rule accepts: some, as examples. */
  newlyRejected: string[]
}

const diffSteps = 40_000_000
const wanted = 3
// Few of the names that may differ really do.
const guesses = 12

const isAccepted = ([before, after]: Verdicts) => after === true && before === false
const isRejected = ([before, after]: Verdicts) => before === true && after === false
const isKept = ([before, after]: Verdicts) => before === true && after === true

/** @throws UndecidedError when the comparison is incomplete */
function relationOf({ some }: Comparison): Relation {
  const addsNone = !some(isAccepted)
  const losesNone = !some(isRejected)
  if (addsNone) return losesNone ? 'equal' : 'narrower'
  if (losesNone) return 'wider'
  return some(isKept) ? 'overlapping' : 'disjoint'
}

/**
 * What changes for legal flag names when one pattern replaces another, with the service's semantics: an empty pattern
 * means no rule, and one that does not compile enforces nothing. There may be examples even if the relation is
 * `undecided`.
 * @param signal stops the work when it aborts
 */
export async function diffRules(from: string, to: string, signal?: AbortSignal): Promise<RuleDiff> {
  const budget = createBudget(diffSteps, signal)
  const [before, after] = [enforcedPattern(from), enforcedPattern(to)]
  const matchers = [createMatcher(before, signal), createMatcher(after, signal)] as const

  /** The names among these that the rules treat as wanted. */
  async function confirmed(names: readonly string[], isWanted: (verdicts: Verdicts) => boolean) {
    const old = await matchers[0].verdicts(names)
    const now = await matchers[1].verdicts(names)
    const isKnown = (i: number) => old[i] !== 'timeout' && now[i] !== 'timeout'
    const isMeant = (i: number) => isWanted([old[i] === true, now[i] === true])
    return names.filter((_, i) => isKnown(i) && isMeant(i)).slice(0, wanted)
  }

  async function decide(): Promise<RuleDiff> {
    const syntaxes = [before, after].map((pattern) => parseSource(ruleSource(pattern)))
    const isWidened = syntaxes.some(hasReference)
    const comparison = await compare(syntaxes, budget)
    const accepts = (index: number) => (verdicts: Verdicts) => verdicts[index] === true
    const examples = (isWanted: (verdicts: Verdicts) => boolean, index: number) =>
      isWidened
        ? confirmed(comparison.names(accepts(index), guesses), isWanted)
        : comparison.names(isWanted, wanted)
    const relation = await orElse<Relation>(
      async () => (isWidened ? 'undecided' : relationOf(comparison)),
      () => 'undecided',
    )
    return {
      relation: before === after ? 'equal' : relation,
      newlyAccepted: before === after ? [] : await examples(isAccepted, 1),
      newlyRejected: before === after ? [] : await examples(isRejected, 0),
    }
  }

  return orElse(decide, () => ({
    relation: before === after ? 'equal' : 'undecided',
    newlyAccepted: [],
    newlyRejected: [],
  }))
}
