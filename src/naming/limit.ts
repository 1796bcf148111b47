import { isNativeError } from 'node:util/types'
import { createContext, Script } from 'node:vm'

/** Thrown by work that cannot be brought to an end here; the message is the reason. */
export class OutOfReach extends Error {}

/** The answer, or another one to a question that is out of reach. */
export function orElse<T>(answer: () => T, other: () => T): T {
  try {
    return answer()
  } catch (error) {
    if (error instanceof OutOfReach) return other()
    throw error
  }
}

function reasonOf(error: unknown): string | undefined {
  // Both errors may come from the script's own realm, where `instanceof` does not hold.
  if (!isNativeError(error)) return undefined
  if ('code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'it takes too long'
  return error.name === 'RangeError' ? 'it is nested too deeply' : undefined
}

/** Runs synchronous work that is stopped, wherever it is, when its time is up. */
export interface Guard {
  /**
   * The result of `work`.
   * @throws OutOfReach when it runs out of time or of stack
   */
  run<T>(milliseconds: number, work: () => T): T
}

export function createGuard(): Guard {
  const task: { work?: () => unknown } = {}
  const context = createContext(task)
  // A script's time limit ends the host functions that it calls as well: regular expressions, automata.
  const script = new Script('work()')
  return {
    run(milliseconds, work) {
      task.work = work
      try {
        return script.runInContext(context, { timeout: Math.ceil(milliseconds) })
      } catch (error) {
        const reason = reasonOf(error)
        throw reason === undefined ? error : new OutOfReach(reason, { cause: error })
      }
    },
  }
}

/** A guard whose runs share one span of time. */
export interface Deadline {
  /** As `Guard.run`, within what is left of the span and at most so many milliseconds. */
  run<T>(work: () => T, most?: number): T
}

export function createDeadline(milliseconds: number): Deadline {
  const end = performance.now() + milliseconds
  const guard = createGuard()
  return {
    run(work, most = milliseconds) {
      const left = Math.min(most, end - performance.now())
      if (left <= 0) throw new OutOfReach('it takes too long')
      return guard.run(left, work)
    },
  }
}
