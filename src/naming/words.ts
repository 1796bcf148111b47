import { type CharSet, FAIterators } from 'refa'
import { isEmpty, type Language, type State, shortestName } from './language.ts'
import { maxNameLength } from './legal.ts'
import { endCost, kindOf, tokensAfter } from './token.ts'

type Exits = (state: State) => [State, CharSet][]

/** A beginning of a name, or a whole one. */
interface Path {
  state: State
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
  worn: ReadonlyMap<State, ReadonlySet<string>>
}

const missingWord = 8
const wornStep = 4
// More than one, so that there is a choice of names.
const maxVisits = 3
const maxSteps = 5_000
const maxTries = 50

function statesAfter(from: State, text: string, exits: Exits): Set<State> {
  let states = new Set([from])
  for (let i = 0; i < text.length; i++) {
    const reached = new Set<State>()
    for (const state of states) {
      for (const [to, via] of exits(state)) if (via.has(text.charCodeAt(i))) reached.add(to)
    }
    states = reached
  }
  return states
}

function longerPaths(path: Path, exits: Exits, wish: Wish): Path[] {
  const ways = exits(path.state)
  const characters = ways.map(([, via]) => via)
  return tokensAfter(path.text, characters, wish.turn).flatMap((token) => {
    const text = path.text + token.text
    if (text.length > maxNameLength) return []
    const isWorn = wish.worn.get(path.state)?.has(token.text)
    const cost = path.cost + token.cost + (isWorn ? wornStep : 0)
    const words = Math.min(wish.words, path.words + (token.isWord ? 1 : 0))
    const states = statesAfter(path.state, token.text, exits)
    return Array.from(states, (state) => ({
      state,
      text,
      words,
      cost,
      isWhole: false,
      parent: path,
    }))
  })
}

function wholePath(path: Path, wish: Wish): Path {
  const cost = path.cost + endCost(path.text) + missingWord * (wish.words - path.words)
  return { ...path, cost, isWhole: true }
}

/** The names of a language, those that read best first. Gives up without an end where none is found soon. */
function* search(language: Language, wish: Wish): Generator<Path> {
  const { initial, getOut, isFinal } = language.transitionIterator()
  const graph = { initial, getOut: (state: State) => [...getOut(state)], isFinal }
  const { getOut: exits } = FAIterators.ensureStableOut(
    FAIterators.removeDeadStates(graph, ([to]) => to),
  )
  const seen = new Map<State, Map<string, number>>()
  const shelves: Path[][] = [[{ state: initial, text: '', words: 0, cost: 0, isWhole: false }]]
  let steps = 0
  // Shelves are in the order of cost, and grow while they are walked.
  for (let cost = 0; cost < shelves.length && steps < maxSteps; cost++) {
    for (const path of shelves[cost] ?? []) {
      if (path.isWhole) yield path
      const visits = seen.get(path.state) ?? new Map<string, number>()
      const key = `${path.words} ${kindOf(path.text)}`
      const count = (visits.get(key) ?? 0) + 1
      if (path.isWhole || count > maxVisits) continue
      seen.set(path.state, visits.set(key, count))
      steps++
      const next = longerPaths(path, exits, wish)
      if (isFinal(path.state)) next.push(wholePath(path, wish))
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

/**
 * Some names of a language that a person can read.
 * @param accept a further condition that they meet
 */
export function someNames(
  language: Language,
  count: number,
  accept: (name: string) => boolean = () => true,
): string[] {
  if (isEmpty(language)) return []
  const found = new Set<string>()
  const worn = new Map<State, Set<string>>()
  for (let turn = 0; turn < 2 * count && found.size < count; turn++) {
    const wish = { words: turn === 2 ? 2 : 1, turn, worn }
    const path = firstOf(search(language, wish), (name) => !found.has(name) && accept(name))
    if (path) found.add(path.text)
    for (let step = path; step?.parent; step = step.parent) {
      const { state, text } = step.parent
      worn.set(state, (worn.get(state) ?? new Set()).add(step.text.slice(text.length)))
    }
  }
  const short = found.size === 0 ? shortestName(language) : undefined
  return short !== undefined && accept(short) ? [short] : [...found]
}
