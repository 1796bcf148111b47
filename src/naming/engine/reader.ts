import type { LookBehindState } from './look-behind.ts'
import { type Backlinks, backlinksOf, holds, type Program, type Side } from './program.ts'

/** The facts about the rest of a name. */
export interface Rest {
  /** The instructions that match the next character of the rest, and all of it. */
  matching: readonly number[]
  /** The side that the rest begins with. */
  after: Side
  lookBehind: LookBehindState
}

/** Finds the instructions of a program that match the rest of a name. */
export class Reader {
  private readonly program: Program
  private readonly backlinks: Backlinks
  /** The bodies from the inside out, so that a look-ahead is known before it is needed. */
  private readonly order: readonly number[]
  /** The last round in which each instruction was found. */
  private readonly rounds: Uint32Array
  private round = 0

  constructor(program: Program) {
    this.program = program
    this.backlinks = backlinksOf(program)
    this.order = program.order.filter((body) => !program.bodies[body]?.behind)
    this.rounds = new Uint32Array(program.instructions.length)
  }

  /** Whether a body was found to match in the current round. */
  private isMatched(body: number): boolean {
    return this.rounds[this.program.bodies[body]?.entry ?? 0] === this.round
  }

  /** Whether an instruction that consumes nothing passes between a character and the rest. */
  private passes(at: number, { after, lookBehind }: Rest, before: Side): boolean {
    const { instructions, bodies } = this.program
    const it = instructions[at]
    if (it?.op === 'anchor') return holds(it.anchor, before, after)
    if (it?.op !== 'look') return true
    const matches = bodies[it.inner]?.behind
      ? lookBehind.matching[after].has(it.inner)
      : this.isMatched(it.inner)
    return matches !== it.negate
  }

  /** The instructions that match all of a rest, in no particular order. */
  private run(rest: Rest, before: Side): readonly number[] {
    const { instructions, bodies } = this.program
    const { rounds } = this
    const round = ++this.round
    const found: number[] = []
    function add(at: number): void {
      if (rounds[at] === round) return
      rounds[at] = round
      found.push(at)
    }
    let done = 0
    for (const body of this.order) {
      add(bodies[body]?.end ?? 0)
      for (const at of rest.matching) if (instructions[at]?.body === body) add(at)
      for (; done < found.length; done++) {
        for (const at of this.backlinks.free[found[done] ?? 0] ?? []) {
          if (this.passes(at, rest, before)) add(at)
        }
      }
    }
    return found
  }

  /** The expressions that match the rest as a whole name, as bits. */
  verdictOf(rest: Rest): number {
    this.run(rest, 'edge')
    return this.program.mains.reduce(
      (bits, body, i) => bits | (this.isMatched(body) ? 1 << i : 0),
      0,
    )
  }

  /** The instructions that match once a character of each kind is put before the rest, and the steps that this takes. */
  longer(rest: Rest): { matching: readonly (readonly number[])[]; steps: number } {
    const { instructions, kinds, sides } = this.program
    const matching: number[][] = kinds.map(() => [])
    let steps = 0
    for (const before of new Set(sides)) {
      const found = this.run(rest, before)
      steps += 2 * found.length
      for (const to of found) {
        for (const at of this.backlinks.consuming[to] ?? []) {
          const it = instructions[at]
          if (it?.op !== 'character') continue
          for (const kind of it.kinds) if (sides[kind] === before) matching[kind]?.push(at)
        }
      }
    }
    return { matching, steps }
  }
}
