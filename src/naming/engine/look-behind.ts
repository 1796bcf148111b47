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
const sides: readonly Side[] = ['edge', 'word', 'other']

/**
 * A deterministic automaton of all look-behinds, with its transitions reversed. The first state is that at the start of
 * a name.
 * @throws UndecidedError for a look-ahead inside a look-behind, and when the automaton gets too large
 */
export async function lookBehindStates(
  program: Program,
  budget: Budget,
): Promise<LookBehindState[]> {
  const { instructions, bodies, kinds } = program
  const order = program.order.filter((body) => bodies[body]?.behind)
  const states: Open[] = []
  const known = new Map<string, Open>()

  function stateFor(before: Side, reached: readonly number[]): Open {
    const key = `${before} ${reached.join()}`
    const found = known.get(key)
    if (found) return found
    if (states.length >= maxStates) throw new UndecidedError(tooLarge)
    const none = new Set<number>()
    const matching = { edge: none, word: none, other: none }
    const created = { before, reached, matching, from: kinds.map(() => []) }
    known.set(key, created)
    states.push(created)
    return created
  }

  /** The instructions of a body that the engine can reach, given which inner bodies match. */
  function open(
    body: number,
    starts: readonly number[],
    before: Side,
    after: Side,
    matching: Set<number>,
  ) {
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

  if (order.length === 0) {
    const only = stateFor('edge', [])
    for (const from of only.from) from.push(only)
    return states
  }
  stateFor('edge', [])
  for (const from of states) {
    const starts = bodies.map((): number[] => [])
    for (const at of from.reached) starts[instructions[at]?.body ?? 0]?.push(at)
    for (const after of sides) {
      const matching = new Set<number>()
      const reached = kinds.map(() => new Set<number>())
      for (const body of order) {
        const seen = open(body, starts[body] ?? [], from.before, after, matching)
        await budget.spend(stepsPerInstruction * seen.size)
        if (seen.has(bodies[body]?.end ?? 0)) matching.add(body)
        for (const at of seen) {
          const it = instructions[at]
          if (it?.op !== 'character') continue
          for (const kind of it.kinds)
            if (program.sides[kind] === after) reached[kind]?.add(it.next[0])
        }
      }
      from.matching[after] = matching
      for (const [kind, next] of reached.entries()) {
        if (program.sides[kind] !== after) continue
        await budget.spend(stepsPerInstruction * next.size)
        const to = stateFor(
          program.usesWords ? after : 'other',
          [...next].sort((a, b) => a - b),
        )
        to.from[kind]?.push(from)
      }
    }
  }
  return states
}
