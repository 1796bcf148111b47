/** An automaton: its names are the paths from a start state to a final state. */
export interface Graph<State> {
  starts: readonly State[]
  /** The transitions from a state; any two sets of characters are equal or disjoint. */
  exits(state: State): readonly Exit<State>[]
  isFinal(state: State): boolean
}

export type Exit<State> = readonly [to: State, characters: string]

/** All states of an automaton that a prefix of a name can reach. */
export interface Place {
  isFinal: boolean
  /** Characters that lead to the same place are in one exit. */
  exits(): readonly Exit<Place>[]
}

const maxSteps = 1_000_000

/** The start place of an automaton made deterministic; other places are computed when needed, within a limit on steps. */
export function startOf<State>(graph: Graph<State>): Place {
  const numbers = new Map<State, number>()
  const places = new Map<string, Place>()
  let steps = 0

  function numberOf(state: State): number {
    const number = numbers.get(state) ?? numbers.size
    numbers.set(state, number)
    return number
  }

  function keyOf(states: Iterable<State>): string {
    return Array.from(states, numberOf)
      .sort((a, b) => a - b)
      .join()
  }

  function exitsOf(states: ReadonlySet<State>): Exit<Place>[] {
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
    const exits = new Map<Place, string>()
    for (const [characters, targets] of reached) {
      const place = placeOf(targets)
      exits.set(place, (exits.get(place) ?? '') + characters)
    }
    return [...exits]
  }

  function placeOf(states: ReadonlySet<State>): Place {
    const key = keyOf(states)
    const known = places.get(key)
    if (known) return known
    let exits: Exit<Place>[] | undefined
    const place: Place = {
      isFinal: [...states].some(graph.isFinal),
      exits() {
        exits ??= exitsOf(states)
        return exits
      },
    }
    places.set(key, place)
    return place
  }

  return placeOf(new Set(graph.starts))
}
