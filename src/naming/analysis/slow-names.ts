// Looks for a legal name that stalls a backtracking engine such as V8.
import { MAX_NAME_LENGTH } from '../../input/flag-names.ts'
import { type Budget, orUndecided, Undecided } from './budget.ts'
import { type Formula, Formulas } from './formulas.ts'
import { type Front, PathSearch } from './path-search.ts'
import { type Estimate, type Match, StepCounter } from './step-count.ts'

/** A name that takes more steps is slow: V8 needs about 50 milliseconds for these. */
const SLOW_STEPS = 20_000_000
/**
 * A pattern that never takes more steps is not attacked. What is proven is an upper bound, mostly far above the steps of an
 * engine, and a name between both limits would hardly be noticed: twice as long is a tenth of a second.
 */
const SAFE_STEPS = 2 * SLOW_STEPS
/** No name worse than this is looked for. */
const WORST_STEPS = 1e6 * SLOW_STEPS

// Units of work: together about a second for the slowest patterns.
const PROOF_WORK = 2_000_000
const ATTACK_WORK = 1_500_000

/** How many characters longer the names must be before the worst of them are tried again. */
const LENGTHS_BETWEEN_TRIALS = 8

/** A legal name that takes an engine more than `SLOW_STEPS`. */
export interface SlowName {
  name: string
  steps: number
}

/** Tries names with a pattern, and keeps the worst. */
class Attack {
  worst: SlowName | undefined
  readonly #formulas: Formulas
  readonly #start: Formula
  readonly #characterKinds: readonly string[]
  readonly #budget: Budget

  constructor(pattern: string, budget: Budget) {
    this.#budget = budget
    this.#formulas = new Formulas(budget)
    this.#start = this.#formulas.read(pattern)
    this.#characterKinds = this.#formulas.characterKinds()
  }

  /** Tries the worst names of a search. */
  async search(): Promise<void> {
    const search = new PathSearch(this.#formulas, this.#budget, 'worst')
    await search.run(this.#start, (fronts) => this.#tryWorst(fronts))
  }

  /** Tries one or two characters again and again, with each end. */
  async repeat(): Promise<void> {
    const kinds = this.#characterKinds
    const pairs = kinds.flatMap((first) => kinds.map((second) => first + second))
    for (const text of [...kinds, ...pairs]) {
      await this.#budget.pause()
      const long = text.repeat((MAX_NAME_LENGTH - 1) / text.length)
      if (kinds.some((end) => this.#try(long + end))) return
    }
  }

  #tryWorst(fronts: readonly Front[]): boolean {
    const length = fronts[0]?.name.length ?? 0
    if (length % LENGTHS_BETWEEN_TRIALS > 0 && length < MAX_NAME_LENGTH - 1) return false
    const slow = fronts.filter(({ steps }) => steps > SLOW_STEPS)
    const failing = slow.find(({ mayEnd }) => !mayEnd)
    const names = [failing, slow[0]].filter((front) => front !== undefined).map(({ name }) => name)
    return names.some((name) => ['', ...this.#characterKinds].some((end) => this.#try(name + end)))
  }

  /** Returns whether no worse name is needed. */
  #try(name: string): boolean {
    if (name.length > MAX_NAME_LENGTH) return false
    const { steps } = this.#match(name, 'at-most')
    const isWorse = steps > (this.worst?.steps ?? SLOW_STEPS)
    if (isWorse && this.#isCertain(name)) this.worst = { name, steps }
    return (this.worst?.steps ?? 0) > WORST_STEPS
  }

  /** Whether an engine takes all the steps: back-references could make it match early. */
  #isCertain(name: string): boolean {
    if (!this.#formulas.hasReference) return true
    return !this.#match(name, 'at-least').matches
  }

  #match(name: string, estimate: Estimate): Match {
    return new StepCounter(this.#formulas, name, this.#budget, estimate).run(this.#start)
  }
}

/**
 * Whether no legal name needs more than `SAFE_STEPS`.
 * @internal Tests compare it with a plain engine.
 * @throws Undecided
 */
export async function isSafe(pattern: string, whole: Budget): Promise<boolean> {
  const budget = whole.part(PROOF_WORK)
  const formulas = new Formulas(budget)
  const start = formulas.read(pattern)
  const search = new PathSearch(formulas, budget, 'all')
  const most = await search.run(start, ([worst]) => (worst?.steps ?? 0) > SAFE_STEPS)
  return most <= SAFE_STEPS
}

/**
 * Returns a legal name that takes an engine long, or undefined if there is none.
 * @throws Undecided
 */
export async function slowName(pattern: string, whole: Budget): Promise<SlowName | undefined> {
  const found = await orUndecided(() => isSafe(pattern, whole))
  if (found === true) return undefined
  const attacks = [(attack: Attack) => attack.search(), (attack: Attack) => attack.repeat()]
  for (const run of attacks) {
    const attack = new Attack(pattern, whole.part(ATTACK_WORK))
    await orUndecided(() => run(attack))
    if (attack.worst) return attack.worst
  }
  throw new Undecided('it takes too long')
}
