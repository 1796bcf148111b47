import type { Instruction, Program, Side } from './program.ts'

interface Backlinks {
  /** The instructions that lead to each one without consuming a character. */
  free: number[][]
  /** The character instructions that lead to each one. */
  consuming: number[][]
}

/** The links of a program in the opposite direction. */
export function backlinksOf({ instructions }: Program): Backlinks {
  const free: number[][] = instructions.map(() => [])
  const consuming: number[][] = instructions.map(() => [])
  for (const [at, { op, next }] of instructions.entries()) {
    for (const to of next) (op === 'character' ? consuming : free)[to]?.push(at)
  }
  return { free, consuming }
}

/**
 * Whether an anchor, a look-around or a back-reference passes.
 * @param matches whether the inside of the look-ahead matches
 */
type Passes<State> = (it: Instruction, state: State, before: Side, matches: boolean) => boolean

/**
 * Determines which instructions match the rest of a name, given those that match its first character. Runs through the
 * bodies from the inside out, so that a look-ahead is known before it is needed.
 */
export function createEvaluation<State>(
  { instructions, bodies, ...program }: Program,
  { free }: Backlinks,
  passes: Passes<State>,
) {
  const order = program.order.filter((body) => !bodies[body]?.behind)
  const truth = new Uint32Array(instructions.length)
  let round = 0
  const isTrue = (at: number) => truth[at] === round

  function isPassed(at: number, state: State, before: Side): boolean {
    const it = instructions[at]
    if (!it || (it.op === 'fork' && !it.unsure)) return true
    return passes(it, state, before, it.op === 'look' && isTrue(bodies[it.inner]?.entry ?? 0))
  }

  return {
    /** Whether an instruction was found by the last run. */
    isTrue,
    /** The instructions that match, in no particular order. */
    run(matching: readonly number[], state: State, before: Side): readonly number[] {
      round++
      const found: number[] = []
      function add(at: number): void {
        if (isTrue(at)) return
        truth[at] = round
        found.push(at)
      }
      let done = 0
      for (const body of order) {
        add(bodies[body]?.end ?? 0)
        for (const at of matching) if (instructions[at]?.body === body) add(at)
        for (; done < found.length; done++) {
          for (const at of free[found[done] ?? 0] ?? []) if (isPassed(at, state, before)) add(at)
        }
      }
      return found
    },
  }
}
