import { compile, holds, type Instruction, type Program, type Side } from './program.ts'
import { orderOf } from './reach.ts'
import type { Syntax } from './syntax.ts'

/** Whether a name matches; `maybe` where that depends on a back-reference. */
export type Match = 'no' | 'maybe' | 'yes'

/** What an engine makes of a name that backtracks. */
export interface Run {
  match: Match
  /** The attempts to match a character or an anchor; at least, where the match is a `maybe`. */
  steps: number
}

const no = 0
const maybe = 1
const yes = 2
const matches: readonly Match[] = ['no', 'maybe', 'yes']

/**
 * A matcher that counts the steps of a backtracking engine without taking them: what is left of a name is matched
 * alike from the same instruction, so each such count is worked out once.
 */
export function createCounter(program: Program): (name: string) => Run {
  const { instructions, bodies, kinds, sides } = program
  const order = orderOf(program)
  const parts = bodies.map((_, body) => order.filter((at) => instructions[at]?.body === body))
  const kindOf = new Map(kinds.flatMap((set, kind) => Array.from(set, (text) => [text, kind])))

  return (name) => {
    const width = name.length + 1
    const answers = new Uint8Array(instructions.length * width)
    const counts = new Float64Array(instructions.length * width)
    const read = Array.from(name, (text) => kindOf.get(text) ?? -1)
    const sideAt = (index: number): Side =>
      sides[read[index] ?? -1] ?? (index in read ? 'other' : 'edge')

    /** Works out one instruction at one place. */
    function work(at: number, it: Instruction, place: number, step: number): void {
      const self = at * width + place
      function goOn(to: number): void {
        answers[self] = answers[to] ?? no
        counts[self] = (counts[self] ?? 0) + (counts[to] ?? 0)
      }
      switch (it.op) {
        case 'end':
          answers[self] = yes
          return
        case 'character': {
          const kind = read[step > 0 ? place : place - 1]
          counts[self] = 1
          if (kind !== undefined && it.kinds.includes(kind)) goOn(it.next[0] * width + place + step)
          return
        }
        case 'anchor':
          counts[self] = 1
          if (holds(it.anchor, sideAt(place - 1), sideAt(place))) goOn(it.next[0] * width + place)
          return
        case 'look': {
          const inner = (bodies[it.inner]?.entry ?? 0) * width + place
          counts[self] = counts[inner] ?? 0
          if (answers[inner] === maybe) {
            answers[self] = Math.min(maybe, answers[it.next[0] * width + place] ?? no)
          } else if ((answers[inner] === yes) !== it.negate) goOn(it.next[0] * width + place)
          return
        }
        case 'fork': {
          let best = no
          for (const next of it.next) {
            const to = next * width + place
            // After a way that may match, it is not known whether the next one is tried.
            if (best === no && !it.unsure) counts[self] = (counts[self] ?? 0) + (counts[to] ?? 0)
            best = Math.max(best, answers[to] ?? no)
            if (best === yes) break
          }
          answers[self] = it.unsure ? Math.min(best, maybe) : best
        }
      }
    }

    for (const body of program.order) {
      const step = bodies[body]?.behind ? -1 : 1
      for (let i = 0; i < width; i++) {
        const place = step < 0 ? i : width - 1 - i
        for (const at of parts[body] ?? []) {
          const it = instructions[at]
          if (it) work(at, it, place, step)
        }
      }
    }
    const start = (bodies[program.mains[0] ?? 0]?.entry ?? 0) * width
    return { match: matches[answers[start] ?? no] ?? 'no', steps: counts[start] ?? 0 }
  }
}

/** Whether a legal name matches for certain. */
export function matcherOf(syntax: Syntax): (name: string) => boolean {
  const count = createCounter(compile([syntax], 'engine'))
  return (name) => count(name).match === 'yes'
}
