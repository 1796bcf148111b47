import type { Clock } from '../host.ts'

export interface Deadline {
  signal: AbortSignal
  /** Milliseconds left. */
  left(): number
  clear(): void
}

/** A signal that aborts when the time is up or the user interrupts. */
export function startDeadline(timeoutMs: number, clock: Clock, signal: AbortSignal): Deadline {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const end = clock.monotonic() + timeoutMs
  const timer = setTimeout(abort, timeoutMs)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  return {
    signal: controller.signal,
    left: () => end - clock.monotonic(),
    clear() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}
