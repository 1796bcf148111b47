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

/** What the next name should be like. */
interface Wish {
  words: number
  /** Other turns prefer other words. */
  turn: number
  /** Steps of earlier names, which are better not taken again. */
  worn: ReadonlyMap<Place, ReadonlySet<string>>
}

const missingWord = 8
const wornStep = 4
// More than one, so that there is a choice of names.
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

function longerPaths(path: Path, wish: Wish): Path[] {
  const characters = path.place.exits().map(([, via]) => via)
  return tokensAfter(path.text, characters, wish.turn).flatMap((token) => {
    const text = path.text + token.text
    const place = text.length > maxNameLength ? undefined : placeAfter(path.place, token.text)
    if (!place) return []
    const isWorn = wish.worn.get(path.place)?.has(token.text)
    const cost = path.cost + token.cost + (isWorn ? wornStep : 0)
    const words = Math.min(wish.words, path.words + (token.isWord ? 1 : 0))
    return [{ place, text, words, cost, isWhole: false, parent: path }]
  })
}

function wholePath(path: Path, wish: Wish): Path {
  const cost = path.cost + endCost(path.text) + missingWord * (wish.words - path.words)
  return { ...path, cost, isWhole: true }
}

/** The names that start at a place, those that read best first. Gives up where none is found soon. */
function* search(start: Place, wish: Wish): Generator<Path> {
  const seen = new Map<Place, Map<string, number>>()
  const shelves: Path[][] = [[{ place: start, text: '', words: 0, cost: 0, isWhole: false }]]
  let steps = 0
  // Shelves are in the order of cost and grow during the walk.
  for (let cost = 0; cost < shelves.length && steps < maxSteps; cost++) {
    for (const path of shelves[cost] ?? []) {
      if (path.isWhole) yield path
      const visits = seen.get(path.place) ?? new Map<string, number>()
      const key = `${path.words} ${kindOf(path.text)}`
      const count = (visits.get(key) ?? 0) + 1
      if (path.isWhole || count > maxVisits) continue
      seen.set(path.place, visits.set(key, count))
      steps++
      const next = longerPaths(path, wish)
      if (path.place.isFinal) next.push(wholePath(path, wish))
      for (const path of next) {
        const shelf = shelves[path.cost] ?? []
        shelves[path.cost] = shelf
        shelf.push(path)
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

/** The character that reads best. */
function bestOf(characters: string): string {
  return (readable.exec(characters) ?? plain.exec(characters) ?? characters)[0] ?? ''
}

/** A shortest name of an automaton; undefined if it has none, or none of legal length. */
export function shortestName<State>({ starts, exits, isFinal }: Graph<State>): string | undefined {
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
  const worn = new Map<Place, Set<string>>()
  for (let turn = 0; turn < 2 * count && found.size < count; turn++) {
    const wish = { words: turn === 2 ? 2 : 1, turn, worn }
    const path = firstOf(search(start, wish), (name) => !found.has(name) && accept(name))
    if (path) found.add(path.text)
    for (let step = path; step?.parent; step = step.parent) {
      const { place, text } = step.parent
      worn.set(place, (worn.get(place) ?? new Set()).add(step.text.slice(text.length)))
    }
  }
  return found.size === 0 && accept(short) ? [short] : [...found]
}
