import { describe, expect, it } from 'vitest'
import { flagadm } from '../support/flagadm.ts'
import { userFile } from '../support/profile.ts'

const change = ['project', 'settings', 'set', 'p', '--mode', 'open', '--dry-run', '--json']

it.each([
  ['https://x.test', 'https://x.test'],
  ['HTTPS://X.test:443/', 'https://x.test'],
  ['https://x.test:8443/prefix//', 'https://x.test:8443/prefix'],
  ['https://x.test/my-api', 'https://x.test/my-api'],
  ['https://x.test/api/admin/x', 'https://x.test/api/admin/x'],
  ['http://localhost:4242', 'http://localhost:4242'],
  ['http://[::1]:4242', 'http://[::1]:4242'],
])('the address %s is accepted as %s', async (given, taken) => {
  const { code, stdout } = await flagadm(change, { env: { FLAGADM_BASE_URL: given } })
  expect([code, JSON.parse(stdout).url]).toEqual([0, `${taken}/api/admin/projects/p/settings`])
})

it('a long address is read in a moment', async () => {
  const given = `https://x.test${'/'.repeat(200_000)}x`
  const { code } = await flagadm(change, { env: { FLAGADM_BASE_URL: given } })
  expect(code).toBe(0)
})

describe('an address is refused', () => {
  const inFull = [
    'not an http or https address',
    'write it in full, for example https://flags.example.com',
  ]
  const parts = 'an address must not contain a user name, password, query or fragment'
  const api = (path: string) => `https://x.test${path} already contains the path of the API`
  const plain = (address: string) => [
    `${address} would send the API key unencrypted`,
    'use https, or --allow-http (allowHttp: true in the profile) in a network you trust',
  ]
  it.each([
    [
      'flags.test.example:8443/a',
      'not an http or https address',
      'write it in full, for example https://flags.test.example:8443/a',
    ],
    ['flags.example.com', ...inFull],
    ['ftp://x.test', ...inFull],
    ['httpsx://x.test', ...inFull],
    ['https://me@x.test', parts, 'use https://x.test'],
    ['https://:secret@x.test/p', parts, 'use https://x.test/p'],
    ['https://x.test/?a=1', parts, 'use https://x.test'],
    ['https://x.test/api/admin/', api('/api/admin'), 'use https://x.test'],
    ['https://x.test/p/api', api('/p/api'), 'use https://x.test/p'],
    ['http://127.0.0.1.x.test', ...plain('http://127.0.0.1.x.test')],
    ['http://x.test', ...plain('http://x.test')],
  ])('such as %s', async (address, problem, hint) => {
    const { code, stdout, stderr } = await flagadm([...change.slice(0, -1), '--base-url', address])
    const error = `error: --base-url: ${problem}\nhint: ${hint}\n`
    expect({ code, stdout, stderr }).toEqual({
      code: 3,
      stdout: '',
      stderr: error,
    })
  })
})

const plainHttp = 'baseUrl: http://x.test\n'
const allowed = `${plainHttp}allowHttp: true\n`
it.each([
  ['is accepted with --allow-http', 0, ['--allow-http'], plainHttp],
  ['is accepted with allowHttp', 0, [], allowed],
  ['is refused without allowHttp', 3, [], plainHttp],
  ['is ignored beside an option', 0, ['-p', 'default', '--base-url', 'https://y.test'], plainHttp],
  ['is refused with allowHttp for another address', 3, ['--base-url', 'http://y.test'], allowed],
])('plain http %s', async (_how, expected, argv, text) => {
  const { code, stderr } = await flagadm([...change, ...argv], { files: { [userFile]: text } })
  expect(code).toBe(expected)
  expect(stderr.includes('would send the API key unencrypted')).toBe(expected === 3)
})
