import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { parseDocument } from '../../src/input/document.ts'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import { type Seed, seedSchema } from '../../src/sandbox/seed.ts'
import { flagadm } from '../support/flagadm.ts'
import { call, done, put, usage, withSandbox } from './support.ts'

const row = { appName: 'a', environment: 'e', yes: 2, no: 1 }
const flag = { name: 'f', project: 'p', usage: [row], seenApplications: ['a'] }
const project = { id: 'p', mode: 'open' }

function withRow(changes: object) {
  return { projects: [project], flags: [{ ...flag, usage: [{ ...row, ...changes }] }] }
}

function withFlag(changes: object) {
  return { projects: [project], flags: [{ ...flag, ...changes }] }
}

async function seedOf(text: string): Promise<Seed> {
  return v.parse(seedSchema, await parseDocument(text, { name: 'seed.yaml', kind: 'usage' }))
}

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
  const seed = await seedOf(text)
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
  const seed = await seedOf(text)
  await withSandbox(
    async (sandbox) => {
      const { body } = await call(sandbox, 'GET', '/api/admin/projects/checkout/features')
      expect(body.features[0].environments).toEqual([
        {
          name: 'production',
          enabled: true,
          lastSeenAt: '2026-01-05T10:00:00Z',
        },
      ])
    },
    { seed, frozen: true },
  )
})

test.each([
  [null, 'expected an object'],
  [{ flags: [] }, 'projects: missing'],
  [{ projects: {}, flags: [] }, 'projects: expected Array'],
  [{ projects: [], flags: [], flag: [] }, 'flag: unknown field'],
  [{ projects: [{ mode: 'open' }], flags: [] }, 'projects[0].id: missing'],
  [
    { projects: [{ id: 'p', mode: 'shut' }], flags: [] },
    'projects[0].mode: expected ("open" | "protected" | "private")',
  ],
  [
    { projects: [{ ...project, featureNaming: { pattern: '' } }], flags: [] },
    'projects[0].featureNaming.pattern: expected a non-empty string',
  ],
  [withRow({ yes: 1.5 }), 'flags[0].usage[0].yes: expected a whole number'],
  [withRow({ no: -1 }), 'flags[0].usage[0].no: expected a non-negative number'],
  [
    withRow({ timestamp: '2026-01-05T10:00:00+01:00' }),
    'flags[0].usage[0].timestamp: expected a UTC time such as 2026-01-05T10:00:00Z',
  ],
  [withRow({ variants: ['a'] }), 'flags[0].usage[0].variants: expected an object'],
  [withRow({ variants: { a: 'x' } }), 'flags[0].usage[0].variants.a: expected number'],
  [withRow({ hoursAgo: 48 }), 'flags[0].usage[0].hoursAgo: expected at most 47'],
  [withFlag({ stale: 'no' }), 'flags[0].stale: expected boolean'],
  [withFlag({ environments: [{}] }), 'flags[0].environments[0].name: missing'],
  [withFlag({ dependencies: ['g'] }), 'flags[0].dependencies[0]: expected an object'],
])('the seed %j is refused: %s', async (seed, problem) => {
  const { code, stderr } = await flagadm(['sandbox', '--port', '0', '--seed', '-'], {
    stdin: JSON.stringify(seed),
  })
  expect([code, stderr]).toEqual([
    2,
    `error: standard input: ${problem}\n` +
      'hint: a seed contains projects (id, mode) and flags (name, project, usage, seenApplications)\n',
  ])
})

test('the default seed is a shop with three projects, twelve flags and three environments', () => {
  expect(v.parse(seedSchema, defaultSeed)).toEqual(defaultSeed)
  const rows = defaultSeed.flags.flatMap(({ usage = [] }) => usage)
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
    defaultSeed.flags.filter(({ usage = [] }) => usage.length === 0).map(({ name }) => name),
  ).toEqual(['checkout-one-page', 'legacy-invoice-export'])
})
