import { setTimeout as delay } from 'node:timers/promises'

// Node.js fires a timer after 1 ms if its delay does not fit into 31 bits.
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Waits the given number of milliseconds.
 * @param monotonic a clock in milliseconds
 * @throws when the signal aborts
 */
export async function sleep(
  milliseconds: number,
  monotonic: () => number,
  signal?: AbortSignal,
): Promise<void> {
  const end = monotonic() + milliseconds
  for (let left = milliseconds; left > 0; left = end - monotonic()) {
    await delay(Math.min(left, MAX_TIMER_MS), undefined, signal ? { signal } : {})
  }
}
