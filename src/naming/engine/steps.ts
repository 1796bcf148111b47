import { backlinksOf, holds, type Instruction, type Program, type Side } from './program.ts'
import { orderOf } from './reach.ts'
import type { Anchor } from './elements.ts'

/** Whether a name matches; `maybe` where that depends on a back-reference. */
type Match = 'no' | 'maybe' | 'yes'

/** The result of matching a name with a backtracking engine. */
interface Run {
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
export class Counter {
  private readonly program: Program
  private readonly cells: readonly (readonly Cell[])[]
  private readonly kindOf: ReadonlyMap<string, number>
  /** The row of the current place, and that of the place one character further on. */
  private here: Row
  private ahead: Row
  /** The kind of each character of the name. */
  private read: number[] = []
  /** The answer and the count of each body at each place. */
  private results: Row[] = []

  constructor(program: Program) {
    const { instructions, kinds } = program
    this.program = program
    this.cells = cellsOf(program)
    this.kindOf = new Map(kinds.flatMap((set, kind) => Array.from(set, (text) => [text, kind])))
    this.here = rowOf(instructions.length)
    this.ahead = rowOf(instructions.length)
  }

  /** Counts a step and continues if it succeeded. */
  private step({ at, first }: Cell, isPassed: boolean, next: Row): void {
    this.here.answers[at] = isPassed ? (next.answers[first] ?? no) : no
    this.here.counts[at] = isPassed ? 1 + (next.counts[first] ?? 0) : 1
  }

  private choose({ at, next, isUnsure }: Cell): void {
    const { answers, counts } = this.here
    let best = no
    let count = 0
    for (const to of next) {
      // After a way that may match, it is not known whether the next one is tried.
      if (best === no && !isUnsure) count += counts[to] ?? 0
      best = Math.max(best, answers[to] ?? no)
      if (best === yes) break
    }
    answers[at] = isUnsure ? Math.min(best, maybe) : best
    counts[at] = count
  }

  private look({ at, first, inner, isNegated }: Cell, place: number): void {
    const { answers, counts } = this.here
    const result = this.results[inner]
    const answer = result?.answers[place] ?? no
    const count = result?.counts[place] ?? 0
    const next = answers[first] ?? no
    const steps = counts[first] ?? 0
    const isPassed = (answer === yes) !== isNegated
    if (isNegated && next === no && steps <= charactersReadFirst) {
      answers[at] = no
      counts[at] = 1
    } else if (answer === maybe) {
      answers[at] = Math.min(maybe, next)
      counts[at] = count
    } else {
      answers[at] = isPassed ? next : no
      counts[at] = isPassed ? count + steps : count
    }
  }

  private sideAt(index: number): Side {
    const { read, program } = this
    return program.sides[read[index] ?? -1] ?? (index in read ? 'other' : 'edge')
  }

  /** @param kind that of the character which leads to the next place */
  private work(cell: Cell, place: number, kind: number): void {
    switch (cell.op) {
      case 'character':
        this.step(cell, cell.accepts[kind] === true, this.ahead)
        break
      case 'anchor': {
        const [before, after] = [this.sideAt(place - 1), this.sideAt(place)]
        this.step(cell, holds(cell.anchor, before, after), this.here)
        break
      }
      case 'fork':
        this.choose(cell)
        break
      case 'look':
        this.look(cell, place)
        break
      case 'end':
        this.here.answers[cell.at] = yes
        this.here.counts[cell.at] = 0
    }
  }

  /** Finds the answers of a body at all places, starting where it has no characters left. */
  private runBody(body: number): void {
    const { behind = false, entry = 0 } = this.program.bodies[body] ?? {}
    const { length } = this.read
    const result = rowOf(length + 1)
    for (let left = 0; left <= length; left++) {
      const place = behind ? left : length - left
      const kind = this.read[behind ? place - 1 : place] ?? -1
      ;[this.here, this.ahead] = [this.ahead, this.here]
      for (const cell of this.cells[body] ?? []) {
        // V8 gives up where too few characters are left.
        if (left < cell.least) this.step(cell, false, this.here)
        else this.work(cell, place, kind)
      }
      result.answers[place] = this.here.answers[entry] ?? no
      result.counts[place] = this.here.counts[entry] ?? 0
    }
    this.results[body] = result
  }

  run(name: string): Run {
    this.read = Array.from(name, (text) => this.kindOf.get(text) ?? -1)
    // Each body comes after the bodies of the look-arounds inside it.
    for (const body of this.program.order) this.runBody(body)
    const whole = this.results[this.program.mains[0] ?? 0]
    return { match: matches[whole?.answers[0] ?? no] ?? 'no', steps: whole?.counts[0] ?? 0 }
  }
}
