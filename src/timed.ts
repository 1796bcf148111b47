import { isNativeError } from 'node:util/types'
import { createContext, Script } from 'node:vm'

// One context for all work, because making one takes longer than most of it.
const task: { work?: () => unknown } = {}
const context = createContext(task)
const script = new Script('work()')

/**
 * Runs synchronous work and stops it, regular expressions included, when it takes longer than some
 * milliseconds. Then the result is undefined.
 */
export function timed<Result>(milliseconds: number, work: () => Result): Result | undefined {
  task.work = work
  try {
    return script.runInContext(context, { timeout: milliseconds })
  } catch (error) {
    const code = isNativeError(error) && 'code' in error ? error.code : undefined
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}

/** Whether an error comes from recursion that is too deep for the stack. */
export function isStackOverflow(error: unknown): boolean {
  // Not `instanceof`, because the error may come from another realm.
  return isNativeError(error) && error.name === 'RangeError'
}

const BATCH_SIZE = 10_000
const MS_PER_BATCH = 200
const MAX_SLOW = 10

/**
 * A function that maps items with limited time: in batches, and one by one where a batch takes too long. The result of
 * an item that takes too long alone is undefined, and after some of these, that of all others.
 */
export function createTimedMap<Item, Result>(
  map: (item: Item) => Result,
  signal: AbortSignal,
): (items: readonly Item[]) => Promise<(Result | undefined)[]> {
  let slow = 0

  function mapBatch(batch: readonly Item[]): Result[] | undefined {
    try {
      return timed(MS_PER_BATCH, () => batch.map(map))
    } catch (error) {
      if (!isStackOverflow(error)) throw error
      return undefined
    }
  }

  async function mapAll(items: readonly Item[], size: number): Promise<(Result | undefined)[]> {
    const results: (Result | undefined)[] = []
    while (results.length < items.length && slow < MAX_SLOW) {
      await new Promise(setImmediate)
      signal.throwIfAborted()
      const batch = items.slice(results.length, results.length + size)
      // An item alone gets a second try, because the machine may have been busy.
      const batchResults = mapBatch(batch) ?? (size === 1 ? mapBatch(batch) : undefined)
      if (batchResults === undefined && size === 1) slow++
      const each = batchResults ?? (size === 1 ? [undefined] : await mapAll(batch, 1))
      for (const result of each) results.push(result)
    }
    return results
  }

  return (items) => mapAll(items, BATCH_SIZE)
}
