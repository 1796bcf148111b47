import { isNativeError } from 'node:util/types'

/** Thrown when a question about a pattern cannot be decided; the message is the reason. */
export class UndecidedError extends Error {}

export const tooLong = 'it takes too long'
export const tooLarge = 'its automaton is too large'
export const tooDeep = 'it is nested too deeply'

/** The answer, or another one if the question cannot be decided. */
export async function orElse<T, Other = T>(answer: Promise<T>, other: Other): Promise<T | Other> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof UndecidedError) return other
    throw error
  }
}

/** Counts the steps of long work, so that no verdict depends on the speed of the machine. */
export interface Budget {
  /**
   * Counts steps. Await the result: signals are noticed while it is pending.
   * @throws UndecidedError when no steps are left, the signal's reason once it has aborted
   */
  spend(steps: number): Promise<void> | undefined
  /** Notices signals before work whose steps are not counted. */
  pause(): Promise<void>
  /** A budget of at most `steps` that is also counted here. */
  part(steps: number): Budget
  /** Stops the work when it aborts. */
  signal: AbortSignal
}

// About ten milliseconds of work.
const stepsBetweenPauses = 500_000
// In milliseconds: far more than the steps take, even on a busy machine.
const safetyNet = 60_000

function within(steps: number, outside: Omit<Budget, 'part'>): Budget {
  let left = steps
  const budget: Budget = {
    ...outside,
    spend(count) {
      left -= count
      if (left < 0) throw new UndecidedError(tooLong)
      return outside.spend(count)
    },
    part: (most) => within(most, budget),
  }
  return budget
}

/** Creates a budget of steps. The signal stops the work when it aborts. */
export function createBudget(steps: number, signal: AbortSignal): Budget {
  const end = performance.now() + safetyNet
  // Pause at once, so that a signal that has already aborted is noticed.
  let sincePause = stepsBetweenPauses

  async function pause(): Promise<void> {
    await new Promise(setImmediate)
    signal.throwIfAborted()
    if (performance.now() > end) throw new UndecidedError(tooLong)
  }

  function spend(count: number): Promise<void> | undefined {
    sincePause += count
    if (sincePause < stepsBetweenPauses) return undefined
    sincePause = 0
    return pause()
  }

  return within(steps, { spend, pause, signal })
}

/** Whether an error comes from recursion that is too deep for the stack. */
export function isStackOverflow(error: unknown): boolean {
  // Not `instanceof`, because the error may come from another realm.
  return isNativeError(error) && error.name === 'RangeError'
}
