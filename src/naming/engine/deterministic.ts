import { groupBy } from '../../groups.ts'

/** An automaton: its names are the paths from a start state to a final state. */
export interface Graph<State> {
  starts: readonly State[]
  /** The transitions from a state; any two sets of characters are equal or disjoint. */
  exits(state: State): readonly Exit<State>[]
  isFinal(state: State): boolean
}

/** A transition to a state. */
export interface Exit<State> {
  to: State
  /** Characters that lead there. */
  characters: string
}

/** All states of an automaton that a prefix of a name can reach. */
export interface StateSet {
  isFinal: boolean
  /** Characters that lead to the same states are in one exit. */
  exits(): readonly Exit<StateSet>[]
}

const maxSteps = 1_000_000

/** The start of an automaton made deterministic: what it reaches is computed when needed, within a limit on steps. */
export function startOf<State>(graph: Graph<State>): StateSet {
  const numbers = new Map<State, number>()
  const sets = new Map<string, StateSet>()
  let steps = 0

  function numberOf(state: State): number {
    const number = numbers.get(state) ?? numbers.size
    numbers.set(state, number)
    return number
  }

  function exitsOf(states: ReadonlySet<State>): Exit<StateSet>[] {
    if (steps > maxSteps) return []
    const all = Array.from(states, graph.exits).flat()
    steps += all.length
    const exits = new Map<StateSet, string>()
    for (const [characters, group] of groupBy(all, (exit) => exit.characters)) {
      const set = setOf(new Set(group.map(({ to }) => to)))
      exits.set(set, (exits.get(set) ?? '') + characters)
    }
    return Array.from(exits, ([to, characters]) => ({ to, characters }))
  }

  function setOf(states: ReadonlySet<State>): StateSet {
    const key = Array.from(states, numberOf)
      .sort((a, b) => a - b)
      .join()
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
