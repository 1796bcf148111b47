import { type Budget, UndecidedError, tooLong } from './budget.ts'
import type { Exit, Graph } from './deterministic.ts'
import { compile } from './program.ts'
import { type State, type Survey, survey } from './survey.ts'
import { elementsOf, parseSource, type Syntax } from './syntax.ts'
import { someNames } from './words.ts'

/** Which expressions match a name, in the order in which they were given. */
export type Verdicts = readonly boolean[]

/** The verdicts of some expressions on all legal names. */
export interface Comparison {
  /**
   * Whether there is a legal name with such verdicts.
   * @throws UndecidedError when that could not be determined
   */
  some(wanted: (verdicts: Verdicts) => boolean): boolean
  /** Some readable legal names with such verdicts; empty if none have been found. */
  names(wanted: (verdicts: Verdicts) => boolean, count: number): string[]
}

// Every name but the empty one, "." and "..".
const legalName = parseSource('^(?:[^.]|\\.[^.]|\\.\\..)[^]*$')

const small = 1_000_000
const large = 6_000_000
const attempts = [
  { direction: 'forward', steps: small },
  { direction: 'backward', steps: small },
  { direction: 'forward', steps: large },
  { direction: 'backward', steps: large },
] as const

/** @throws UndecidedError for a back-reference inside a look-around, where treating it as any text could lose names */
export function hasReference({ branches }: Syntax): boolean {
  const elements = elementsOf(branches)
  const isReference = ({ type }: { type: string }) => type === 'reference'
  const isLooked = elements.some(
    (element) => element.type === 'look' && elementsOf(element.branches).some(isReference),
  )
  if (isLooked) throw new UndecidedError('it uses a back-reference')
  return elements.some(isReference)
}

interface Attempt {
  survey: Survey
  backward: boolean
}

/** An automaton of the names with a wanted verdict, without states that lead to none. */
function graphOf(
  { survey: { states, edges, ends }, backward }: Attempt,
  isWanted: (verdict: number | undefined) => boolean,
): Graph<State> {
  const starts = states.filter(({ verdict }) => isWanted(verdict))
  const after = new Map<State, Exit<State>[]>()
  const before = new Map<State, Exit<State>[]>()
  const add = (ways: typeof after, from: State, exit: Exit<State>) => {
    const exits = ways.get(from)
    if (exits) exits.push(exit)
    else ways.set(from, [exit])
  }
  for (const { from, to, characters } of edges) add(after, from, [to, characters])
  if (!backward) {
    return { starts, exits: (state) => after.get(state) ?? [], isFinal: (state) => ends.has(state) }
  }
  const live = new Set(starts)
  for (const from of live) for (const [to] of after.get(from) ?? []) live.add(to)
  for (const { from, to, characters } of edges) {
    if (live.has(from)) add(before, to, [from, characters])
  }
  const finals = new Set(starts)
  return {
    starts: [...ends].filter((state) => live.has(state)),
    exits: (state) => before.get(state) ?? [],
    isFinal: (state) => finals.has(state),
  }
}

/**
 * Compares expressions on all legal names, in both directions, since some expressions need exponentially many
 * states in one and few in the other. A back-reference is treated as matching any text.
 */
export async function compare(syntaxes: readonly Syntax[], budget: Budget): Promise<Comparison> {
  const legal = 1 << syntaxes.length
  const isConclusive = ({ isComplete, verdicts }: Survey) =>
    isComplete || [...verdicts].filter((verdict) => verdict & legal).length === legal
  const done: Attempt[] = []
  let reason: unknown
  for (const { direction, steps } of attempts) {
    try {
      const program = compile([...syntaxes, legalName], direction)
      const result = await survey(program, budget.part(steps))
      done.push({ survey: result, backward: direction === 'backward' })
      if (isConclusive(result)) break
    } catch (error) {
      if (!(error instanceof UndecidedError)) throw error
      reason = error
    }
  }
  const isWanted = (wanted: (verdicts: Verdicts) => boolean) => (verdict?: number) =>
    verdict !== undefined &&
    (verdict & legal) !== 0 &&
    wanted(syntaxes.map((_, i) => (verdict & (1 << i)) !== 0))
  return {
    some(wanted) {
      const matches = isWanted(wanted)
      if (done.some(({ survey }) => [...survey.verdicts].some(matches))) return true
      if (done.some(({ survey }) => survey.isComplete)) return false
      throw done.length === 0 ? reason : new UndecidedError(tooLong)
    },
    names(wanted, count) {
      for (const attempt of done) {
        const names = someNames(graphOf(attempt, isWanted(wanted)), count)
        if (names.length > 0) return names
      }
      return []
    },
  }
}
