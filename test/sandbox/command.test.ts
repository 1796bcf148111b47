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

test('an error in a seed from standard input says where it is', async () => {
  const { code, stderr } = await flagadm(['sandbox', '--seed', '-'], {
    stdin: 'projects: [{ id: 1 }]',
  })
  expect([code, stderr]).toEqual([
    2,
    'error: standard input: projects[0].id: expected string\n' +
      'hint: a seed contains projects (id, mode) and flags (name, project, usage, seenApplications)\n',
  ])
})

test.each([40, 80])('sandbox wraps sentences between words at %i columns', async (columns) => {
  const signal = AbortSignal.abort()
  const { stdout } = await flagadm(['sandbox', '--port', '0'], { columns, signal })
  const tooWide = stdout.split('\n').filter((line) => line.length > columns)
  // The command stays whole, so that it can be copied.
  const whole = [expect.stringMatching(/^ {2}(?:export |\$env:)FLAGADM_BASE_URL/)]
  const key = columns === 40 ? [`  '${sandboxKeys.none}'`] : []
  expect(tooWide).toEqual([...whole, ...key])
})
