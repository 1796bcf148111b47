import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseDocument } from '../../src/input/document.ts'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import { checkSeed } from '../../src/sandbox/seed.ts'
import { call, done, put, smallSeed, usage, withSandbox } from './support.ts'

const row = { appName: 'a', environment: 'e', yes: 2, no: 1 }
const flag = { name: 'f', project: 'p', usage: [row], seenApplications: ['a'] }
const project = { id: 'p', mode: 'open' }

function withRow(changes: object) {
  return { projects: [project], flags: [{ ...flag, usage: [{ ...row, ...changes }] }] }
}

function withFlag(changes: object) {
  return { projects: [project], flags: [{ ...flag, ...changes }] }
}

function withUnknown(...rows: object[]) {
  const unknownFlags = rows.map((row) => ({ appName: 'a', environment: 'e', ...row }))
  return { projects: [project], flags: [flag], unknownFlags }
}

function withRule(featureNaming: object) {
  return { projects: [{ ...project, featureNaming }], flags: [] }
}

test('a valid seed is returned unchanged', () => {
  for (const seed of [
    smallSeed,
    { projects: [project], flags: [flag] },
    { projects: [], flags: [] },
  ]) {
    expect(checkSeed(seed, 'seed.yaml')).toEqual(seed)
  }
})

test('a seed file in YAML replaces projects and flags', async () => {
  const text = `
projects:
  - id: garden
    mode: private
    featureNaming: { pattern: 'garden-.+' }
flags:
  - name: garden-gate
    project: garden
    usage:
      - appName: gate-keeper
        environment: production
        timestamp: 2026-01-05T10:00:00Z
        yes: 3
        no: 4
        variants: { open: 1 }
    seenApplications: [gate-keeper]
`
  const seed = checkSeed(await parseDocument(text, 'seed.yaml', 'usage'), 'seed.yaml')
  await withSandbox(
    async (sandbox) => {
      expect(sandbox.project('default')).toBeUndefined()
      expect(await put(sandbox, 'garden', {})).toEqual(done)
      expect((await usage(sandbox, 'garden-gate')).body.lastHourUsage).toEqual([
        {
          featureName: 'garden-gate',
          appName: 'gate-keeper',
          environment: 'production',
          timestamp: '2026-01-05T10:00:00Z',
          yes: 3,
          no: 4,
          variants: { open: 1 },
        },
      ])
    },
    { seed, frozen: true },
  )
})

test('the seed file in docs/sandbox.md has every field and is valid', async () => {
  const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')
  const [, text = ''] = /```yaml\n#.*\n(projects:\n[\s\S]*?)```/.exec(page) ?? []
  const seed = checkSeed(await parseDocument(text, 'seed.yaml', 'usage'), 'seed.yaml')
  await withSandbox(
    async (sandbox) => {
      const { body } = await call(sandbox, 'GET', '/api/admin/projects/checkout/features')
      expect(body.features[0].environments).toEqual([
        {
          name: 'production',
          enabled: true,
          type: 'production',
          lastSeenAt: '2026-01-05T10:00:00Z',
        },
      ])
    },
    { seed, frozen: true },
  )
})

const time = 'expected a UTC time such as 2026-01-05T10:00:00Z'

test.each([
  [null, 'expected an object'],
  [[], 'expected an object'],
  [{ flags: [] }, 'projects: missing'],
  [{ projects: [] }, 'flags: missing'],
  [{ projects: {}, flags: [] }, 'projects: expected Array'],
  [{ projects: [], flags: [], flag: [] }, 'flag: unknown field'],
  [{ projects: ['p'], flags: [] }, 'projects[0]: expected an object'],
  [{ projects: [{ mode: 'open' }], flags: [] }, 'projects[0].id: missing'],
  [
    { projects: [{ id: '', mode: 'open' }], flags: [] },
    'projects[0].id: expected a non-empty string',
  ],
  [
    { projects: [{ id: 'p', mode: 'shut' }], flags: [] },
    'projects[0].mode: expected ("open" | "protected" | "private")',
  ],
  [{ projects: [project, project], flags: [] }, 'projects[1].id: the same as projects[0].id'],
  [withRule({}), 'projects[0].featureNaming.pattern: missing'],
  [withRule({ pattern: '' }), 'projects[0].featureNaming.pattern: expected a non-empty string'],
  [
    withRule({ pattern: 'a b' }),
    'projects[0].featureNaming.pattern: must not contain a space or \\t \\s \\n \\r \\f \\v',
  ],
  [
    withRule({ pattern: 'a', example: 'b' }),
    'projects[0].featureNaming.example: does not match the pattern',
  ],
  [{ projects: [project], flags: [{ ...flag, name: 1 }] }, 'flags[0].name: expected string'],
  [{ projects: [project], flags: [{ ...flag, usage: null }] }, 'flags[0].usage: expected Array'],
  [{ projects: [], flags: [flag] }, 'flags[0].project: no such project'],
  [{ projects: [project], flags: [flag, flag] }, 'flags[1].name: the same as flags[0].name'],
  [
    { projects: [project], flags: [{ ...flag, usage: [row, row] }] },
    'flags[0].usage[1]: the same as flags[0].usage[0]',
  ],
  [
    { projects: [project], flags: [{ ...flag, seenApplications: ['a', 'a'] }] },
    'flags[0].seenApplications[1]: the same as flags[0].seenApplications[0]',
  ],
  [withRow({ yes: '2' }), 'flags[0].usage[0].yes: expected number'],
  [withRow({ yes: 1.5 }), 'flags[0].usage[0].yes: expected a whole number'],
  [withRow({ yes: Number.POSITIVE_INFINITY }), 'flags[0].usage[0].yes: expected a whole number'],
  [withRow({ no: -1 }), 'flags[0].usage[0].no: expected a non-negative number'],
  [withRow({ appName: 7 }), 'flags[0].usage[0].appName: expected string'],
  [withRow({ timestamp: 'soon' }), `flags[0].usage[0].timestamp: ${time}`],
  [withRow({ timestamp: '2026-01-05T10:00:00+01:00' }), `flags[0].usage[0].timestamp: ${time}`],
  [withRow({ timestamp: '2026-02-30T10:00:00Z' }), `flags[0].usage[0].timestamp: ${time}`],
  [withRow({ variants: ['a'] }), 'flags[0].usage[0].variants: expected an object'],
  [withRow({ variants: { a: 'x' } }), 'flags[0].usage[0].variants.a: expected number'],
  [withRow({ variants: { a: 1, b: 2 } }), 'flags[0].usage[0].variants: add up to more than yes'],
  [
    withRow({ variants: { constructor: 1 } }),
    'flags[0].usage[0].variants: a variant cannot be called __proto__ or constructor or prototype',
  ],
  [withRow({ hoursAgo: 48 }), 'flags[0].usage[0].hoursAgo: expected at most 47'],
  [withRow({ hoursAgo: -1 }), 'flags[0].usage[0].hoursAgo: expected a non-negative number'],
  [withRow({ hoursAgo: 1.5 }), 'flags[0].usage[0].hoursAgo: expected a whole number'],
  [
    withRow({ hoursAgo: 3, timestamp: '2026-01-05T10:00:00Z' }),
    'flags[0].usage[0].timestamp: cannot be combined with hoursAgo',
  ],
  [
    { projects: [project], flags: [{ ...flag, usage: [row, { ...row, hoursAgo: 0 }] }] },
    'flags[0].usage[1]: the same as flags[0].usage[0]',
  ],
  [
    { projects: [{ ...project, name: '' }], flags: [] },
    'projects[0].name: expected a non-empty string',
  ],
  [
    { projects: [{ ...project, linkTemplates: [{ title: 'a' }] }], flags: [] },
    'projects[0].linkTemplates[0].urlTemplate: missing',
  ],
  [
    { projects: [{ ...project, linkTemplates: [{ urlTemplate: '' }] }], flags: [] },
    'projects[0].linkTemplates[0].urlTemplate: expected a non-empty string',
  ],
  [
    withFlag({ type: 'big' }),
    'flags[0].type: expected ("release" | "experiment" | "operational" | "kill-switch" | "permission")',
  ],
  [withFlag({ stale: 'no' }), 'flags[0].stale: expected boolean'],
  [withFlag({ createdAt: '2026' }), `flags[0].createdAt: ${time}`],
  [withFlag({ environments: [{}] }), 'flags[0].environments[0].name: missing'],
  [
    withFlag({ environments: [{ name: 'e', lastSeenAt: 'now' }] }),
    `flags[0].environments[0].lastSeenAt: ${time}`,
  ],
  [
    withFlag({ environments: [{ name: 'e' }, { name: 'e' }] }),
    'flags[0].environments[1].name: the same as flags[0].environments[0].name',
  ],
  [withUnknown({ name: 'g' }, { name: 'g' }), 'unknownFlags[1]: the same as unknownFlags[0]'],
  [withUnknown({ name: 'f' }), 'unknownFlags[0].name: the same as flags[0].name'],
  [withUnknown({ name: '' }), 'unknownFlags[0].name: expected a non-empty string'],
  [withUnknown({ name: 'g', hoursAgo: 1 }), 'unknownFlags[0].hoursAgo: unknown field'],
])('the seed %j is refused: %s', (data, problem) => {
  const check = () => checkSeed(data, 'seed.yaml')
  expect(check).toThrow(
    expect.objectContaining({
      kind: 'usage',
      message: `seed.yaml: ${problem}`,
      hint: 'a seed contains projects (id, mode) and flags (name, project, usage, seenApplications)',
    }),
  )
})

test('the default seed is a shop with three projects, twelve flags and three environments', () => {
  expect(checkSeed(defaultSeed, 'default')).toEqual(defaultSeed)
  const rows = defaultSeed.flags.flatMap((flag) => flag.usage)
  expect(defaultSeed.projects.map(({ id, mode }) => `${id} ${mode}`)).toEqual([
    'default open',
    'checkout protected',
    'mobile private',
  ])
  expect(defaultSeed.flags.length).toBe(12)
  expect(new Set(rows.map((row) => row.environment))).toEqual(
    new Set(['production', 'staging', 'development']),
  )
  expect(
    defaultSeed.flags.filter(({ usage }) => usage.length === 0).map(({ name }) => name),
  ).toEqual(['checkout-one-page', 'legacy-invoice-export'])
})
