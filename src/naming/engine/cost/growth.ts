import { type Budget, orElse } from '../budget.ts'
import { maxNameLength } from '../../../input/flag-names.ts'
import type { Program } from '../program.ts'
import { maxCount, type Reach, type Ways } from '../reach.ts'

/** The beginning of a name, and the number of ways in which an engine reaches each instruction behind it. */
interface Beginning extends Ways {
  text: string
  /** How many instructions an engine tries next, in all ways. */
  tries: number
}

/** The growth of the number of ways with the length of a name. */
export interface Growth {
  /** By length: the beginnings that no other one of that length or less covers. */
  levels: readonly (readonly Beginning[])[]
  /** No name makes an engine try more instructions; infinite if beginnings are missing. */
  bound: number
}

/** The steps that an engine takes in about 50 milliseconds. */
export const slowSteps = 20_000_000
// Upper bounds exceed the real cost, because they also count ways that an engine skips after a success.
export const quickSteps = 2 * slowSteps

// How many beginnings of a length are kept: only a few if there are more, or if the worst one exceeds `quickSteps`.
const maxBeginnings = 200
const fewBeginnings = 24

/** Whether an engine has at least as many ways at every place after the first beginning as after the second. */
function covers(left: Beginning, right: Beginning): boolean {
  if (left.tries < right.tries || left.places.length < right.places.length) return false
  let i = 0
  return right.places.every((place, k) => {
    while ((left.places[i] ?? Infinity) < place) i++
    return left.places[i] === place && (left.ways[i] ?? 0) >= (right.ways[k] ?? 0)
  })
}

/** The most instructions that an engine tries along any name. Shorter beginnings cover those that are left out. */
function triesAlong(levels: readonly (readonly Beginning[])[]): number {
  let [sum, highest] = [0, 1]
  for (let length = 0; length <= maxNameLength; length++) {
    for (const { tries } of levels[length] ?? []) highest = Math.max(highest, tries)
    sum += highest
  }
  return sum
}

/** A function that returns whether no earlier beginning covers a new one, and remembers it then. */
function createFrontier(budget: Budget): (beginning: Beginning) => Promise<boolean> {
  const byPlace = new Map<number, Beginning[]>()

  function listAt(place: number): Beginning[] {
    const list = byPlace.get(place) ?? []
    byPlace.set(place, list)
    return list
  }

  return async (beginning) => {
    const lists = beginning.places.map(listAt)
    const [first] = lists
    if (!first) return false
    const rivals = lists.reduce((fewest, it) => (it.length < fewest.length ? it : fewest), first)
    await budget.spend(4 * rivals.length + 4 * lists.length + 20)
    if (rivals.some((rival) => covers(rival, beginning))) return false
    for (const list of lists) list.push(beginning)
    return true
  }
}

/** The character for a kind in names that show how slow a pattern is. */
export function characterOf(kind: string): string {
  // Few patterns accept an exclamation mark, so it often makes an engine backtrack.
  return (/[a-z]/.exec(kind) ?? /!/.exec(kind) ?? /\d/.exec(kind) ?? kind)[0] ?? ''
}

/** Makes beginnings of names. */
function createBeginnings(program: Program, reach: Reach) {
  const characters = program.kinds.map(characterOf)
  // Only the first of equal beginnings is kept, so start with characters of the largest kinds.
  const kinds = [...program.kinds.entries()]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([kind]) => kind)

  function beginningOf(text: string, counts: ReadonlyMap<number, number>): Beginning {
    const places = [...counts.keys()].sort((a, b) => a - b)
    const ways = places.map((place) => counts.get(place) ?? 0)
    const tries = places.reduce((sum, place, i) => sum + reach.tries(place) * (ways[i] ?? 0), 0)
    return { text, places, ways, tries: Math.min(maxCount, tries) }
  }

  return {
    emptyAt: (entry: number) => beginningOf('', new Map([[entry, 1]])),

    /** The beginnings that are one character longer. */
    longer(beginning: Beginning): Beginning[] {
      const reached = program.kinds.map(() => new Map<number, number>())
      for (const { it, ways } of reach.arrivals(beginning)) {
        const [to] = it.next
        for (const kind of it.kinds) {
          const counts = reached[kind]
          counts?.set(to, Math.min(maxCount, (counts.get(to) ?? 0) + ways))
        }
      }
      return kinds.map((kind) =>
        beginningOf(beginning.text + (characters[kind] ?? ''), reached[kind] ?? new Map()),
      )
    },
  }
}

/** Finds the beginnings of names that an engine can match in the most ways. */
export async function growthOf(
  program: Program,
  reach: Reach,
  entry: number,
  budget: Budget,
): Promise<Growth> {
  const { emptyAt, longer } = createBeginnings(program, reach)
  const isUncovered = createFrontier(budget)
  const levels: Beginning[][] = []

  /** Returns whether no beginning is missing. */
  async function search(): Promise<boolean> {
    let isComplete = true
    let level = [emptyAt(entry)]
    for (let length = 0; length <= maxNameLength && level.length > 0; length++) {
      const kept: Beginning[] = []
      levels.push(kept)
      for (const beginning of level) if (await isUncovered(beginning)) kept.push(beginning)
      kept.sort((a, b) => b.tries - a.tries)
      if (kept.length > ((kept[0]?.tries ?? 0) > quickSteps ? fewBeginnings : maxBeginnings)) {
        isComplete = false
        kept.splice(fewBeginnings)
      }
      level = []
      for (const beginning of kept) {
        const next = longer(beginning)
        await budget.spend(next.reduce((sum, { places }) => sum + 4 * places.length, reach.cost))
        level.push(...next)
      }
    }
    return isComplete
  }

  const isComplete = await orElse(search(), false)
  return { levels, bound: isComplete ? triesAlong(levels) : Infinity }
}
