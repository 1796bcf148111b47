import { expect, it, test } from 'vitest'
import { daysAgo, feature } from '../flags/service.ts'

const old = { production: { on: true, seen: 40 } }
const projects = { silent: { old, off: {} }, shop: { used: { production: { seen: 0.1 } } } }
const silence = 'production of project silent reports no usage since 2026-10-11'

it('a silent environment makes the flags that are on there unclear, and is said once', async () => {
  const { code, stdout } = await feature(['review', '--all-projects', '--json'], projects)
  const { flags, incomplete } = JSON.parse(stdout)
  expect(code).toBe(0)
  expect(flags.map(({ flag, verdict }: Record<string, string>) => [flag, verdict])).toEqual([
    ['off', 'removable'],
    ['old', 'unclear'],
    ['used', 'in-use'],
  ])
  expect(flags[0].reasons).toContain(
    'no flag of project silent was seen in 30 d, but of project shop',
  )
  expect(flags[1].reasons.slice(0, 2)).toEqual([
    'production silent for 30 d',
    'no flag of project silent was seen there: its SDKs may not report usage',
  ])
  expect(incomplete).toContainEqual({ message: silence, names: [] })
})

const including = ['--include-on', '--save-before', 'undo.yaml', '--dry-run']

it('archive refuses a flag that is on in a silent environment, unless that is accepted', async () => {
  const argv = ['archive', 'old', '--project', 'silent', ...including]
  const refused = await feature(argv, projects, { isSilent: true })
  expect(refused.code).toBe(9)
  expect(refused.stdout).toContain('old: refused (unclear: production silent for 30 d;')
  const accepted = await feature([...argv, '--accept-silence', 'silent'], projects, {
    isSilent: true,
  })
  expect(accepted.code).toBe(0)
})

it('an expectation fails on silence, and accepted silence is in the heading and the selection', async () => {
  const argv = ['review', 'old', '--project', 'silent', '--expect', 'unused']
  const world = { isSilent: true }
  expect((await feature(argv, projects, world)).code).toBe(9)
  const accepted = await feature([...argv, '--accept-silence', 's*'], projects, world)
  expect(accepted.code).toBe(0)
  expect(accepted.stdout).toContain(', silence of s* accepted\n')
  const json = await feature([...argv, '--accept-silence', 's*', '--json'], projects, world)
  expect(JSON.parse(json.stdout).selection.acceptSilence).toEqual(['s*'])
})

it('asks for the tokens once, and never shows what they are', async () => {
  const secret = 'silent:production.0123456789abcdef'
  const token = {
    tokenName: 'sdk',
    type: 'client',
    environment: 'production',
    projects: ['silent'],
  }
  const tokens = [
    { ...token, secret, alias: 'alias-of-it', seenAt: daysAgo(0.1), project: 'silent' },
  ]
  const flags = { old, older: old }
  const { stdout, asked } = await feature(
    ['review', 'old', 'older', '--project', 'silent', '--json'],
    { silent: flags },
    { isSilent: true, tokens },
  )
  expect(asked.filter((path) => path === 'api-tokens')).toHaveLength(1)
  expect(JSON.parse(stdout).flags[0].reasons).toContain(
    'something asked there 2 h ago, although nothing is reported',
  )
  expect(stdout).not.toMatch(/0123456789abcdef|alias-of-it|sdk/)
})

test.each([
  [100, 'removable'],
  [0, 'unclear'],
])(
  'of a service without sightings that got %d rows yesterday, a flag that is off is %s',
  async (count, verdict) => {
    const { stdout } = await feature(
      ['review', 'off', '--project', 'silent', '--json'],
      { silent: { off: {} } },
      { isSilent: true, usageYesterday: count },
    )
    expect(JSON.parse(stdout).flags[0].verdict).toBe(verdict)
  },
)

test.each([
  ['admin', 'still-on'],
  ['client', 'unclear'],
  ['a-later-type', 'unclear'],
])('where the only token is of the type %s, a flag that is on is %s', async (type, verdict) => {
  const token = { tokenName: 'one', type, environment: 'production', projects: ['silent'] }
  const world = { tokens: [{ ...token, secret: 'x', project: 'silent', seenAt: null }] }
  const argv = ['review', 'old', '--all-projects', '--json']
  const { stdout } = await feature(argv, projects, world)
  expect(JSON.parse(stdout).flags[0].verdict).toBe(verdict)
})
