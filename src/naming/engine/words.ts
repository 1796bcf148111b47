import { type Graph, type StateSet, startOf } from './deterministic.ts'
import { maxNameLength } from '../../input/flag-names.ts'
import { readableIn } from './elements.ts'
import { endCost, endingOf, tokensAfter } from './token.ts'

/** A beginning of a name, or a whole one. */
interface Path {
  states: StateSet
  text: string
  words: number
  cost: number
  isWhole: boolean
  parent?: Path
}

/** Preferences for the next name. */
interface Preference {
  words: number
  /** Other turns prefer other words. */
  turn: number
  /** The tokens that earlier names use after each set of states: they cost more. */
  used: ReadonlyMap<StateSet, ReadonlySet<string>>
}

const missingWord = 8
const usedToken = 4
// More than one, so that several names can be found.
const maxVisits = 3
const maxSteps = 5_000
const maxTries = 50

function statesAfter(from: StateSet, text: string): StateSet | undefined {
  let states: StateSet | undefined = from
  for (const character of text) {
    states = states?.exits().find(({ characters }) => characters.includes(character))?.to
  }
  return states
}

function longerPaths(path: Path, preference: Preference): Path[] {
  const characters = path.states.exits().map(({ characters }) => characters)
  return tokensAfter(path.text, characters, preference.turn).flatMap((token) => {
    const text = path.text + token.text
    const states = text.length > maxNameLength ? undefined : statesAfter(path.states, token.text)
    if (!states) return []
    const isUsed = preference.used.get(path.states)?.has(token.text)
    const cost = path.cost + token.cost + (isUsed ? usedToken : 0)
    const words = Math.min(preference.words, path.words + (token.isWord ? 1 : 0))
    return [{ states, text, words, cost, isWhole: false, parent: path }]
  })
}

function wholePath(path: Path, preference: Preference): Path {
  const cost = path.cost + endCost(path.text) + missingWord * (preference.words - path.words)
  return { ...path, cost, isWhole: true }
}

/** The names that start at a set of states, most readable first. Stops after `maxSteps`. */
function* search(start: StateSet, preference: Preference): Generator<Path> {
  const seen = new Map<StateSet, Map<string, number>>()
  const pathsByCost: Path[][] = [[{ states: start, text: '', words: 0, cost: 0, isWhole: false }]]
  let steps = 0
  // The lists grow during the walk.
  for (let cost = 0; cost < pathsByCost.length && steps < maxSteps; cost++) {
    for (const path of pathsByCost[cost] ?? []) {
      if (path.isWhole) {
        yield path
        continue
      }
      const visits = seen.get(path.states) ?? new Map<string, number>()
      const key = `${path.words} ${endingOf(path.text)}`
      const count = (visits.get(key) ?? 0) + 1
      if (count > maxVisits) continue
      seen.set(path.states, visits.set(key, count))
      steps++
      const next = longerPaths(path, preference)
      if (path.states.isFinal) next.push(wholePath(path, preference))
      for (const path of next) {
        const paths = pathsByCost[path.cost] ?? []
        pathsByCost[path.cost] = paths
        paths.push(path)
      }
    }
  }
}

function firstNew(paths: Iterable<Path>, known: ReadonlySet<string>): Path | undefined {
  let tries = 0
  for (const path of paths) {
    if (!known.has(path.text)) return path
    if (++tries === maxTries) return undefined
  }
  return undefined
}

/** A shortest name of an automaton; undefined if it has none of legal length. */
function shortestName<State>({ starts, exits, isFinal }: Graph<State>): string | undefined {
  const texts = new Map(starts.map((state) => [state, '']))
  for (const [state, text] of texts) {
    if (isFinal(state)) return text
    if (text.length === maxNameLength) continue
    for (const { to, characters } of exits(state)) {
      if (!texts.has(to)) texts.set(to, text + readableIn(characters))
    }
  }
  return undefined
}

/** Some names of an automaton that a person can read. */
export function someNames<State>(graph: Graph<State>, count: number): string[] {
  const short = shortestName(graph)
  if (short === undefined) return []
  const start = startOf(graph)
  const found = new Set<string>()
  const used = new Map<StateSet, Set<string>>()
  for (let turn = 0; turn < 2 * count && found.size < count; turn++) {
    const preference = { words: turn === 2 ? 2 : 1, turn, used }
    const path = firstNew(search(start, preference), found)
    if (path) found.add(path.text)
    for (let step = path; step?.parent; step = step.parent) {
      const { states, text } = step.parent
      used.set(states, (used.get(states) ?? new Set()).add(step.text.slice(text.length)))
    }
  }
  return found.size === 0 ? [short] : [...found]
}
