import type { Clock } from '../../src/host.ts'

/** A clock that never waits and records the requested pauses. */
export function patientClock(start = Date.UTC(2026, 10, 20, 16)) {
  const waits: number[] = []
  let elapsed = 0
  let offset = start
  const clock: Clock = {
    now: () => offset + elapsed,
    monotonic: () => elapsed,
    sleep: async (milliseconds) => {
      waits.push(milliseconds)
      elapsed += milliseconds
    },
    random: () => 0.5,
  }
  return {
    clock,
    waits,
    /** Sets the wall clock forward, or back. */
    step(milliseconds: number) {
      offset += milliseconds
    },
    /** Advances the time without a pause, as if the process had been stopped. */
    pass(milliseconds: number) {
      elapsed += milliseconds
    },
  }
}
