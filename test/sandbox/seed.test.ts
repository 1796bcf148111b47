import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { parseDocument } from '../../src/input/document.ts'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import { seedSchema } from '../../src/sandbox/seed.ts'
import { flagadm } from '../support/flagadm.ts'
import { ending } from '../support/text.ts'
import { open } from './support.ts'

const row = { appName: 'a', environment: 'e', yes: 2, no: 1 }
const flag = { name: 'f', project: 'p', usage: [row], seenApplications: ['a'] }
const project = { id: 'p', mode: 'open' }
const withProject = (changes: object) => ({ projects: [{ ...project, ...changes }], flags: [] })
const withFlag = (changes: object) => ({ projects: [project], flags: [{ ...flag, ...changes }] })
const withRow = (changes: object) => withFlag({ usage: [{ ...row, ...changes }] })

it('the seed file in docs/sandbox.md has every field and is valid', async () => {
  const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')
  const [, text = ''] = /```yaml\n#.*\n(projects:\n[\s\S]*?)```/.exec(page) ?? []
  const seed = v.parse(seedSchema, await parseDocument(text, { name: 'seed.yaml', kind: 'usage' }))
  const sandbox = await open({ seed, frozen: true })
  expect(sandbox.project('default')).toBeUndefined()
  const { features } = await sandbox.read('projects/checkout/features')
  expect(features[0].environments).toEqual([
    {
      name: 'production',
      type: 'production',
      variantCount: 0,
      enabled: true,
      lastSeenAt: '2026-01-05T10:00:00Z',
    },
  ])
})

it('the default seed is valid', () => {
  expect(v.parse(seedSchema, defaultSeed)).toEqual(defaultSeed)
})

it.each([
  [{ projects: [], flags: [], flag: [] }, 'flag: unknown field'],
  [withProject({ mode: 'shut' }), 'projects[0].mode: expected "open" or "protected" or "private"'],
  [
    withProject({ featureNaming: { pattern: '' } }),
    'projects[0].featureNaming.pattern: expected a non-empty string',
  ],
  [withRow({ yes: 1.5 }), 'flags[0].usage[0].yes: expected a whole number'],
  [
    withRow({ timestamp: '2026-01-05T10:00:00+01:00' }),
    'flags[0].usage[0].timestamp: expected a UTC time such as 2026-01-05T10:00:00Z',
  ],
  [withRow({ hoursAgo: 48 }), 'flags[0].usage[0].hoursAgo: expected at most 47'],
])('the seed %j is refused: %s', async (seed, problem) => {
  const argv = ['sandbox', '--port', '0', '--seed', '-']
  const stop = new AbortController()
  const outcome = await flagadm(argv, {
    stdin: JSON.stringify(seed),
    signal: stop.signal,
    // A seed that is accepted is served until a signal.
    onOutput: () => stop.abort(),
  })
  expect(ending(outcome)).toBe(
    `2 error: standard input: ${problem}\nhint: a seed contains projects (id, mode) and flags (name, project, usage, seenApplications)\n`,
  )
})
