// Decides which rules accept a name: exactly, with look-around and word boundaries. A state is a formula for the rest of
// the name, and reading a character turns it into the next formula (Brzozowski's derivatives).
import { type Budget, Undecided } from './budget.ts'
import {
  edgeHolds,
  type Formula,
  type Formulas,
  isWordCharacter,
  type LookAround,
  type Sequence,
} from './formulas.ts'

/** The place between two characters of a name, and what the formulas there depend on. */
interface Boundary {
  /** Undefined at the start of the name. */
  before: string | undefined
  /** Undefined at the end of the name. */
  next: string | undefined
  /** Whether look-behinds end here, instead of reading the next character. */
  endsLookBehinds: boolean
  /** What must follow the next character for each look-behind to match. */
  lookBehinds: Formula[]
  /** The formulas after the next character that are known. */
  derivatives: Map<Formula, Formula>
}

/** The place of a name that has been read so far. */
interface State {
  /** What must follow for each rule to accept the name. */
  rules: Formula[]
  /** What must follow for each look-behind to match, if it started anywhere before. */
  lookBehinds: Formula[]
  before: string | undefined
}

export class RuleAutomaton {
  readonly start: State
  readonly characterKinds: string[]
  readonly #formulas: Formulas
  readonly #derivatives = new Map<string, Map<Formula, Formula>>()
  readonly #budget: Budget

  /** @throws Undecided for a back-reference that is not ignored */
  constructor(formulas: Formulas, rules: Formula[], budget: Budget) {
    this.#budget = budget
    this.#formulas = formulas
    if (this.#formulas.hasReference) throw new Undecided('a back-reference cannot be analysed')
    this.characterKinds = this.#formulas.characterKinds()
    const lookBehinds = this.#formulas.lookBehinds.map(() => this.#formulas.no)
    this.start = { rules, lookBehinds, before: undefined }
  }

  /** The state after the next character of the name. */
  step(state: State, next: string): State {
    const { boundary, lookBehinds } = this.#boundaryOf(state, next)
    return {
      rules: state.rules.map((rule) => this.#after(rule, boundary)),
      lookBehinds: lookBehinds.map((look) => this.#after(look, boundary)),
      before: next,
    }
  }

  verdicts(state: State): boolean[] {
    const { boundary } = this.#boundaryOf(state, undefined)
    return state.rules.map((rule) => this.#after(rule, boundary) === this.#formulas.yes)
  }

  /** A text that is the same for states with the same future. */
  keyOf({ rules, lookBehinds, before }: State): string {
    return `${[...rules, ...lookBehinds].map(({ id }) => id).join()} ${sideOf(before)}`
  }

  #boundaryOf({ lookBehinds, before }: State, next: string | undefined) {
    const formulas = this.#formulas
    // A look-behind may start at any place so far.
    const open = formulas.lookBehinds.map(({ branches }, index) =>
      formulas.or([
        lookBehinds[index] ?? formulas.no,
        ...branches.map((parts) => formulas.prependAll(parts, formulas.lookBehindEnd)),
      ]),
    )
    const possible: Formula[] = []
    // Each depends only on those before it, which are inside it.
    for (const look of open) {
      possible.push(this.#after(look, this.#boundaryWith(possible, { before, next, isEnd: true })))
    }
    const boundary = this.#boundaryWith(possible, { before, next, isEnd: false })
    return { boundary, lookBehinds: open }
  }

  #boundaryWith(
    lookBehinds: Formula[],
    {
      before,
      next,
      isEnd,
    }: { before: string | undefined; next: string | undefined; isEnd: boolean },
  ): Boundary {
    const ids = lookBehinds.map(({ id }) => id).join()
    const key = `${sideOf(before)} ${next} ${isEnd} ${ids}`
    const derivatives = this.#derivatives.get(key) ?? new Map<Formula, Formula>()
    this.#derivatives.set(key, derivatives)
    return { before, next, endsLookBehinds: isEnd, lookBehinds, derivatives }
  }

  /** The formula after the next character; at the end of the name, `yes` or `no`. */
  #after(formula: Formula, boundary: Boundary): Formula {
    if (formula.type === 'yes' || formula.type === 'no') return formula
    const derivative = boundary.derivatives.get(formula)
    if (derivative) return derivative
    this.#budget.spend('formulas' in formula ? formula.formulas.length : 1)
    const result = this.#derive(formula, boundary)
    boundary.derivatives.set(formula, result)
    return result
  }

  #derive(formula: Formula, boundary: Boundary): Formula {
    const formulas = this.#formulas
    switch (formula.type) {
      case 'look-behind-end':
        return boundary.endsLookBehinds ? formulas.yes : formulas.no
      case 'or':
        return formulas.or(formula.formulas.map((branch) => this.#after(branch, boundary)))
      case 'and':
        return formulas.and(formula.formulas.map((part) => this.#after(part, boundary)))
      case 'not':
        return formulas.not(this.#after(formula.formula, boundary))
      case 'sequence':
        return this.#deriveSequence(formula, boundary)
      default:
        return formula
    }
  }

  #deriveSequence({ part, rest, isBehind }: Sequence, boundary: Boundary): Formula {
    const formulas = this.#formulas
    const { before, next, endsLookBehinds, lookBehinds } = boundary
    switch (part.type) {
      case 'characters': {
        const mayRead = !(endsLookBehinds && isBehind)
        const reads = mayRead && next !== undefined && part.set.has(next)
        return reads ? formulas.endRounds(rest) : formulas.no
      }
      case 'alternation':
        return this.#afterAny(part.branches, rest, boundary)
      case 'loop': {
        if (part.max === 0) return this.#after(rest, boundary)
        const round = this.#after(formulas.unrollRound(part, rest), boundary)
        return part.min > 0 ? round : formulas.or([this.#after(rest, boundary), round])
      }
      case 'edge':
        return edgeHolds(part, before, next) ? this.#after(rest, boundary) : formulas.no
      case 'look-around': {
        const behind = part.isBehind ? lookBehinds[part.behindIndex] : undefined
        const look = behind ?? this.#afterAny(part.branches, formulas.yes, boundary)
        const holds = part.isNegated ? formulas.not(look) : look
        return formulas.and([holds, this.#after(rest, boundary)])
      }
      default:
        return formulas.no
    }
  }

  #afterAny(branches: LookAround['branches'], end: Formula, boundary: Boundary): Formula {
    const formulas = this.#formulas
    return formulas.or(
      branches.map((parts) => this.#after(formulas.prependAll(parts, end), boundary)),
    )
  }
}

/** What word boundaries depend on. */
function sideOf(before: string | undefined): string {
  return before === undefined ? '' : `${isWordCharacter(before)}`
}
