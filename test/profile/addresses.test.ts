import { describe, expect, test } from 'vitest'
import { flagadm } from '../support/flagadm.ts'

const change = ['project', 'settings', 'set', 'p', '--mode', 'open', '--dry-run', '--json']

describe('an address is accepted', () => {
  test.each([
    ['https://x.test', 'https://x.test'],
    ['HTTPS://X.test:443/', 'https://x.test'],
    ['https://x.test:8443/prefix//', 'https://x.test:8443/prefix'],
    ['https://x.test/apis', 'https://x.test/apis'],
    ['https://x.test/my-api', 'https://x.test/my-api'],
    ['https://x.test/api/other', 'https://x.test/api/other'],
    ['https://x.test/api/admin/x', 'https://x.test/api/admin/x'],
    ['https://x.test/@me', 'https://x.test/@me'],
    ['http://localhost:4242', 'http://localhost:4242'],
    ['http://127.1.2.3:4242', 'http://127.1.2.3:4242'],
    ['http://[::1]:4242', 'http://[::1]:4242'],
  ])('%s as %s', async (given, taken) => {
    const { code, stdout } = await flagadm(change, { env: { FLAGADM_BASE_URL: given } })
    expect([code, JSON.parse(stdout).url]).toEqual([0, `${taken}/api/admin/projects/p/settings`])
  })
})

describe('an address is refused', () => {
  const inFull = [
    'not an http or https address',
    'write it in full, for example https://flags.example.com',
  ]
  const encrypted =
    'use https, or --allow-http (allowHttp: true in the profile) in a network you trust'
  test.each([
    ['xhttps://x.test', ...inFull],
    ['httpsx://x.test', ...inFull],
    ['https://', ...inFull],
    [
      'https://me@x.test',
      'an address must not contain a user name, password, query or fragment',
      'use https://x.test',
    ],
    [
      'https://:secret@x.test',
      'an address must not contain a user name, password, query or fragment',
      'use https://x.test',
    ],
    [
      'https://x.test/p/?',
      'an address must not contain a user name, password, query or fragment',
      'use https://x.test/p',
    ],
    [
      'https://x.test/p/#',
      'an address must not contain a user name, password, query or fragment',
      'use https://x.test/p',
    ],
    [
      'https://x.test/api/admin/',
      'https://x.test/api/admin already contains the path of the API',
      'use https://x.test',
    ],
    [
      'https://x.test/p/api',
      'https://x.test/p/api already contains the path of the API',
      'use https://x.test/p',
    ],
    [
      'http://127.0.0.1.x.test',
      'http://127.0.0.1.x.test would send the API key unencrypted',
      encrypted,
    ],
    ['http://my-localhost', 'http://my-localhost would send the API key unencrypted', encrypted],
  ])('such as %s', async (address, problem, hint) => {
    const { code, stdout, stderr } = await flagadm([...change.slice(0, -1), '--base-url', address])
    expect([code, stdout, stderr]).toEqual([
      3,
      '',
      `error: --base-url: ${problem}\nhint: ${hint}\n`,
    ])
  })
})

describe('plain http is accepted', () => {
  const userFile = 'home/.config/flagadm/config.yaml'
  test.each([
    ['with --allow-http', ['--allow-http'], 'baseUrl: http://x.test\n'],
    ['with allowHttp: true in the profile', [], 'baseUrl: http://x.test\nallowHttp: true\n'],
  ])('%s', async (_how, argv, text) => {
    const { code, stdout } = await flagadm([...change, ...argv], { files: { [userFile]: text } })
    expect([code, JSON.parse(stdout).baseUrl]).toEqual([0, 'http://x.test'])
  })

  test('but not from a profile without allowHttp', async () => {
    const { code, stderr } = await flagadm(change.slice(0, -1), {
      files: { [userFile]: 'baseUrl: http://x.test\n' },
    })
    expect([code, stderr.split('\n')[0]]).toEqual([
      3,
      `error: profile 'default': http://x.test would send the API key unencrypted`,
    ])
  })

  test('but allowHttp of a profile does not apply to another address', async () => {
    const { code } = await flagadm([...change, '--base-url', 'http://y.test'], {
      files: { [userFile]: 'baseUrl: http://x.test\nallowHttp: true\n' },
    })
    expect(code).toBe(3)
  })
})
