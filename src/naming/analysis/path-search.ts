import { LEGAL_CHARACTERS, MAX_NAME_LENGTH } from '../../input/flag-names.ts'
import type { Budget } from './budget.ts'
import type { Formula, Formulas, LookAround, Loop, Sequence } from './formulas.ts'

/** What an engine may try from a formula before it reads a character. */
interface Attempt {
  /** At most. */
  steps: number
  /** The formulas that read the character, and on how many paths the engine reaches each, at most. */
  reads: Map<Sequence, number>
  /** Whether the pattern may match a name that ends here. */
  mayEnd: boolean
  /** Whether it certainly matches every name that goes on, so that an engine that reaches the formula reads on only once. */
  acceptsAll: boolean
}

/** The names of one length that lead an engine to the same formulas. */
export interface Front {
  /** On how many paths an engine reaches each formula, at most. */
  paths: Map<Formula, number>
  /** No more steps are needed for any of these names. */
  steps: number
  /** The worst of the names; any of them if all names are followed. */
  name: string
  mayEnd: boolean
}

/** Whether to follow all names, which proves a limit, or only the worst ones. */
export type Names = 'all' | 'worst'

const MAX_FRONTS: Record<Names, number> = { all: 300, worst: 24 }

// Units of work.
const WORK_PER_ATTEMPT = 8
const WORK_PER_READ = 2

/** Follows all paths of an engine through a pattern at once, as if it never succeeded. */
export class PathSearch {
  readonly #attempts = new Map<Formula, Attempt>()
  readonly #acceptingEnd = new Map<Formula, boolean>()
  readonly #lookBehindSteps = new Map<LookAround, number>()
  readonly #formulas: Formulas
  readonly #characterKinds: readonly string[]
  readonly #budget: Budget
  readonly #names: Names

  constructor(formulas: Formulas, budget: Budget, names: Names) {
    this.#formulas = formulas
    this.#characterKinds = formulas.characterKinds()
    this.#budget = budget
    this.#names = names
  }

  /**
   * Returns the most steps along the names that were followed.
   * @param isEnough called with the names of each length, the worst first; ends the search
   */
  async run(start: Formula, isEnough: (fronts: readonly Front[]) => boolean): Promise<number> {
    const { lookBehinds, lookBehindEnd } = this.#formulas
    for (const look of lookBehinds) {
      const starts = look.branches.map((parts) =>
        this.#formulas.prependAll(parts.toReversed(), lookBehindEnd),
      )
      this.#lookBehindSteps.set(look, await this.#follow(starts, () => false))
    }
    return this.#follow([start], isEnough)
  }

  async #follow(
    starts: readonly Formula[],
    isEnough: (fronts: readonly Front[]) => boolean,
  ): Promise<number> {
    const paths = new Map(starts.map((formula) => [formula, 1]))
    let fronts = [this.#frontOf(paths, 0, '')]
    let most = 0
    for (let length = 0; fronts.length > 0; length++) {
      most = Math.max(most, fronts[0]?.steps ?? 0)
      if (isEnough(fronts) || length === MAX_NAME_LENGTH) break
      const longer = new Map<string, Front>()
      for (const front of this.#kept(fronts)) {
        this.#extend(front, longer)
        await this.#budget.pause()
      }
      fronts = [...longer.values()].sort((a, b) => b.steps - a.steps)
    }
    return most
  }

  /** The fronts to follow: the worst ones or, if all names are followed, all, with similar ones merged. */
  #kept(fronts: readonly Front[]): readonly Front[] {
    const open = fronts.filter(({ paths }) => paths.size > 0)
    const most = MAX_FRONTS[this.#names]
    if (open.length <= most) return open
    if (this.#names === 'all') {
      const merged = new Map<string, Front>()
      for (const front of open) mergeInto(merged, front.name.slice(-1), front)
      return [...merged.values()]
    }
    // An engine follows all paths only if it fails.
    const failing = open.filter(({ mayEnd }) => !mayEnd).slice(0, most / 2)
    return [...new Set([...failing, ...open])].slice(0, most)
  }

  #frontOf(paths: Front['paths'], stepsBefore: number, name: string): Front {
    const front: Front = { paths, steps: stepsBefore, name, mayEnd: false }
    for (const [formula, times] of paths) {
      const attempt = this.#attemptOf(formula)
      front.steps += attempt.steps * times
      front.mayEnd ||= attempt.mayEnd
    }
    return front
  }

  /** Adds the names that are one character longer. */
  #extend(front: Front, longer: Map<string, Front>): void {
    const formulas = this.#formulas
    const budget = this.#budget
    const reads = this.#readsOf(front)
    const room = MAX_NAME_LENGTH - front.name.length - 1
    for (const kind of this.#characterKinds) {
      const paths = new Map<Formula, number>()
      let { steps } = front
      budget.spend(reads.size)
      for (const [read, times] of reads) {
        if (read.part.type !== 'characters' || !read.part.set.has(kind)) continue
        const next = formulas.endRounds(read.rest)
        if (next === formulas.lookBehindEnd || next === formulas.lookAheadEnd) continue
        const isTooLong = next.type === 'sequence' && !next.isBehind && next.least > room
        if (isTooLong) steps += times
        else paths.set(next, (paths.get(next) ?? 0) + times)
      }
      budget.spend(paths.size)
      const extended = this.#frontOf(paths, steps, front.name + kind)
      const ids = Array.from(paths.keys(), ({ id }) => id).sort((a, b) => a - b)
      const key = ids.join()
      if (this.#names === 'all') mergeInto(longer, key, extended)
      else if (extended.steps > (longer.get(key)?.steps ?? -1)) longer.set(key, extended)
    }
  }

  /** What an engine reads next, and on how many paths. */
  #readsOf({ paths }: Front): Map<Sequence, number> {
    const reads = new Map<Sequence, number>()
    for (const [formula, times] of paths) {
      const attempt = this.#attemptOf(formula)
      this.#budget.spend(attempt.reads.size)
      const factor = attempt.acceptsAll ? 1 : times
      for (const [read, more] of attempt.reads) {
        reads.set(read, (reads.get(read) ?? 0) + more * factor)
      }
    }
    return reads
  }

  #attemptOf(formula: Formula): Attempt {
    const existing = this.#attempts.get(formula)
    if (existing) return existing
    this.#budget.spend(WORK_PER_ATTEMPT)
    const attempt: Attempt = {
      steps: 1,
      reads: new Map(),
      mayEnd: formula === this.#formulas.yes,
      acceptsAll: false,
    }
    if (formula.type === 'sequence') this.#complete(attempt, formula)
    this.#attempts.set(formula, attempt)
    return attempt
  }

  #complete(attempt: Attempt, sequence: Sequence): void {
    const { part, rest } = sequence
    const formulas = this.#formulas
    /** Adds what an engine may try from a formula that it reaches without a condition, or only if one holds. */
    const add = (next: Formula, isCertain: boolean) => {
      const more = this.#attemptOf(next)
      this.#budget.spend(1 + WORK_PER_READ * more.reads.size)
      attempt.steps += more.steps
      attempt.mayEnd ||= more.mayEnd
      attempt.acceptsAll ||= more.acceptsAll && isCertain
      for (const [read, times] of more.reads) {
        attempt.reads.set(read, (attempt.reads.get(read) ?? 0) + times)
      }
    }
    switch (part.type) {
      case 'characters':
        attempt.reads.set(sequence, 1)
        break
      case 'alternation':
        for (const branch of formulas.branchesOf(sequence)) add(branch, true)
        break
      case 'loop':
        if (part.max > 0) add(formulas.unrollRound(part, rest), part.min > 0)
        if (part.min === 0 || part.max === 0) add(rest, true)
        attempt.acceptsAll ||= !part.isCopy && readsAll(part) && this.#acceptsEnd(rest)
        break
      case 'edge':
        add(rest, false)
        break
      case 'look-around':
        if (part.isBehind) attempt.steps += this.#lookBehindSteps.get(part) ?? 0
        else for (const branch of formulas.branchesOf(sequence)) add(branch, false)
        add(rest, false)
        break
      case 'back-reference':
        add(formulas.prepend(part.text, rest), false)
    }
  }

  /** Whether the pattern certainly matches a name that ends here. */
  #acceptsEnd(formula: Formula): boolean {
    if (formula.type !== 'sequence') return formula === this.#formulas.yes
    const existing = this.#acceptingEnd.get(formula)
    if (existing !== undefined) return existing
    this.#budget.spend(1)
    const accepts = this.#sequenceAcceptsEnd(formula)
    this.#acceptingEnd.set(formula, accepts)
    return accepts
  }

  #sequenceAcceptsEnd(sequence: Sequence): boolean {
    const { part, rest } = sequence
    switch (part.type) {
      case 'alternation':
        return this.#formulas.branchesOf(sequence).some((branch) => this.#acceptsEnd(branch))
      case 'loop':
        if (part.min === 0) return this.#acceptsEnd(rest)
        return part.body.least === 0 && this.#acceptsEnd(this.#formulas.unrollRound(part, rest))
      case 'edge':
        return part.kind === 'end' && this.#acceptsEnd(rest)
      default:
        return false
    }
  }
}

/** Whether a loop reads any rest of a name, but perhaps not an empty one. */
function readsAll({ body, min, max }: Loop): boolean {
  const isAny = body.type === 'characters' && body.set.size === LEGAL_CHARACTERS.length
  return isAny && min <= 1 && max === Infinity
}

/** Adds a front, or makes the one with this key true of its names, too. */
function mergeInto(fronts: Map<string, Front>, key: string, front: Front): void {
  const merged = fronts.get(key)
  fronts.set(key, merged ?? front)
  if (!merged) return
  for (const [formula, times] of front.paths) {
    merged.paths.set(formula, Math.max(times, merged.paths.get(formula) ?? 0))
  }
  merged.steps = Math.max(merged.steps, front.steps)
}
