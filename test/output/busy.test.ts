import { describe, expect, it } from 'vitest'
import { whenFree } from '../../src/old/output/file.ts'
import { patientClock } from '../support/clock.ts'

/** An action that fails some times, as the system does, and the number of attempts so far. */
function failing(code: string, times: number) {
  const state = { attempts: 0 }
  const action = async () => {
    state.attempts++
    if (state.attempts <= times) throw Object.assign(new Error(code), { code })
    return 'done'
  }
  return { state, action }
}

describe('a file that another process has open', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('is tried again on Windows after %s', async (code) => {
    const { clock, waits } = patientClock()
    const { action } = failing(code, 3)
    expect(await whenFree({ platform: 'win32', clock }, action)).toBe('done')
    expect(waits).toEqual([50, 50, 50])
  })

  it('is tried for 2 s', async () => {
    const { clock } = patientClock()
    const { state, action } = failing('EBUSY', 1_000)
    await expect(whenFree({ platform: 'win32', clock }, action)).rejects.toThrow('EBUSY')
    expect([state.attempts, clock.monotonic()]).toEqual([41, 2_000])
  })

  it.each([
    ['darwin', 'EPERM'],
    ['linux', 'EACCES'],
    ['win32', 'ENOENT'],
  ] as const)('is not tried again on %s after %s', async (platform, code) => {
    const { clock } = patientClock()
    const { state, action } = failing(code, 1)
    await expect(whenFree({ platform, clock }, action)).rejects.toThrow(code)
    expect(state.attempts).toBe(1)
  })
})
