import { freeWays, type Instruction, type Program } from './program.ts'

/** All instructions, each one after those that it leads to without consuming a character. */
export function orderOf(program: Program): number[] {
  const { instructions } = program
  const order: number[] = []
  const isOpen = new Uint8Array(instructions.length)
  const isDone = new Uint8Array(instructions.length)
  for (const start of instructions.keys()) {
    const stack = [start]
    for (let at = stack.at(-1); at !== undefined; at = stack.at(-1)) {
      const it = instructions[at]
      if (!it || isOpen[at]) {
        stack.pop()
        if (it && !isDone[at]) order.push(at)
        isDone[at] = 1
        continue
      }
      isOpen[at] = 1
      for (const to of freeWays(program, it)) if (!isOpen[to]) stack.push(to)
    }
  }
  return order
}

/** An instruction that consumes a character, and in how many ways an engine gets there. */
interface Arrival {
  it: Instruction & { op: 'character' }
  ways: number
}

/** Instructions, sorted, and in how many ways an engine gets to each. */
export interface Ways {
  places: readonly number[]
  ways: readonly number[]
}

export interface Reach {
  /** The instructions that an engine reaches without consuming a character. */
  arrivals(from: Ways): readonly Arrival[]
  /** The number of instructions that an engine tries each time that it reaches one. */
  tries(place: number): number
  /** The steps that `arrivals` takes. */
  cost: number
}

// Products of two such numbers are finite.
export const maxCount = 1e150

/**
 * Counts the ways of an engine through the instructions of a program that consume nothing.
 * @param certain the instructions to which an engine gets at most once at each place before the end
 */
export function createReach(program: Program, certain: ReadonlySet<number>): Reach {
  const { instructions } = program
  const backward = orderOf(program)
  const order = backward.toReversed()
  const counts = new Float64Array(instructions.length)
  const tries = new Float64Array(instructions.length)
  for (const at of backward) {
    const it = instructions[at]
    if (!it) continue
    const isTry = it.op !== 'fork' && it.op !== 'end'
    const inner = freeWays(program, it).reduce((sum, to) => sum + (tries[to] ?? 0), 0)
    tries[at] = Math.min(maxCount, inner + (isTry ? 1 : 0))
  }

  /** Counts in one sweep over all instructions, from the front to the back. */
  function arrivals({ places, ways }: Ways): Arrival[] {
    const arrivals: Arrival[] = []
    for (const [i, place] of places.entries()) counts[place] = ways[i] ?? 0
    for (const at of order) {
      const all = counts[at] ?? 0
      const count = certain.has(at) ? Math.min(1, all) : all
      const it = instructions[at]
      if (count === 0 || !it) continue
      counts[at] = 0
      if (it.op === 'character') arrivals.push({ it, ways: count })
      for (const to of freeWays(program, it))
        counts[to] = Math.min(maxCount, (counts[to] ?? 0) + count)
    }
    return arrivals
  }

  return { arrivals, tries: (place) => tries[place] ?? 0, cost: order.length }
}
