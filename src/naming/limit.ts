import { isNativeError } from 'node:util/types'
import { createContext, Script } from 'node:vm'
import { OutOfReach, tooLong } from './budget.ts'

function reasonOf(error: unknown): string | undefined {
  // Both errors may come from the script's own realm, where `instanceof` does not hold.
  if (!isNativeError(error)) return undefined
  if ('code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return tooLong
  return error.name === 'RangeError' ? 'it is nested too deeply' : undefined
}

/** Runs synchronous work of the engine, whose steps cannot be counted, for a limited time. */
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
  // A script's time limit also ends the host functions that it calls, regular expressions included.
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
