import { type Budget, orElse } from '../budget.ts'
import { isLegal, maxNameLength } from '../legal.ts'
import type { Program } from '../program.ts'
import { createCounter } from '../steps.ts'

/** A legal name that takes an engine more than `slowSteps`. */
export interface Attack {
  name: string
  steps: number
}

/** The steps that an engine takes in about 50 milliseconds. */
export const slowSteps = 20_000_000
const attackSteps = 8_000_000
// Counting visits each instruction up to a hundred times, but a visit is cheap.
const stepsPerInstruction = 20

const maxPumpLength = 2
const maxSuffixLength = 2
const prefixLengths = [0, 1, 2, 4, 8, 16]

/** Every string of a length. */
function textsOf(length: number, characters: readonly string[]): string[] {
  if (length === 0) return ['']
  return textsOf(length - 1, characters).flatMap((text) => characters.map((last) => text + last))
}

/**
 * Names of the greatest length that repeat one of these texts, after a prefix and before a suffix.
 * @param start a name on which the engine backtracks; the prefixes are its beginnings
 */
export function* namesWith(
  pumps: readonly string[],
  suffixes: readonly string[],
  start: string,
): Generator<string> {
  for (const pump of pumps) {
    for (const prefixLength of prefixLengths) {
      const prefix = start.slice(0, prefixLength)
      for (const suffix of suffixes) {
        const room = maxNameLength - prefix.length - suffix.length
        yield prefix + pump.repeat(room / pump.length) + suffix
      }
    }
  }
}

/** Names that repeat a short text before a short suffix, simple ones first. */
export function* pumpedNames(characters: readonly string[], start: string): Generator<string> {
  for (let size = 1; size <= maxPumpLength + maxSuffixLength; size++) {
    for (let length = 1; length <= Math.min(size, maxPumpLength); length++) {
      yield* namesWith(textsOf(length, characters), textsOf(size - length, characters), start)
    }
  }
}

/** The first name that is an attack; stops when the budget is spent. */
export async function firstAttack(
  names: Iterable<string>,
  program: Program,
  outer: Budget,
): Promise<Attack | undefined> {
  const count = createCounter(program)
  const budget = outer.part(attackSteps)
  return orElse(
    async () => {
      for (const name of names) {
        if (!isLegal(name)) continue
        await budget.spend(program.instructions.length * stepsPerInstruction)
        const { steps } = count(name)
        if (steps > slowSteps) return { name, steps }
      }
      return undefined
    },
    () => undefined,
  )
}
