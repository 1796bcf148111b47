import type { AST } from '@eslint-community/regexpp'
import { isLegalName, MAX_NAME_LENGTH } from '../../input/flag-names.ts'
import { RuleAutomaton } from './automaton.ts'
import { type Budget, orUndecided, Undecided } from './budget.ts'
import { Formulas } from './formulas.ts'

/** Names as people write them, which make better examples than the shortest ones. */
export const realisticNames: readonly string[] = [
  'checkout',
  'search',
  'banner-login',
  'search-2',
  'banner_login',
  'newCheckout',
  'Checkout',
  'team.checkout.beta',
  'NEW_CHECKOUT',
  'enableSearch',
  'BETA-42',
  'v2',
  '~beta!',
]

type Verdicts<Rule extends string> = Readonly<Record<Rule, boolean>>

/** The legal names that rules accept, by the verdicts of all of them. */
export interface Survey<Rule extends string> {
  /** The names found with these verdicts: up to three realistic ones, or otherwise a shortest one. */
  examples(verdicts: Verdicts<Rule>): readonly string[]
  /**
   * Returns a name with these verdicts, if there is one.
   * @throws Undecided if none was found, but not all names were examined
   */
  find(verdicts: Verdicts<Rule>): string | undefined
}

interface Beginning {
  state: RuleAutomaton['start']
  name: string
}

const MAX_REALISTIC_EXAMPLES = 3

// Units of work.
const SURVEY_WORK = 2_000_000
const WORK_PER_STATE = 20
const KEY_CHARACTERS_PER_WORK = 8

/** Examines all legal names, realistic ones first, then by length. */
class Exploration {
  readonly #examples = new Map<string, readonly string[]>()
  readonly #automaton: RuleAutomaton
  readonly #isEnough: (exploration: Exploration) => boolean
  readonly #budget: Budget
  readonly #seenStates = new Set<string>()

  constructor(
    automaton: RuleAutomaton,
    budget: Budget,
    isEnough: (exploration: Exploration) => boolean,
  ) {
    this.#automaton = automaton
    this.#budget = budget
    this.#isEnough = isEnough
  }

  having(verdicts: readonly (boolean | undefined)[]): readonly string[] {
    return this.#examples.get(verdicts.join()) ?? []
  }

  get combinations(): number {
    return this.#examples.size
  }

  /** @throws Undecided */
  async run(tried: readonly string[]): Promise<void> {
    const { start } = this.#automaton
    for (const name of tried) {
      const state = [...name].reduce((from, next) => this.#automaton.step(from, next), start)
      this.#note({ state, name }, MAX_REALISTIC_EXAMPLES)
    }
    let level: Beginning[] = [{ state: start, name: '' }]
    for (let length = 0; level.length > 0 && !this.#isEnough(this); length++) {
      level = await this.#examine(level, { isLast: length === MAX_NAME_LENGTH })
    }
  }

  /** Notes the names of one length. Returns the beginnings of longer names. */
  async #examine(level: readonly Beginning[], { isLast }: { isLast: boolean }) {
    const longer: Beginning[] = []
    for (const beginning of level) {
      await this.#budget.pause()
      if (isLegalName(beginning.name)) this.#note(beginning, 1)
      if (this.#isEnough(this)) return []
      if (!isLast) longer.push(...this.#longer(beginning))
    }
    return longer
  }

  #note({ state, name }: Beginning, most: number): void {
    const key = this.#automaton.verdicts(state).join()
    const noted = this.#examples.get(key) ?? []
    if (noted.length < most) this.#examples.set(key, [...noted, name])
  }

  /** The new states that are one character longer. */
  #longer(beginning: Beginning): Beginning[] {
    const automaton = this.#automaton
    return automaton.characterKinds.flatMap((kind) => {
      const state = automaton.step(beginning.state, kind)
      const name = beginning.name + kind
      const key = automaton.keyOf(state)
      this.#budget.spend(WORK_PER_STATE + key.length / KEY_CHARACTERS_PER_WORK)
      if (this.#seenStates.has(key)) return []
      // These are not legal, but other names may lead to the same states.
      if (name !== '.' && name !== '..') this.#seenStates.add(key)
      return [{ state, name }]
    })
  }
}

/**
 * Examines all legal names.
 * @param patterns the patterns of the rules, by what to call them
 * @param tried legal names to try first
 * @param options whether back-references read any text, so that the rules accept at least the names that they do
 * @throws Undecided for patterns that cannot be examined
 */
export async function survey<Rule extends string>(
  patterns: Readonly<Record<Rule, string>>,
  whole: Budget,
  tried = realisticNames,
  { ignoresReferences = false } = {},
): Promise<Survey<Rule>> {
  const budget = whole.part(SURVEY_WORK)
  await budget.pause()
  const rules = Object.keys(patterns)
  const formulas = new Formulas(budget, { ignoresReferences })
  const accepted = Object.values<string>(patterns).map((pattern) => formulas.read(pattern))
  const automaton = new RuleAutomaton(formulas, accepted, budget)
  const all = 2 ** rules.length
  const exploration = new Exploration(automaton, budget, ({ combinations }) => combinations === all)
  const end = await orUndecided(() => exploration.run(tried))

  function examples(verdicts: Verdicts<Rule>): readonly string[] {
    const byRule = new Map(Object.entries<boolean>(verdicts))
    return exploration.having(rules.map((rule) => byRule.get(rule)))
  }

  return {
    examples,
    find(verdicts) {
      const [name] = examples(verdicts)
      if (name === undefined && end instanceof Undecided) throw end
      return name
    },
  }
}

/**
 * Whether a legal name reaches a part of a pattern outside look-arounds. Back-references are not examined: they read any text.
 * @throws Undecided
 */
export async function isReached(
  part: AST.Alternative | AST.Quantifier,
  whole: Budget,
): Promise<boolean> {
  const budget = whole.part(SURVEY_WORK)
  const formulas = new Formulas(budget, { ignoresReferences: true })
  const automaton = new RuleAutomaton(formulas, [formulas.readThrough(part)], budget)
  const isFound = (explored: Exploration) => explored.having([true]).length > 0
  const exploration = new Exploration(automaton, budget, isFound)
  await exploration.run(realisticNames)
  return isFound(exploration)
}
