// Looks for a legal name that stalls a backtracking engine such as V8. Steps are counted, not timed: from the same term at
// the same place of a name, an engine always takes the same steps, so each count is computed once.
import { legalCharacters, maxNameLength } from '../input/flag-names.ts'
import { type Budget, decide, Undecided } from './budget.ts'
import { holds, type Look, type Loop, type Part, type Term, Terms, type Then } from './terms.ts'

/** The steps that V8 takes in about 50 milliseconds. */
const slowSteps = 20_000_000

// Units of work: together about a second for the slowest patterns.
const proofWork = 2_000_000
const attackWork = 1_500_000
const maxFronts = 300
const fewFronts = 24

/** The ways of an engine through the branches of a part, in its order. */
function waysOf(terms: Terms, term: Then, branches: readonly Part[][], end: Term): readonly Term[] {
  const isBehind = end === terms.hit || (end.type === 'then' && end.isBehind)
  term.ways ??= branches.map((parts) =>
    terms.prependAll(isBehind ? parts.toReversed() : parts, end),
  )
  return term.ways
}

interface Match {
  matches: boolean
  steps: number
}

/** Counts the steps that an engine takes on one name. */
class Matcher {
  private readonly known = new Map<number, Match>()
  private readonly terms: Terms
  private readonly name: string
  private readonly budget: Budget
  private readonly isGenerous: boolean

  /** @param isGenerous whether it matches at least the names that an engine matches, or at most; back-references are not read */
  constructor(terms: Terms, name: string, budget: Budget, isGenerous = false) {
    this.terms = terms
    this.name = name
    this.budget = budget
    this.isGenerous = isGenerous
  }

  run(term: Term, at: number): Match {
    if (term.type !== 'then') return { matches: true, steps: 0 }
    // V8 gives up where too few characters are left.
    if (!term.isBehind && this.name.length - at < term.least) return { matches: false, steps: 1 }
    const key = term.id * 128 + at
    const known = this.known.get(key)
    if (known) return known
    this.budget.spend(2)
    const result = this.match(term, at)
    this.known.set(key, result)
    return result
  }

  /** The first of some ways that matches. */
  private first(ways: readonly Term[], at: number): Match {
    let steps = 0
    for (const way of ways) {
      const result = this.run(way, at)
      steps += result.steps
      if (result.matches) return { matches: true, steps }
    }
    return { matches: false, steps }
  }

  /** A step and, if it succeeded, what follows it. */
  private step(isPassed: boolean, rest: Term, at: number, steps = 1): Match {
    if (!isPassed) return { matches: false, steps }
    const after = this.run(rest, at)
    return { matches: after.matches, steps: steps + after.steps }
  }

  private match(term: Then, at: number): Match {
    const { part, rest, isBehind } = term
    const { terms, name } = this
    switch (part.type) {
      case 'characters': {
        const character = name[isBehind ? at - 1 : at]
        const isPassed = character !== undefined && part.set.has(character)
        return this.step(isPassed, terms.moved(rest), isBehind ? at - 1 : at + 1)
      }
      case 'group':
        return this.first(waysOf(terms, term, part.branches, rest), at)
      case 'loop': {
        if (part.max === 0) return this.run(rest, at)
        const round = terms.round(part, rest)
        if (part.min > 0) return this.run(round, at)
        return this.first(part.isLazy ? [rest, round] : [round, rest], at)
      }
      case 'edge':
        return this.step(holds(part, name[at - 1], name[at]), rest, at)
      case 'look': {
        const end = part.isBehind ? terms.hit : terms.passed
        const look = this.first(waysOf(terms, term, part.branches, end), at)
        // An engine may need fewer steps if a back-reference matches, so these do not count.
        const steps = part.hasReference ? 1 : 1 + look.steps
        return this.step(look.matches !== part.negate, rest, at, steps)
      }
      case 'reference':
        if (part.isNegated === this.isGenerous) return { matches: false, steps: 1 }
        return this.run(terms.prepend(terms.someText, rest), at)
      default:
        return { matches: false, steps: 1 }
    }
  }
}

/** What an engine may try from a term before it reads: at most so many steps, and so many ways to read each character. */
interface Tries {
  steps: number
  reads: Map<Then, number>
  /** Whether the pattern may match a name that ends here. */
  mayEnd: boolean
  /** Whether it certainly matches a name that ends here, and every name that goes on: then an engine goes on once. */
  ends: boolean
  goesOn: boolean
}

/** Names of one length that lead to the same terms. */
interface Front {
  /** In how many ways an engine reaches each term, at most. */
  ways: Map<Term, number>
  /** No more steps are needed for any of these names. */
  steps: number
  /** The worst of the names; any of them in a proof. */
  name: string
  mayEnd: boolean
}

/** Follows all ways of an engine through a pattern at once, as if it never succeeded. */
class Search {
  private readonly known = new Map<Term, Tries>()
  private readonly stepsBehind = new Map<Look, number>()
  private readonly terms: Terms
  private readonly kinds: readonly string[]
  private readonly budget: Budget
  private readonly isProof: boolean

  /** @param isProof whether to follow all names, instead of the worst ones */
  constructor(terms: Terms, budget: Budget, isProof: boolean) {
    this.terms = terms
    this.kinds = terms.kinds()
    this.budget = budget
    this.isProof = isProof
  }

  /**
   * Returns the most steps along the names that were followed.
   * @param isEnough called with the names of each length, the worst first; ends the search
   */
  async run(start: Term, isEnough: (fronts: readonly Front[]) => boolean): Promise<number> {
    const { looksBehind, hit } = this.terms
    for (const look of looksBehind) {
      const starts = look.branches.map((parts) => this.terms.prependAll(parts.toReversed(), hit))
      this.stepsBehind.set(look, await this.follow(starts, () => false))
    }
    return this.follow([start], isEnough)
  }

  private async follow(
    starts: readonly Term[],
    isEnough: (fronts: readonly Front[]) => boolean,
  ): Promise<number> {
    const ways = new Map(starts.map((term) => [term, 1]))
    let fronts = [this.frontOf(ways, 0, '')]
    let most = 0
    for (let length = 0; fronts.length > 0; length++) {
      most = Math.max(most, fronts[0]?.steps ?? 0)
      if (isEnough(fronts) || length === maxNameLength) break
      const longer = new Map<string, Front>()
      for (const front of this.kept(fronts)) {
        this.extend(front, longer)
        await this.budget.breathe()
      }
      fronts = [...longer.values()].sort((a, b) => b.steps - a.steps)
    }
    return most
  }

  private kept(fronts: readonly Front[]): readonly Front[] {
    const open = fronts.filter(({ ways }) => ways.size > 0)
    if (open.length <= (this.isProof ? maxFronts : fewFronts)) return open
    if (this.isProof) {
      const merged = new Map<string, Front>()
      for (const front of open) mergeInto(merged, front.name.slice(-1), front)
      return [...merged.values()]
    }
    // An engine goes all ways only if it fails.
    const failing = open.filter(({ mayEnd }) => !mayEnd).slice(0, fewFronts / 2)
    return [...new Set([...failing, ...open])].slice(0, fewFronts)
  }

  private frontOf(ways: Front['ways'], before: number, name: string): Front {
    const front = { ways, steps: before, name, mayEnd: false }
    for (const [term, times] of ways) {
      const tries = this.triesOf(term)
      front.steps += tries.steps * times
      front.mayEnd ||= tries.mayEnd
    }
    return front
  }

  /** Adds the names that are one character longer. */
  private extend({ ways, steps, name }: Front, longer: Map<string, Front>): void {
    const { terms, budget } = this
    const reads = new Map<Then, number>()
    for (const [term, times] of ways) {
      const tries = this.triesOf(term)
      budget.spend(tries.reads.size)
      const once = tries.goesOn ? 1 : times
      for (const [read, more] of tries.reads) reads.set(read, (reads.get(read) ?? 0) + more * once)
    }
    const room = maxNameLength - name.length - 1
    for (const kind of this.kinds) {
      const next = new Map<Term, number>()
      let before = steps
      budget.spend(reads.size)
      for (const [read, times] of reads) {
        if (read.part.type !== 'characters' || !read.part.set.has(kind)) continue
        const to = terms.moved(read.rest)
        if (to === terms.hit || to === terms.passed) continue
        if (to.type === 'then' && !to.isBehind && to.least > room) before += times
        else next.set(to, (next.get(to) ?? 0) + times)
      }
      budget.spend(next.size)
      const front = this.frontOf(next, before, name + kind)
      const ids = Array.from(next.keys(), ({ id }) => id).sort((a, b) => a - b)
      const key = ids.join()
      if (this.isProof) mergeInto(longer, key, front)
      else if (front.steps > (longer.get(key)?.steps ?? -1)) longer.set(key, front)
    }
  }

  private triesOf(term: Term): Tries {
    const known = this.known.get(term)
    if (known) return known
    this.budget.spend(8)
    const ends = term === this.terms.yes
    const reads = new Map<Then, number>()
    const tries: Tries = { steps: 1, reads, mayEnd: ends, ends, goesOn: false }
    // Before it is complete, because a loop of any character asks for what follows it, which may be the same loop.
    this.known.set(term, tries)
    if (term.type === 'then') this.addTries(term, tries)
    return tries
  }

  private addTries(term: Then, tries: Tries): void {
    const { part, rest } = term
    const { terms } = this
    const isEnd = part.type === 'edge' && part.kind === 'end'
    const add = (next: Term, isCertain = false) => {
      const more = this.triesOf(next)
      this.budget.spend(1 + 2 * more.reads.size)
      tries.steps += more.steps
      tries.mayEnd ||= more.mayEnd
      tries.ends ||= more.ends && (isCertain || isEnd)
      tries.goesOn ||= more.goesOn && isCertain
      for (const [read, ways] of more.reads) {
        tries.reads.set(read, (tries.reads.get(read) ?? 0) + ways)
      }
    }
    switch (part.type) {
      case 'characters':
        tries.reads.set(term, 1)
        break
      case 'group':
        for (const way of waysOf(terms, term, part.branches, rest)) add(way, true)
        break
      case 'loop':
        if (part.max > 0) add(terms.round(part, rest), part.min > 0)
        if (part.min === 0 || part.max === 0) add(rest, true)
        tries.goesOn ||= part !== terms.someText && readsAll(part) && this.triesOf(rest).ends
        break
      case 'edge':
        add(rest)
        break
      case 'look':
        if (part.isBehind) tries.steps += this.stepsBehind.get(part) ?? 0
        else for (const way of waysOf(terms, term, part.branches, terms.passed)) add(way)
        add(rest)
        break
      case 'reference':
        add(terms.prepend(terms.someText, rest))
    }
  }
}

function readsAll({ body, min, max }: Loop): boolean {
  const isAny = body.type === 'characters' && body.set.size === legalCharacters.length
  return isAny && min <= 1 && max === Infinity
}

/** Adds a front, or makes the one with this key true of its names, too. */
function mergeInto(fronts: Map<string, Front>, key: string, front: Front): void {
  const old = fronts.get(key)
  fronts.set(key, old ?? front)
  if (!old) return
  for (const [term, times] of front.ways) {
    old.ways.set(term, Math.max(times, old.ways.get(term) ?? 0))
  }
  old.steps = Math.max(old.steps, front.steps)
}

/** A legal name that takes an engine more than `slowSteps`. */
export interface SlowName {
  name: string
  steps: number
}

/** Tries names with a pattern, and keeps the worst. */
class Attack {
  worst: SlowName | undefined
  private readonly terms: Terms
  private readonly start: Term
  private readonly kinds: readonly string[]
  private readonly budget: Budget

  constructor(pattern: string, budget: Budget) {
    this.budget = budget
    this.terms = new Terms(this.budget)
    this.start = this.terms.read(pattern)
    this.kinds = this.terms.kinds()
  }

  /** Tries the worst names of a search. */
  async search(): Promise<void> {
    const search = new Search(this.terms, this.budget, false)
    await search.run(this.start, (fronts) => {
      const length = fronts[0]?.name.length ?? 0
      if (length % 8 > 0 && length < maxNameLength - 1) return false
      const worst = fronts.find(({ steps }) => steps > slowSteps)
      const failing = fronts.find(({ steps, mayEnd }) => steps > slowSteps && !mayEnd)
      const names = [failing, worst].flatMap((front) => front?.name ?? [])
      return names.some((name) => ['', ...this.kinds].some((end) => this.try(name + end)))
    })
  }

  /** Tries one or two characters again and again, with each end. */
  async repeat(): Promise<void> {
    const pairs = this.kinds.flatMap((a) => this.kinds.map((b) => a + b))
    for (const text of [...this.kinds, ...pairs]) {
      await this.budget.breathe()
      const long = text.repeat((maxNameLength - 1) / text.length)
      if (this.kinds.some((end) => this.try(long + end))) return
    }
  }

  /** Returns whether no worse name is needed. */
  private try(name: string): boolean {
    if (name.length > maxNameLength) return false
    const { steps } = new Matcher(this.terms, name, this.budget).run(this.start, 0)
    const isWorse = steps > (this.worst?.steps ?? slowSteps)
    if (isWorse && this.isCertain(name)) this.worst = { name, steps }
    return (this.worst?.steps ?? 0) > 1e6 * slowSteps
  }

  /** Whether an engine takes all the steps: back-references could make it match early. */
  private isCertain(name: string): boolean {
    if (!this.terms.hasReference) return true
    return !new Matcher(this.terms, name, this.budget, true).run(this.start, 0).matches
  }
}

/**
 * Returns a legal name that takes an engine long, or undefined if there is none.
 * @throws Undecided
 */
export async function slowName(pattern: string, whole: Budget): Promise<SlowName | undefined> {
  const limit = 2 * slowSteps
  const most = await decide(() => {
    const budget = whole.part(proofWork)
    const terms = new Terms(budget)
    const start = terms.read(pattern)
    return new Search(terms, budget, true).run(start, ([worst]) => (worst?.steps ?? 0) > limit)
  })
  if (!(most instanceof Undecided) && most <= limit) return undefined
  for (const kind of ['search', 'repeat'] as const) {
    const attack = new Attack(pattern, whole.part(attackWork))
    await decide(() => attack[kind]())
    if (attack.worst) return attack.worst
  }
  throw new Undecided('it takes too long')
}
