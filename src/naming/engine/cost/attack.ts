import { type Budget, orElse } from '../budget.ts'
import { isLegalName, maxNameLength } from '../../../input/flag-names.ts'
import type { Program } from '../program.ts'
import { Counter } from '../steps.ts'
import type { SyntaxTree } from '../elements.ts'
import { characterOf, type Growth, slowSteps } from './growth.ts'
import { loopTexts } from './texts.ts'

/** A legal name that takes an engine more than `slowSteps`. */
export interface Attack {
  name: string
  steps: number
}

const attackSteps = 8_000_000
// Counting visits each instruction up to a hundred times, but a visit is cheap.
const stepsPerInstruction = 20

const maxBeginnings = 12
const prefixLengths = [0, 1, 2, 4, 8, 16]

/**
 * Names of the greatest length that repeat one of these texts, after a prefix and before a suffix.
 * @param start a name on which the engine backtracks; the prefixes are its beginnings
 */
function* namesWith(
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

/**
 * The first name that is an attack.
 * @throws UndecidedError when the budget is spent
 */
async function firstAttack(
  names: Iterable<string>,
  program: Program,
  budget: Budget,
): Promise<Attack | undefined> {
  const counter = new Counter(program)
  for (const name of names) {
    if (!isLegalName(name)) continue
    await budget.spend(program.instructions.length * stepsPerInstruction)
    const { steps } = counter.run(name)
    if (steps > slowSteps) return { name, steps }
  }
  return undefined
}

/** The beginning of the greatest length with the most ways of an engine, and shorter ones before each character. */
function worstNames({ levels }: Growth, characters: readonly string[]): string[] {
  const [shorter = [], [longest] = []] = levels.slice(-2)
  const extended = shorter
    .slice(0, maxBeginnings)
    .flatMap(({ text }) => characters.map((end) => text + end))
  return [...(longest ? [longest.text] : []), ...extended]
}

/** Looks for a name that takes an engine more than `slowSteps`. */
export async function findAttack(
  syntax: SyntaxTree,
  program: Program,
  growth: Growth,
  budget: Budget,
): Promise<Attack | undefined> {
  const characters = program.kinds.map(characterOf).sort()
  const worst = worstNames(growth, characters)
  const find = (names: Iterable<string>) =>
    orElse(firstAttack(names, program, budget.part(attackSteps)), undefined)
  const found = await find(worst)
  if (found) return found
  const pumps = loopTexts(syntax, characters)
  return find(namesWith(pumps, ['', ...characters], worst[0] ?? ''))
}
