import type { Budget } from './budget.ts'
import { edgeHolds, type Formula, type Formulas, type Sequence } from './formulas.ts'

/** The result of a match from a formula at a place of the name. */
export interface Match {
  matches: boolean
  steps: number
}

// Above any length of a name.
const KEY_STEP = 128
const WORK_PER_MATCH = 2

/**
 * Counts the steps that a backtracking engine takes on one name. They are counted, not timed: from the same formula at the
 * same place, an engine always takes the same steps, so each count is computed once, even if an engine would take years.
 * Not for back-references, which depend on what was captured.
 */
export class StepCounter {
  readonly #matches = new Map<number, Match>()
  readonly #formulas: Formulas
  readonly #name: string
  readonly #budget: Budget

  constructor(formulas: Formulas, name: string, budget: Budget) {
    this.#formulas = formulas
    this.#name = name
    this.#budget = budget
  }

  run(formula: Formula, at = 0): Match {
    if (formula.type !== 'sequence') return { matches: true, steps: 0 }
    // V8 gives up where too few characters are left.
    const isTooLong = !formula.isBehind && this.#name.length - at < formula.least
    if (isTooLong) return { matches: false, steps: 1 }
    const key = formula.id * KEY_STEP + at
    const match = this.#matches.get(key)
    if (match) return match
    this.#budget.spend(WORK_PER_MATCH)
    const result = this.#match(formula, at)
    this.#matches.set(key, result)
    return result
  }

  #match(sequence: Sequence, at: number): Match {
    const { part, rest, isBehind } = sequence
    const formulas = this.#formulas
    const name = this.#name
    switch (part.type) {
      case 'characters': {
        const character = name[isBehind ? at - 1 : at]
        if (character === undefined || !part.set.has(character)) return { matches: false, steps: 1 }
        return this.#step(formulas.endRounds(rest), isBehind ? at - 1 : at + 1)
      }
      case 'alternation':
        return this.#first(formulas.branchesOf(sequence), at)
      case 'loop': {
        if (part.max === 0) return this.run(rest, at)
        const round = formulas.unrollRound(part, rest)
        if (part.min > 0) return this.run(round, at)
        return this.#first(part.isLazy ? [rest, round] : [round, rest], at)
      }
      case 'edge':
        if (!edgeHolds(part, name[at - 1], name[at])) return { matches: false, steps: 1 }
        return this.#step(rest, at)
      case 'look-around': {
        const look = this.#first(formulas.branchesOf(sequence), at)
        const steps = 1 + look.steps
        if (look.matches === part.isNegated) return { matches: false, steps }
        return this.#step(rest, at, steps)
      }
      // Patterns with back-references are tried with captures: trial.ts.
      case 'back-reference':
      case 'round-end':
        return { matches: false, steps: 1 }
    }
  }

  #first(formulas: readonly Formula[], at: number): Match {
    let steps = 0
    for (const formula of formulas) {
      const result = this.run(formula, at)
      steps += result.steps
      if (result.matches) return { matches: true, steps }
    }
    return { matches: false, steps }
  }

  #step(rest: Formula, at: number, steps = 1): Match {
    const after = this.run(rest, at)
    return { matches: after.matches, steps: steps + after.steps }
  }
}
