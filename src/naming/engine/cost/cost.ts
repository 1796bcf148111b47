// Ours, because recheck also reports patterns that only names of illegal length or characters make slow.
import { type Attack, findAttack } from './attack.ts'
import type { Budget } from '../budget.ts'
import { certainInstructions } from './certain.ts'
import { compile } from '../compile.ts'
import type { SyntaxTree } from '../elements.ts'
import { type Growth, growthOf } from './growth.ts'
import { legalCharacters } from '../../../input/flag-names.ts'
import type { Program } from '../program.ts'
import { createReach } from '../reach.ts'

/** How long an engine can take to match a legal name. */
interface Cost {
  /** No name takes more steps; infinite if there is no known bound. */
  bound: number
  /** Looks for a name that takes more than `slowSteps`. */
  attack(): Promise<Attack | undefined>
}

/** Steps of an engine in a fraction of a millisecond. */
export const harmlessSteps = 100_000
const growthSteps = 6_000_000

/** The program if every character fitted everywhere: it has more ways, but only one beginning of each length. */
function withoutKinds(program: Program): Program {
  const instructions = program.instructions.map((it) =>
    it.op === 'character' ? { ...it, kinds: [0] } : it,
  )
  return { ...program, instructions, kinds: [legalCharacters], sides: ['other'] }
}

/** The growth of a program. Its bound counts the look-behinds at each place. */
async function growthWithin(
  program: Program,
  certain: ReadonlySet<number>,
  outer: Budget,
): Promise<Growth> {
  const { bodies, mains } = program
  const reach = createReach(program, certain)
  const budget = outer.part(growthSteps)
  const growth = await growthOf(program, reach, bodies[mains[0] ?? 0]?.entry ?? 0, budget)
  let atEachPlace = 1
  for (const { behind, entry } of bodies) {
    if (behind) atEachPlace += (await growthOf(program, reach, entry, budget)).bound
  }
  return { ...growth, bound: growth.bound * atEachPlace }
}

/**
 * How long an engine can take to match a legal name.
 * @param limit a bound of at most this many steps is not improved
 * @throws UndecidedError when the expression is too large to be examined
 */
export async function costOf(syntax: SyntaxTree, limit: number, budget: Budget): Promise<Cost> {
  const program = compile([syntax], 'engine')
  await budget.pause()
  const certain = await certainInstructions(program, budget)
  const growth = await growthWithin(program, certain, budget)
  const rough =
    growth.bound <= limit ? growth : await growthWithin(withoutKinds(program), certain, budget)
  const bound = Math.min(rough.bound, growth.bound)
  return { bound, attack: () => findAttack(syntax, program, growth, budget) }
}
