import { type Attack, firstAttack, namesWith, pumpedNames, slowSteps } from './attack.ts'
import { type Budget, orElse } from '../budget.ts'
import { harmlessSteps, simpleBound } from './bound.ts'
import { backlinksOf } from '../evaluation.ts'
import { type Beginning, type Growth, growthOf } from './growth.ts'
import { legalCharacters, maxNameLength } from '../legal.ts'
import { type Program } from '../program.ts'
import { compile } from '../compile.ts'
import { createReach } from '../reach.ts'
import { type Suffixes, suffixesOf } from '../suffixes.ts'
import type { SyntaxTree } from '../elements.ts'
import { loopTexts } from './texts.ts'

/** How long an engine can take to match a legal name. */
export interface Cost {
  /** No name takes more steps; infinite if that is not proven. */
  bound: number
  /** Looks for a name that takes more than `slowSteps`. */
  attack(): Promise<Attack | undefined>
}

// Upper bounds exceed the real cost, since they also count ways that an engine skips after a success.
export const quickSteps = 2 * slowSteps
const growthSteps = 6_000_000
const judgementSteps = 4_000_000
const maxCandidates = 12

interface Candidate {
  name: string
  tries: number
}

interface Judgement {
  /** No name makes more attempts of an engine fail. */
  bound: number
  /** The names that may take the most attempts, the worst first. */
  candidates: Candidate[]
}

/** How many attempts of an engine fail after a beginning; a way that leads to a match is tried only once. */
function failedTries(
  { places, ways }: Beginning,
  matching: ReadonlySet<number>,
  { tries }: Growth,
): number {
  return places.reduce((sum, place, i) => {
    const times = matching.has(place) ? 1 : (ways[i] ?? 0)
    return sum + times * tries(place)
  }, 0)
}

/** Joins beginnings and suffixes until the budget is spent. */
async function judge(growth: Growth, suffixes: Suffixes, budget: Budget): Promise<Judgement> {
  const candidates: Candidate[] = []
  let bound = 0
  let highest = 0

  async function join(beginning: Beginning, room: number): Promise<void> {
    if (!suffixes.isComplete && room > 0) highest = Math.max(highest, beginning.tries)
    for (const { text, matching } of suffixes.list) {
      if (text.length > room) break
      await budget.spend(beginning.places.length)
      const tries = failedTries(beginning, matching, growth)
      highest = Math.max(highest, tries)
      if (tries <= (candidates[maxCandidates - 1]?.tries ?? 0)) continue
      candidates.push({ name: beginning.text + text, tries })
      candidates.sort((a, b) => b.tries - a.tries).splice(maxCandidates)
    }
  }

  async function joinAll(): Promise<Judgement> {
    for (const [length, level] of growth.levels.entries()) {
      for (const beginning of level) await join(beginning, maxNameLength - length)
      bound += highest
    }
    // Beginnings of the remaining lengths are covered by shorter ones.
    bound += highest * (maxNameLength + 1 - growth.levels.length)
    return { bound: growth.isComplete ? bound : Infinity, candidates }
  }

  return orElse(joinAll, () => ({ bound: Infinity, candidates }))
}

function boundOf(growth: Growth): number {
  let [bound, highest] = [0, 0]
  for (let length = 0; length <= maxNameLength; length++) {
    for (const { tries } of growth.levels[length] ?? []) highest = Math.max(highest, tries)
    bound += highest
  }
  return growth.isComplete ? bound : Infinity
}

/** The program if every character fitted everywhere: it has more ways, but only one beginning of each length. */
function withoutKinds(program: Program): Program {
  const instructions = program.instructions.map((it) =>
    it.op === 'character' ? { ...it, kinds: [0] } : it,
  )
  return { ...program, instructions, kinds: [legalCharacters], sides: ['other'] }
}

/** A bound for the steps of the look-behinds at one place. */
async function lookBehindBound({ bodies }: Program, grow: (from: number) => Promise<Growth>) {
  let bound = 1
  for (const { behind, entry } of bodies) if (behind) bound += boundOf(await grow(entry))
  return bound
}

/** A rough bound, which is found quickly. */
async function roughBound(program: Program, outer: Budget): Promise<number> {
  const rough = withoutKinds(program)
  const reach = createReach(rough)
  const budget = outer.part(growthSteps)
  const grow = (from: number) => growthOf(rough, reach, from, ['a'], Infinity, budget)
  const { entry } = program.bodies[program.mains[0] ?? 0] ?? { entry: 0 }
  return boundOf(await grow(entry)) * (await lookBehindBound(rough, grow))
}

function withoutAttack(bound: number): Cost {
  return { bound, attack: async () => undefined }
}

/** The most readable character of a kind, for attacks. */
function characterOf(kind: string): string {
  if (kind.includes('!') && !/[a-z]/.test(kind)) return '!'
  const best = [/[a-z]/, /\d/, /[A-Z]/].flatMap((rule) => rule.exec(kind) ?? [])
  return best[0] ?? kind.charAt(0)
}

/**
 * How long an engine can take to match a legal name.
 * @throws UndecidedError when the expression is too large to be examined
 */
export async function costOf(syntax: SyntaxTree, outer: Budget): Promise<Cost> {
  const simple = simpleBound(syntax)
  if (simple <= harmlessSteps) return withoutAttack(simple)
  await outer.pause()
  const program = compile([syntax], 'engine')
  await outer.pause()
  const rough = await roughBound(program, outer)
  if (rough <= quickSteps) return withoutAttack(rough)
  const characters = program.kinds.map(characterOf)
  const { entry, fixed } = program.bodies[program.mains[0] ?? 0] ?? { entry: 0, fixed: 0 }
  const reach = createReach(program)
  const grow = (from: number, budget = outer.part(growthSteps)) =>
    growthOf(program, reach, from, characters, quickSteps, budget)
  const lookBudget = outer.part(growthSteps)
  const isAnchored = entry === fixed
  const factor = await lookBehindBound(program, (from) => grow(from, lookBudget))
  const fixedGrowth = await grow(fixed)
  const fixedBound = boundOf(fixedGrowth) * (isAnchored ? 1 : maxNameLength + 1) * factor
  if (fixedBound <= quickSteps) return withoutAttack(fixedBound)
  const growth = isAnchored ? fixedGrowth : await grow(entry)
  const wholeBound = boundOf(growth) * factor
  if (wholeBound <= quickSteps) return withoutAttack(wholeBound)
  const rest = outer.part(judgementSteps)
  const suffixes = await suffixesOf(program, backlinksOf(program), rest)
  const judgement = await judge(growth, suffixes, rest)
  const bound = judgement.bound * factor
  const candidates = judgement.candidates.map(({ name }) => name)
  return {
    bound,
    async attack() {
      const worst = await firstAttack(candidates, program, outer)
      if (worst || bound <= quickSteps) return worst
      const [start = ''] = candidates
      const bodies = loopTexts(syntax, characters)
      const found = await firstAttack(namesWith(bodies, ['', ...characters], start), program, outer)
      return found ?? firstAttack(pumpedNames(characters, start), program, outer)
    },
  }
}
