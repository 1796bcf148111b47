import { describe, expect, it } from 'vitest'
import { sandboxKeys } from '../../src/sandbox/routes.ts'
import { flagadm } from '../support/flagadm.ts'
import { open } from './support.ts'

const usage = '/api/admin/client-metrics/features/unused'

// An empty host is this machine, never the network.
it.each([
  ['', /^http:\/\/127\.0\.0\.1:[1-9]\d+$/],
  ['::1', /^http:\/\/\[::1\]:\d+$/],
])('the address of the host %j is %s', async (host, address) => {
  const { call, url } = await open({ host })
  expect([url, (await call('GET', usage)).status]).toEqual([expect.stringMatching(address), 200])
})

it('a port in use fails the start', async () => {
  const port = Number(new URL((await open()).url).port)
  await expect(open({ port })).rejects.toMatchObject({
    kind: 'usage',
    message: `cannot listen on 127.0.0.1 port ${port}: the port is in use`,
    cause: { code: 'EADDRINUSE' },
  })
})

describe('flagadm sandbox', () => {
  // Serves until it has printed its address.
  const ending = { signal: AbortSignal.abort() }
  const serve = ['sandbox', '--port', '0']

  it.each(Object.entries(sandboxKeys))(
    'prints its public keys, even if the one called %s is exported',
    async (_name, key) => {
      const env = { FLAGADM_API_KEY: key }
      const { code, stdout } = await flagadm([...serve, '--json'], { env, ...ending })
      expect([code, JSON.parse(stdout).keys]).toEqual([130, sandboxKeys])
    },
  )

  it.each([
    ['linux', /^ {2}export FLAGADM_BASE_URL=http:\S+ FLAGADM_API_KEY='\S+'$/m],
    ['win32', /^ {2}\$env:FLAGADM_BASE_URL = 'http:\S+'; \$env:FLAGADM_API_KEY = '\S+'$/m],
  ] as const)('prints a command for the shell of %s', async (platform, command) => {
    expect((await flagadm(serve, { platform, ...ending })).stdout).toMatch(command)
  })

  it('prints every request as a note on stderr, without the key', async () => {
    const stop = new AbortController()
    const { code, stderr } = await flagadm([...serve, '--json'], {
      signal: stop.signal,
      onOutput: (text) => {
        const health = `${JSON.parse(text).baseUrl}/health?key=${sandboxKeys.full}`
        fetch(health).then(() => stop.abort())
      },
    })
    expect([code, stderr.split('\n')[0]]).toEqual([130, '{"note":{"message":"GET /health 200"}}'])
  })

  it.each(['ff02::1', 'a'.repeat(300)])('cannot listen on %s', async (host) => {
    const { code, stderr } = await flagadm([...serve, '--host', host])
    expect([code, stderr.split('\n')[1]]).toEqual([
      2,
      'hint: choose another with --port or --host; --port 0 takes any free port',
    ])
    expect(stderr).toContain(`error: cannot listen on ${host} port 0: `)
  })

  it.each([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '[::1]'],
  ])('warns with --host %s that other machines can reach it', async (host, shown) => {
    const { stdout, stderr } = await flagadm([...serve, '--host', host, '--json'], ending)
    expect(new URL(JSON.parse(stdout).baseUrl).hostname).toBe(shown)
    const message = `other machines can reach the sandbox on ${host}, and its keys are public`
    expect(JSON.parse(stderr.split('\n')[0] ?? '')).toEqual({ warning: { message } })
  })

  it.each(['127.0.0.1', '::1', 'localhost'])('does not warn with --host %s', async (host) => {
    const { code, stderr } = await flagadm([...serve, '--host', host], ending)
    expect([code, stderr]).toEqual([130, ''])
  })
})

describe('the embedded sandbox', () => {
  const set = ['project', 'settings', 'set', 'default', '--mode', 'protected', '--yes']
  const note =
    'note: the embedded sandbox forgets this change when the command ends; flagadm sandbox starts one that keeps it\n'
  const apply = ['project', 'settings', 'apply', '-f', 'all.yaml', '--yes']
  const files = {
    'work/all.yaml': 'projects: { default: { mode: private }, mobile: { mode: open } }\n',
  }

  it.each([
    ['once for one change', set, 1],
    ['once for several changes', apply, 1],
    ['not for a read', ['project', 'settings', 'get', 'default'], 0],
    ['not for a dry run', [...set, '--dry-run'], 0],
    ['not with --quiet', [...set, '--quiet'], 0],
  ])('says that it forgets changes: %s', async (_what, argv, notes) => {
    const { code, stderr } = await flagadm([...argv, '-p', 'sandbox'], { files })
    expect([code, stderr.split(note).length - 1]).toEqual([0, notes])
  })
})
