import type { Clock } from '../../src/host.ts'

/** A clock that never waits and remembers how long it was asked to. */
export function patientClock(start = Date.UTC(2026, 10, 20, 16)) {
  const waits: number[] = []
  let now = start
  const clock: Clock = {
    now: () => now,
    sleep: async (milliseconds) => {
      waits.push(milliseconds)
      now += milliseconds
    },
    random: () => 0.5,
  }
  return { clock, waits }
}
