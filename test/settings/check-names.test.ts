import { describe, expect, test } from 'vitest'
import type { Seed } from '../../src/sandbox/seed.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { anonymous, sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'

const flagsOf = (project: string, ...names: string[]) =>
  names.map((name) => ({ name, project, usage: [], seenApplications: [] }))

const seed: Seed = {
  projects: [
    { id: 'mail', mode: 'open', featureNaming: { pattern: 'mail-[a-z]+' } },
    { id: 'search', mode: 'open', featureNaming: { pattern: 'search-[a-z]+' } },
    { id: 'shop', mode: 'open', featureNaming: { pattern: 'shop-[a-z]+' } },
    { id: 'plain', mode: 'open' },
    { id: 'other', mode: 'open' },
  ],
  flags: [
    ...flagsOf('mail', 'mail-a', 'a', 'b', 'c', 'd', 'e', 'f'),
    ...flagsOf('search', 'search-a'),
    ...flagsOf('shop', 'shop-a', 'cart'),
    ...flagsOf('plain', 'Any'),
  ],
}

const document = `projects:
  mail: {mode: open, featureNaming: {pattern: 'mail-[a-z]+'}}
  search: {mode: private}
  shop: {mode: open, featureNaming: {pattern: '(shop|cart)(-[a-z]+)?'}}
  plain: {mode: open}
`

/** Runs a plan with `--check-names`. */
async function plan(...argv: string[]) {
  const sandbox = await sandboxOf([], { seed })
  const world = { env: sandbox.env, files: { 'work/a.yaml': document } }
  const command = ['project', 'settings', 'plan', '-f', 'a.yaml', '--check-names']
  return anonymous(sandbox, await flagadm([...command, ...argv], world))
}

describe('plan --check-names', () => {
  test('reports projects that differ and those whose flags break the rule, declared or stored', async () => {
    const { code, stdout, stderr } = await plan('--strict', '--fail-on-change')
    expect([code, stderr]).toEqual([
      9,
      'error: 2 of 4 projects would change; 1 of 4 projects not fully declared; 1 other project not declared; 1 of 4 projects with flags that break the rule\n',
    ])
    expect(stdout).toBe(`Plan for S

mail: unchanged; 6 of 7 existing flags break it: a, b, c and 3 more
search: would change; not declared: featureNaming.pattern
  mode         open → private (only its members will see it)
shop: would change
  pattern      shop-[a-z]+ → (shop|cart)(-[a-z]+)? (wider)
other: not declared

4 projects: 2 would change, 2 unchanged
`)
  })

  test('exits with 9 only for flags that break the rule', async () => {
    const { code, stderr } = await plan()
    expect([code, stderr]).toEqual([9, 'error: 1 of 4 projects with flags that break the rule\n'])
  })

  test('has the names in JSON', async () => {
    const { projects, summary } = JSON.parse((await plan('--json')).stdout)
    expect([projects[0].rule, projects[1].rule, projects[3], summary]).toEqual([
      { flags: 7, breaking: ['a', 'b', 'c', 'd', 'e', 'f'] },
      { flags: 1, breaking: [] },
      { projectId: 'plain', status: 'unchanged', changes: [] },
      { changed: 2, unchanged: 2, missing: 0, failed: 0, breaking: 1 },
    ])
  })

  test('is inconclusive if the service does not list flags', async () => {
    const { url } = await serve((response, request) => {
      const isOverview = request.url === '/api/admin/projects/mail/overview'
      const overview = { mode: 'open', featureNaming: { pattern: 'mail-[a-z]+' } }
      return isOverview ? json(response, 200, overview) : json(response, 404, {})
    })
    const argv = ['project', 'settings', 'plan', '-f', 'a.yaml', '--check-names']
    const world = { env: environment(url), files: { 'work/a.yaml': 'projects: {mail: {}}\n' } }
    const { code, stdout, stderr } = await flagadm(argv, world)
    expect([code, stdout.replaceAll(url, 'S'), stderr]).toEqual([
      9,
      `Plan for S

mail: unchanged; the existing flags are not known

1 project: 0 would change, 1 unchanged
`,
      'error: 1 of 1 project whose flags could not be checked\n',
    ])
  })
})
