import { isNativeError } from 'node:util/types'
import { createContext, Script } from 'node:vm'

/**
 * A function that runs synchronous work and stops it, regular expressions included, when it takes
 * longer than some milliseconds. Then the result is undefined.
 */
export function createTimed(milliseconds: number): <T>(work: () => T) => T | undefined {
  const task: { work?: () => unknown } = {}
  const context = createContext(task)
  const script = new Script('work()')
  return (work) => {
    task.work = work
    try {
      return script.runInContext(context, { timeout: milliseconds })
    } catch (error) {
      const code = isNativeError(error) && 'code' in error ? error.code : undefined
      if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
      throw error
    }
  }
}
