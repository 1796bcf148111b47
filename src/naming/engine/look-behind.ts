import { type Budget, UndecidedError, tooLarge } from './budget.ts'
import { holds, type Program, type Side } from './program.ts'

/** The state of all look-behinds of a program after the beginning of a name. */
export interface LookBehindState {
  /** The look-behinds that match the text before this place, by what comes after it. */
  matching: Record<Side, ReadonlySet<number>>
  /** The states from which a character of each kind leads here. */
  from: LookBehindState[][]
}

interface Open extends LookBehindState {
  before: Side
  /** The instructions reached with the last character. */
  reached: readonly number[]
}

const maxStates = 2000
// Sets are slower than arrays.
const stepsPerInstruction = 5

/** An automaton of all look-behinds, whose states are made as they are reached. */
class LookBehinds {
  readonly states: Open[] = []
  private readonly known = new Map<string, Open>()
  private readonly program: Program

  constructor(program: Program) {
    this.program = program
  }

  stateFor(before: Side, reached: readonly number[]): Open {
    const key = `${before} ${reached.join()}`
    const found = this.known.get(key)
    if (found) return found
    if (this.states.length >= maxStates) throw new UndecidedError(tooLarge)
    const none = new Set<number>()
    const matching = { edge: none, word: none, other: none }
    const from = this.program.kinds.map(() => [])
    const created: Open = { before, reached, matching, from }
    this.known.set(key, created)
    this.states.push(created)
    return created
  }

  /** The instructions of a body that the engine can reach, given which inner bodies match. */
  private reachable(
    body: number,
    { before, reached }: Open,
    after: Side,
    matching: ReadonlySet<number>,
  ): Set<number> {
    const { instructions, bodies } = this.program
    const starts = reached.filter((at) => instructions[at]?.body === body)
    const seen = new Set<number>([bodies[body]?.entry ?? 0, ...starts])
    for (const at of seen) {
      const it = instructions[at]
      if (!it || it.op === 'character') continue
      if (it.op === 'anchor' && !holds(it.anchor, before, after)) continue
      if (it.op === 'look') {
        if (!bodies[it.inner]?.behind) throw new UndecidedError('it nests look-around')
        if (matching.has(it.inner) === it.negate) continue
      }
      for (const next of it.next) seen.add(next)
    }
    return seen
  }

  /** Finds what matches at a state, and the states that characters of one side lead to. */
  async extend(state: Open, after: Side, order: readonly number[], budget: Budget): Promise<void> {
    const { instructions, bodies, kinds, sides } = this.program
    const matching = new Set<number>()
    const reached = kinds.map(() => new Set<number>())
    for (const body of order) {
      const seen = this.reachable(body, state, after, matching)
      await budget.spend(stepsPerInstruction * seen.size)
      if (seen.has(bodies[body]?.end ?? 0)) matching.add(body)
      for (const at of seen) {
        const it = instructions[at]
        if (it?.op !== 'character') continue
        for (const kind of it.kinds) reached[kind]?.add(it.next[0])
      }
    }
    state.matching[after] = matching
    for (const [kind, next] of reached.entries()) {
      if (sides[kind] !== after) continue
      await budget.spend(stepsPerInstruction * next.size)
      const places = [...next].sort((a, b) => a - b)
      const to = this.stateFor(after, places)
      to.from[kind]?.push(state)
    }
  }
}

/**
 * A deterministic automaton of all look-behinds, with its transitions reversed. The first state is that at the start of
 * a name.
 * @throws UndecidedError for a look-ahead inside a look-behind, and when the automaton gets too large
 */
export async function lookBehindStates(
  program: Program,
  budget: Budget,
): Promise<readonly LookBehindState[]> {
  const order = program.order.filter((body) => program.bodies[body]?.behind)
  const automaton = new LookBehinds(program)
  const start = automaton.stateFor('edge', [])
  if (order.length === 0) {
    for (const from of start.from) from.push(start)
    return automaton.states
  }
  const afters = new Set<Side>(['edge', ...program.sides])
  for (const state of automaton.states) {
    for (const after of afters) await automaton.extend(state, after, order, budget)
  }
  return automaton.states
}
