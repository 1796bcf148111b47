// Ours, because refa has no look-around and no limit on the length of names, and leaves a third of real rules undecided.
import { type Budget, orElse, UndecidedError, tooLong } from './budget.ts'
import type { Graph } from './deterministic.ts'
import { groupBy } from '../../groups.ts'
import { compile } from './compile.ts'
import { withoutReferences } from './references.ts'
import { ruleSource } from './rule.ts'
import { type Edge, type State, type Survey, survey } from './survey.ts'
import { parseSource } from './syntax.ts'
import type { SyntaxTree } from './elements.ts'
import { someNames } from './words.ts'

/** Which expressions match a name, in the order in which they were given. */
type Verdicts = readonly boolean[]

/** A condition on the verdicts of a name. */
export type Condition = (verdicts: Verdicts) => boolean

/** The verdicts of some expressions on all legal names. */
export interface Comparison {
  /**
   * Whether a legal name has such verdicts.
   * @throws UndecidedError when that is not certain
   */
  some(wanted: Condition): boolean
  /** Some readable legal names that certainly have such verdicts; empty if none have been found. */
  names(wanted: Condition, count: number): string[]
  /** Names that may have such verdicts, though that depends on a back-reference: match them to find out. */
  guesses(wanted: Condition, count: number): Promise<string[]>
}

/** Why a comparison of a pattern with a back-reference may be undecided. */
const byReference = 'it uses a back-reference'

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

interface Attempt {
  survey: Survey
  backward: boolean
}

/** The transitions from each state. */
function exitsOf(edges: readonly Edge[]): Graph<State>['exits'] {
  const exits = groupBy(edges, ({ from }) => from)
  return (state) => exits.get(state) ?? []
}

/** An automaton of the names with a wanted verdict, without states that lead to none. */
function graphOf(
  { survey: { states, edges, ends }, backward }: Attempt,
  wanted: ReadonlySet<number>,
): Graph<State> {
  const found = new Set<State>(
    states.filter(({ verdict }) => verdict !== undefined && wanted.has(verdict)),
  )
  const exits = exitsOf(edges)
  if (!backward) return { starts: [...found], exits, isFinal: (state) => ends.has(state) }
  const live = new Set(found)
  for (const from of live) for (const { to } of exits(from)) live.add(to)
  const reversed = edges
    .filter(({ from }) => live.has(from))
    .map(({ from, to, characters }) => ({ from: to, to: from, characters }))
  return {
    starts: [...ends].filter((state) => live.has(state)),
    exits: exitsOf(reversed),
    isFinal: (state) => found.has(state),
  }
}

/** The meaning of an automaton's verdict on its names for a condition. */
type Certainty = 'yes' | 'no' | 'maybe'

/** The expressions of an automaton, and where each compared expression is found among them. */
interface Readings {
  expressions: SyntaxTree[]
  /** The indices of two expressions that match at least as many names, and at most as many. */
  places: { most: number; least: number }[]
}

function readingsOf(syntaxes: readonly SyntaxTree[]): Readings {
  const expressions: SyntaxTree[] = []
  const places = syntaxes.map((syntax) => {
    const [most, least] = [withoutReferences(syntax, 'most'), withoutReferences(syntax, 'least')]
    const first = expressions.push(most) - 1
    return { most: first, least: most === least ? first : expressions.push(least) - 1 }
  })
  return { expressions, places }
}

/** Every combination of verdicts that the readings of an automaton allow. */
function possibleVerdicts(bits: number, places: Readings['places']): Verdicts[] {
  const has = (place: number) => (bits & (1 << place)) !== 0
  return places.reduce<Verdicts[]>(
    (all, { most, least }) => {
      const choices = [...new Set([has(most), has(least)])]
      return all.flatMap((verdicts) => choices.map((choice) => [...verdicts, choice]))
    },
    [[]],
  )
}

/**
 * Surveys expressions in both directions, because some need exponentially many states in one and few in the other.
 * @param isConclusive whether a survey makes others unnecessary
 * @returns the surveys, and why others could not be made
 */
async function surveysOf(
  expressions: readonly SyntaxTree[],
  isConclusive: (survey: Survey) => boolean,
  budget: Budget,
): Promise<{ done: Attempt[]; reason: unknown }> {
  const done: Attempt[] = []
  let reason: unknown
  for (const { direction, steps } of attempts) {
    try {
      await budget.pause()
      const program = compile([...expressions, legalName], direction)
      const result = await survey(program, budget.part(steps))
      done.push({ survey: result, backward: direction === 'backward' })
      if (isConclusive(result)) break
    } catch (error) {
      if (!(error instanceof UndecidedError)) throw error
      reason = error
    }
  }
  return { done, reason }
}

/**
 * Compares patterns on all legal names.
 * @throws UndecidedError when one is nested too deeply
 */
export async function compare(patterns: readonly string[], budget: Budget): Promise<Comparison> {
  const syntaxes = patterns.map((pattern) => parseSource(ruleSource(pattern)))
  return compareExpressions(syntaxes, budget)
}

async function compareExpressions(
  syntaxes: readonly SyntaxTree[],
  budget: Budget,
): Promise<Comparison> {
  const { expressions, places } = readingsOf(syntaxes)
  // The bit of legal names comes after those of the expressions, so it is also the number of their combinations.
  const legal = 1 << expressions.length
  const isExact = expressions.length === syntaxes.length
  const isConclusive = ({ isComplete, verdicts }: Survey) =>
    isComplete || (isExact && [...verdicts].filter((verdict) => verdict & legal).length === legal)
  const { done, reason } = await surveysOf(expressions, isConclusive, budget)

  function certaintyOf(verdict: number, wanted: Condition): Certainty {
    if ((verdict & legal) === 0) return 'no'
    const answers = possibleVerdicts(verdict, places).map(wanted)
    if (answers.every(Boolean)) return 'yes'
    return answers.some(Boolean) ? 'maybe' : 'no'
  }

  return {
    some(wanted) {
      const certainties = ({ survey }: Attempt) =>
        Array.from(survey.verdicts, (verdict) => certaintyOf(verdict, wanted))
      if (done.some((attempt) => certainties(attempt).includes('yes'))) return true
      const complete = done.filter(({ survey }) => survey.isComplete)
      if (complete.some((attempt) => certainties(attempt).includes('maybe'))) {
        throw new UndecidedError(byReference)
      }
      if (complete.length > 0) return false
      throw done.length === 0 ? reason : new UndecidedError(tooLong)
    },
    names(wanted, count) {
      const isSure = (verdict: number) => certaintyOf(verdict, wanted) === 'yes'
      for (const attempt of done) {
        const sure = new Set([...attempt.survey.verdicts].filter(isSure))
        const names = someNames(graphOf(attempt, sure), count)
        if (names.length > 0) return names
      }
      return []
    },
    async guesses(wanted, count) {
      if (isExact) return []
      const likely = syntaxes.map((syntax) => withoutReferences(syntax, 'likely'))
      const comparison = await orElse(compareExpressions(likely, budget), undefined)
      return comparison?.names(wanted, count) ?? []
    },
  }
}
