import { type Graph, type Place, startOf } from './deterministic.ts'
import { maxNameLength } from './legal.ts'
import { endCost, kindOf, tokensAfter } from './token.ts'

/** A beginning of a name, or a whole one. */
interface Path {
  place: Place
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
  /** The tokens that earlier names use at each place: they cost more. */
  used: ReadonlyMap<Place, ReadonlySet<string>>
}

const missingWord = 8
const usedToken = 4
// More than one, so that several names can be found.
const maxVisits = 3
const maxSteps = 5_000
const maxTries = 50

function placeAfter(from: Place, text: string): Place | undefined {
  let place: Place | undefined = from
  for (const character of text) {
    place = place?.exits().find(([, characters]) => characters.includes(character))?.[0]
  }
  return place
}

function longerPaths(path: Path, preference: Preference): Path[] {
  const characters = path.place.exits().map(([, via]) => via)
  return tokensAfter(path.text, characters, preference.turn).flatMap((token) => {
    const text = path.text + token.text
    const place = text.length > maxNameLength ? undefined : placeAfter(path.place, token.text)
    if (!place) return []
    const isUsed = preference.used.get(path.place)?.has(token.text)
    const cost = path.cost + token.cost + (isUsed ? usedToken : 0)
    const words = Math.min(preference.words, path.words + (token.isWord ? 1 : 0))
    return [{ place, text, words, cost, isWhole: false, parent: path }]
  })
}

function wholePath(path: Path, preference: Preference): Path {
  const cost = path.cost + endCost(path.text) + missingWord * (preference.words - path.words)
  return { ...path, cost, isWhole: true }
}

/** The names that start at a place, most readable first. Stops after `maxSteps`. */
function* search(start: Place, preference: Preference): Generator<Path> {
  const seen = new Map<Place, Map<string, number>>()
  const pathsByCost: Path[][] = [[{ place: start, text: '', words: 0, cost: 0, isWhole: false }]]
  let steps = 0
  // The lists grow during the walk.
  for (let cost = 0; cost < pathsByCost.length && steps < maxSteps; cost++) {
    for (const path of pathsByCost[cost] ?? []) {
      if (path.isWhole) yield path
      const visits = seen.get(path.place) ?? new Map<string, number>()
      const key = `${path.words} ${kindOf(path.text)}`
      const count = (visits.get(key) ?? 0) + 1
      if (path.isWhole || count > maxVisits) continue
      seen.set(path.place, visits.set(key, count))
      steps++
      const next = longerPaths(path, preference)
      if (path.place.isFinal) next.push(wholePath(path, preference))
      for (const path of next) {
        const paths = pathsByCost[path.cost] ?? []
        pathsByCost[path.cost] = paths
        paths.push(path)
      }
    }
  }
}

function firstOf(paths: Iterable<Path>, accept: (name: string) => boolean): Path | undefined {
  let tries = 0
  for (const path of paths) {
    if (accept(path.text)) return path
    if (++tries === maxTries) return undefined
  }
  return undefined
}

const readable = /[a-z]/
const plain = /[a-z0-9]/i

/** The most readable character. */
function bestOf(characters: string): string {
  return (readable.exec(characters) ?? plain.exec(characters) ?? characters)[0] ?? ''
}

/** A shortest name of an automaton; undefined if it has none of legal length. */
function shortestName<State>({ starts, exits, isFinal }: Graph<State>): string | undefined {
  const texts = new Map(starts.map((state) => [state, '']))
  for (const [state, text] of texts) {
    if (isFinal(state)) return text
    if (text.length === maxNameLength) continue
    for (const [to, characters] of exits(state)) {
      if (!texts.has(to)) texts.set(to, text + bestOf(characters))
    }
  }
  return undefined
}

/**
 * Some names of an automaton that a person can read.
 * @param accept a further condition that they meet
 */
export function someNames<State>(
  graph: Graph<State>,
  count: number,
  accept: (name: string) => boolean = () => true,
): string[] {
  const short = shortestName(graph)
  if (short === undefined) return []
  const start = startOf(graph)
  const found = new Set<string>()
  const used = new Map<Place, Set<string>>()
  for (let turn = 0; turn < 2 * count && found.size < count; turn++) {
    const preference = { words: turn === 2 ? 2 : 1, turn, used }
    const path = firstOf(search(start, preference), (name) => !found.has(name) && accept(name))
    if (path) found.add(path.text)
    for (let step = path; step?.parent; step = step.parent) {
      const { place, text } = step.parent
      used.set(place, (used.get(place) ?? new Set()).add(step.text.slice(text.length)))
    }
  }
  return found.size === 0 && accept(short) ? [short] : [...found]
}
