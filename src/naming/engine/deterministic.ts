/** An automaton: its names are the paths from a start state to a final state. */
export interface Graph<State> {
  starts: readonly State[]
  /** The transitions from a state; any two sets of characters are equal or disjoint. */
  exits(state: State): readonly Exit<State>[]
  isFinal(state: State): boolean
}

export type Exit<State> = readonly [to: State, characters: string]

/** All states of an automaton that a prefix of a name can reach. */
export interface StateSet {
  isFinal: boolean
  /** Characters that lead to the same states are in one exit. */
  exits(): readonly Exit<StateSet>[]
}

const maxSteps = 1_000_000

/** A function that returns the same text for the same states in any order. */
function createKeys<State>(): (states: Iterable<State>) => string {
  const numbers = new Map<State, number>()
  function numberOf(state: State): number {
    const number = numbers.get(state) ?? numbers.size
    numbers.set(state, number)
    return number
  }
  return (states) =>
    Array.from(states, numberOf)
      .sort((a, b) => a - b)
      .join()
}

/** The start of an automaton made deterministic: what it reaches is computed when needed, within a limit on steps. */
export function startOf<State>(graph: Graph<State>): StateSet {
  const keyOf = createKeys<State>()
  const sets = new Map<string, StateSet>()
  let steps = 0

  function exitsOf(states: ReadonlySet<State>): Exit<StateSet>[] {
    const reached = new Map<string, Set<State>>()
    if (steps > maxSteps) return []
    for (const from of states) {
      for (const [to, characters] of graph.exits(from)) {
        const targets = reached.get(characters)
        if (targets) targets.add(to)
        else reached.set(characters, new Set([to]))
        steps++
      }
    }
    const exits = new Map<StateSet, string>()
    for (const [characters, targets] of reached) {
      const set = setOf(targets)
      exits.set(set, (exits.get(set) ?? '') + characters)
    }
    return [...exits]
  }

  function setOf(states: ReadonlySet<State>): StateSet {
    const key = keyOf(states)
    const known = sets.get(key)
    if (known) return known
    let exits: Exit<StateSet>[] | undefined
    const set: StateSet = {
      isFinal: [...states].some(graph.isFinal),
      exits() {
        exits ??= exitsOf(states)
        return exits
      },
    }
    sets.set(key, set)
    return set
  }

  return setOf(new Set(graph.starts))
}
