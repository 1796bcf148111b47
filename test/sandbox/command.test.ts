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

test.each([
  ['linux', /^ {2}export FLAGADM_BASE_URL=http:\S+ FLAGADM_API_KEY='\S+'$/m],
  ['win32', /^ {2}\$env:FLAGADM_BASE_URL = 'http:\S+'; \$env:FLAGADM_API_KEY = '\S+'$/m],
] as const)('sandbox prints a command for the shell of %s', async (platform, command) => {
  const signal = AbortSignal.abort()
  const { stdout } = await flagadm(['sandbox', '--port', '0'], { platform, signal })
  expect(stdout).toMatch(command)
})

test('every request is a note on stderr, without the key', async () => {
  const stop = new AbortController()
  let address = ''
  const running = flagadm(['sandbox', '--port', '0', '--json'], {
    signal: stop.signal,
    onOutput: (text) => {
      address = JSON.parse(text).baseUrl
    },
  })
  await expect.poll(() => address).not.toBe('')
  await fetch(`${address}/health?key=${sandboxKeys.full}`)
  stop.abort()
  const { code, stderr } = await running
  expect([code, stderr.split('\n')[0]]).toEqual([130, '{"note":{"message":"GET /health 200"}}'])
})
