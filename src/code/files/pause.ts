import { setImmediate as otherWork } from 'node:timers/promises'
import { interrupted } from '../../errors.ts'

// How long to work between checks for an interrupt.
const PATIENCE_MS = 20

/** A function to call often, which lets other events happen now and then, and throws when the signal aborts. */
export function createPause(signal: AbortSignal): () => Promise<void> | undefined {
  let began = performance.now()
  const rest = async () => {
    await otherWork()
    began = performance.now()
    if (signal.aborted) throw interrupted()
  }
  return () => {
    if (signal.aborted) throw interrupted()
    return performance.now() - began < PATIENCE_MS ? undefined : rest()
  }
}
