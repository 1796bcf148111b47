import { describe, expect, it, test } from 'vitest'
import { flagadm } from '../support/flagadm.ts'

const SCHEMA = '$schema: https://example.com/a.json\n'
const configuration = `${SCHEMA}baseUrl: https://a.example\n`
const settings = `${SCHEMA}mode: protected\nfeatureNaming:\n  pattern: feat-[a-z]+\n`
const seed = `${SCHEMA}projects: [{ id: default, mode: open }]\nflags: []\n`

const set = ['project', 'settings', 'set', 'default', '--dry-run', '--json']
const check = ['naming', 'check', 'feat-a']

describe('$schema is accepted in', () => {
  test.each([
    ['a configuration', { 'home/.config/flagadm/config.yaml': configuration }],
    [
      'the field of a package.json',
      {
        'work/package.json': JSON.stringify({
          flagadm: { $schema: 'x', baseUrl: 'https://a.example' },
        }),
      },
    ],
  ])('%s', async (_what, files) => {
    const { code, stdout } = await flagadm([...set, '--mode', 'open'], { files })
    expect([code, JSON.parse(stdout || '{}').baseUrl]).toEqual([0, 'https://a.example'])
  })

  test('settings, and is not sent', async () => {
    const argv = [...set, '--file', 's.yaml', '-p', 'sandbox']
    const { code, stdout } = await flagadm(argv, { files: { 'work/s.yaml': settings } })
    expect(code).toBe(0)
    expect(stdout).not.toContain('$schema')
  })

  test('a naming rule', async () => {
    const files = { 'work/s.yaml': settings }
    expect((await flagadm([...check, '--rule', 's.yaml'], { files })).code).toBe(0)
  })

  test('a seed', async () => {
    const outcome = await flagadm(['sandbox', '--port', '0', '--seed', 's.yaml'], {
      files: { 'work/s.yaml': seed },
      signal: AbortSignal.abort(),
    })
    expect(outcome.code).toBe(130)
  })
})

it('refuses a $schema that is not text', async () => {
  const files = { 'work/s.yaml': '$schema: 5\nmode: open\n' }
  const { code, stderr } = await flagadm([...set, '--file', 's.yaml'], { files })
  expect(code).toBe(2)
  expect(stderr).toContain('unknown field')
})
