import { setImmediate as otherWork } from 'node:timers/promises'
import { interrupted } from '../errors.ts'

// How long to work between checks for an interrupt.
const PATIENCE_MS = 50

/** A function to call often, which lets other events happen now and then, and throws when the signal aborts. */
export function createPause(signal: AbortSignal): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (signal.aborted) throw interrupted()
    if (performance.now() - began < PATIENCE_MS) return
    await otherWork()
    began = performance.now()
  }
}
