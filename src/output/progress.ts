import type { Clock, OutputStream } from '../host.ts'

const QUIET_MS = 500
const PAUSE_MS = 100
const BAR = 20

/** A bar on a terminal that shows how much of some work is done. */
export interface Progress {
  /** One more is done. */
  tick(): void
  /** Takes the bar off the terminal, before something else is written there. */
  clear(): void
}

/** A progress bar that appears when work takes over half a second; none off a terminal or unwanted. */
export function createProgress(
  stream: OutputStream,
  total: number,
  clock: Clock,
  wanted: boolean,
): Progress {
  const start = clock.monotonic()
  let done = 0
  let drawn = false
  let last = start
  const write = (text: string) => stream.write(text, () => {})
  return {
    tick() {
      done++
      const now = clock.monotonic()
      if (!wanted || !stream.isTTY || now - start < QUIET_MS || now - last < PAUSE_MS) return
      last = now
      drawn = true
      const full = Math.round((BAR * done) / total)
      write(`\r${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done} of ${total} flags`)
    },
    clear() {
      if (drawn) write('\r\u001b[K')
      drawn = false
    },
  }
}
