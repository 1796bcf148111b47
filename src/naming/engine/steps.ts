import { backlinksOf } from './evaluation.ts'
import { holds, type Instruction, type Program, type Side } from './program.ts'
import { orderOf } from './reach.ts'
import type { Anchor } from './elements.ts'

/** Whether a name matches; `maybe` where that depends on a back-reference. */
export type Match = 'no' | 'maybe' | 'yes'

/** The result of matching a name with a backtracking engine. */
export interface Run {
  match: Match
  /** The attempts to match a character or an anchor; a lower bound if the match is a `maybe`. */
  steps: number
}

// V8 reads this many characters after a negative look-around before it tries the look-around.
const charactersReadFirst = 4

const no = 0
const maybe = 1
const yes = 2
const matches: readonly Match[] = ['no', 'maybe', 'yes']

/** An instruction in the form that the loop needs. All have the same properties in the same order, which makes it fast. */
interface Cell {
  op: Instruction['op']
  at: number
  /** The fewest characters until the end of the body. */
  least: number
  next: readonly number[]
  first: number
  /** Whether a character of each kind is matched. */
  accepts: readonly boolean[]
  isUnsure: boolean
  anchor: Anchor
  inner: number
  isNegated: boolean
}

/** The answer and the count of each instruction at one place of a name. */
interface Row {
  answers: Uint8Array
  counts: Float64Array
}

function rowOf(size: number): Row {
  return { answers: new Uint8Array(size), counts: new Float64Array(size) }
}

/** The fewest characters that each instruction needs until the end of its body. */
function leastOf(program: Program): Uint16Array {
  const unknown = 0xffff
  const least = new Uint16Array(program.instructions.length).fill(unknown)
  const { free, consuming } = backlinksOf(program)
  let level = program.bodies.map(({ end }) => end)
  for (let length = 0; level.length > 0; length++) {
    const next: number[] = []
    for (let at = level.pop(); at !== undefined; at = level.pop()) {
      if (least[at] !== unknown) continue
      least[at] = length
      for (const from of free[at] ?? []) level.push(from)
      for (const from of consuming[at] ?? []) next.push(from)
    }
    level = next
  }
  return least
}

/** The cells of each body, each one after those that it leads to without consuming a character. */
function cellsOf(program: Program): Cell[][] {
  const { instructions, bodies, kinds } = program
  const least = leastOf(program)
  const cells: Cell[][] = bodies.map(() => [])
  for (const at of orderOf(program)) {
    const it = instructions[at]
    if (!it) continue
    cells[it.body]?.push({
      op: it.op,
      at,
      least: least[at] ?? 0,
      next: it.next,
      first: it.next[0] ?? 0,
      accepts: kinds.map((_, kind) => it.op === 'character' && it.kinds.includes(kind)),
      isUnsure: it.op === 'fork' && it.unsure,
      anchor: it.op === 'anchor' ? it.anchor : 'start',
      inner: it.op === 'look' ? it.inner : 0,
      isNegated: it.op === 'look' && it.negate,
    })
  }
  return cells
}

/**
 * A matcher that counts the steps of a backtracking engine without taking them. From the same instruction and the
 * same place, an engine always takes the same steps, so each count is computed only once.
 */
export function createCounter(program: Program): (name: string) => Run {
  const { instructions, bodies, kinds, sides } = program
  const cells = cellsOf(program)
  const kindOf = new Map(kinds.flatMap((set, kind) => Array.from(set, (text) => [text, kind])))
  let here = rowOf(instructions.length)
  let ahead = rowOf(instructions.length)

  /** Counts a step and continues if it succeeded. */
  function step({ at, first }: Cell, isPassed: boolean, next: Row): void {
    here.answers[at] = isPassed ? (next.answers[first] ?? no) : no
    here.counts[at] = isPassed ? 1 + (next.counts[first] ?? 0) : 1
  }

  function choose({ at, next, isUnsure }: Cell): void {
    let best = no
    let count = 0
    for (const to of next) {
      // After a way that may match, it is not known whether the next one is tried.
      if (best === no && !isUnsure) count += here.counts[to] ?? 0
      best = Math.max(best, here.answers[to] ?? no)
      if (best === yes) break
    }
    here.answers[at] = isUnsure ? Math.min(best, maybe) : best
    here.counts[at] = count
  }

  /** @param answer the answer of the inside, after `count` steps */
  function look({ at, first, isNegated }: Cell, answer: number, count: number): void {
    const next = here.answers[first] ?? no
    const steps = here.counts[first] ?? 0
    const isPassed = (answer === yes) !== isNegated
    if (isNegated && next === no && steps <= charactersReadFirst) {
      here.answers[at] = no
      here.counts[at] = 1
    } else if (answer === maybe) {
      here.answers[at] = Math.min(maybe, next)
      here.counts[at] = count
    } else {
      here.answers[at] = isPassed ? next : no
      here.counts[at] = isPassed ? count + steps : count
    }
  }

  return (name) => {
    const read = Array.from(name, (text) => kindOf.get(text) ?? -1)
    const results = bodies.map(() => rowOf(name.length + 1))
    const sideAt = (index: number): Side =>
      sides[read[index] ?? -1] ?? (index in read ? 'other' : 'edge')

    function work(cell: Cell, place: number, kind: number): void {
      switch (cell.op) {
        case 'character':
          return step(cell, cell.accepts[kind] === true, ahead)
        case 'anchor':
          return step(cell, holds(cell.anchor, sideAt(place - 1), sideAt(place)), here)
        case 'fork':
          return choose(cell)
        case 'look': {
          const inner = results[cell.inner]
          return look(cell, inner?.answers[place] ?? no, inner?.counts[place] ?? 0)
        }
        case 'end':
          here.answers[cell.at] = yes
          here.counts[cell.at] = 0
      }
    }

    for (const body of program.order) {
      const { behind = false, entry = 0 } = bodies[body] ?? {}
      const parts = cells[body] ?? []
      for (let left = 0; left <= name.length; left++) {
        const place = behind ? left : name.length - left
        const kind = read[behind ? place - 1 : place] ?? -1
        ;[here, ahead] = [ahead, here]
        for (const cell of parts) {
          // V8 gives up where too few characters are left.
          if (left < cell.least) step(cell, false, here)
          else work(cell, place, kind)
        }
        const result = results[body]
        if (!result) continue
        result.answers[place] = here.answers[entry] ?? no
        result.counts[place] = here.counts[entry] ?? 0
      }
    }
    const whole = results[program.mains[0] ?? 0]
    return { match: matches[whole?.answers[0] ?? no] ?? 'no', steps: whole?.counts[0] ?? 0 }
  }
}
