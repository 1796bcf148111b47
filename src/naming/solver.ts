import { TooManyNodesError } from 'refa'
import type { Reading } from './automaton.ts'
import { both, isEmpty, type Language, names, without } from './language.ts'
import { type Deadline, OutOfReach, orElse } from './limit.ts'
import { someNames } from './words.ts'

const stepLimit = 1000

/** Answers questions about sets of names, within limits: `OutOfReach` is thrown for an answer that cannot be had. */
export interface Solver {
  /** Runs a step of the caller's own within the limits, for at most so many milliseconds. */
  run<T>(step: () => T, most?: number): T
  /** The legal names in which a regular expression finds a match. */
  names(source: string): Language
  /** The same, or more than those where they are out of reach. */
  widest(source: string): Language
  both: typeof both
  without: typeof without
  isEmpty: typeof isEmpty
  someNames: typeof someNames
  /** A readable name in which a regular expression is likely to find a match; undefined when none is at hand. */
  sample(source: string): string | undefined
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof TooManyNodesError) return 'its automaton is too large'
  // The engine has compiled it: the parser here knows less.
  return error instanceof SyntaxError ? 'it uses syntax that is not known here' : undefined
}

export function createSolver(deadline: Deadline): Solver {
  const known = new Map<string, () => Language>()

  function run<T>(step: () => T, most = stepLimit): T {
    try {
      return deadline.run(step, most)
    } catch (error) {
      const reason = reasonOf(error)
      throw reason === undefined ? error : new OutOfReach(reason, { cause: error })
    }
  }

  function find(source: string, reading: Reading): () => Language {
    try {
      const language = run(() => names(source, reading))
      return () => language
    } catch (error) {
      return () => {
        throw error
      }
    }
  }

  function recall(source: string, reading: Reading): Language {
    const key = `${reading} ${source}`
    const answer = known.get(key) ?? find(source, reading)
    known.set(key, answer)
    return answer()
  }

  const solver: Solver = {
    run,
    names: (source) => recall(source, 'exact'),
    widest: (source) =>
      orElse(
        () => recall(source, 'exact'),
        () => recall(source, 'wider'),
      ),
    both,
    without,
    isEmpty: (...query) => run(() => isEmpty(...query)),
    someNames: (...query) => run(() => someNames(...query)),
    sample: (source) =>
      orElse(
        () => solver.someNames(solver.widest(source), 1)[0],
        () => undefined,
      ),
  }
  return solver
}
