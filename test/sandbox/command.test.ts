import { describe, expect, test } from 'vitest'
import { sandboxKeys } from '../../src/sandbox/routes.ts'
import { flagadm } from '../support/flagadm.ts'

/** Serves the sandbox until it has printed its address. */
async function sandboxWith(key: string) {
  return flagadm(['sandbox', '--port', '0', '--json'], {
    env: { FLAGADM_API_KEY: key },
    signal: AbortSignal.abort(),
  })
}

describe('the sandbox prints its public keys', () => {
  test.each([
    ['full', sandboxKeys.full],
    ['none', sandboxKeys.none],
  ])('even if the one called %s is exported', async (_name, key) => {
    const { code, stdout } = await sandboxWith(key)
    expect([code, JSON.parse(stdout).keys]).toEqual([130, sandboxKeys])
  })
})
