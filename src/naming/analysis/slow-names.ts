// Looks for a legal name that stalls a backtracking engine such as V8.
import { MAX_NAME_LENGTH } from '../../input/flag-names.ts'
import { type Budget, orUndecided, Undecided } from './budget.ts'
import { type Formula, Formulas } from './formulas.ts'
import { type Front, PathSearch } from './path-search.ts'
import { StepCounter } from './step-count.ts'
import { parsePattern } from './syntax.ts'
import { Trial } from './trial.ts'

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

/** Steps of a trial for a unit of work. */
const STEPS_PER_WORK = 40

/** How many characters longer the names must be before the worst of them are tried again. */
const LENGTHS_BETWEEN_TRIALS = 8

/** A legal name that takes an engine more than `SLOW_STEPS`. */
export interface SlowName {
  name: string
  steps: number
  /** Whether it takes more steps than these, which were not counted. */
  isMore: boolean
}

class Attack {
  worst: SlowName | undefined
  tried = 0
  readonly #formulas: Formulas
  readonly #start: Formula
  readonly #characterKinds: readonly string[]
  readonly #budget: Budget
  /** For back-references. */
  readonly #trial: Trial | undefined

  constructor(pattern: string, budget: Budget) {
    this.#budget = budget
    this.#formulas = new Formulas(budget)
    this.#start = this.#formulas.read(pattern)
    this.#characterKinds = this.#formulas.characterKinds()
    const { hasReference } = this.#formulas
    this.#trial = hasReference ? new Trial(parsePattern(pattern), SLOW_STEPS) : undefined
  }

  /** Tries the worst names of a search, or repeated characters: a trial first the latter, whose names are longer. */
  run(round: 'first' | 'second'): Promise<void> {
    const isSearch = (round === 'first') === (this.#trial === undefined)
    return isSearch ? this.#search() : this.#repeat()
  }

  async #search(): Promise<void> {
    const search = new PathSearch(this.#formulas, this.#budget, 'worst')
    await search.run(this.#start, (fronts) => this.#tryWorst(fronts))
  }

  /** Tries one or two characters again and again, with each end. */
  async #repeat(): Promise<void> {
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
    const steps = this.#stepsOn(name)
    this.tried++
    if (steps > (this.worst?.steps ?? SLOW_STEPS)) {
      this.worst = { name, steps, isMore: this.#trial !== undefined }
    }
    return (this.worst?.steps ?? 0) > (this.#trial ? SLOW_STEPS : WORST_STEPS)
  }

  #stepsOn(name: string): number {
    if (!this.#trial)
      return new StepCounter(this.#formulas, name, this.#budget).run(this.#start).steps
    const { steps } = this.#trial.run(name)
    this.#budget.spend(steps / STEPS_PER_WORK)
    return steps
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
  const safety = await orUndecided(() => isSafe(pattern, whole))
  if (safety === true) return undefined
  let tried = 0
  for (const round of ['first', 'second'] as const) {
    const attack = new Attack(pattern, whole.part(ATTACK_WORK))
    await orUndecided(() => attack.run(round))
    if (attack.worst) return attack.worst
    tried += attack.tried
  }
  if (tried === 0) throw new Undecided('it takes too long')
  const shown = tried.toLocaleString('en')
  throw new Undecided(`none of ${shown} names that were tried is slow, which proves nothing`)
}
