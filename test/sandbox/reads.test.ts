import { describe, expect, it } from 'vitest'
import type { Seed } from '../../src/sandbox/seed.ts'
import { open, refusal } from './support.ts'

const linkTemplates = [{ title: 'Issue', urlTemplate: 'https://tracker.test/{{feature}}' }]

const seed: Seed = {
  projects: [
    {
      id: 'garden',
      name: 'The garden',
      mode: 'open',
      featureNaming: { pattern: 'garden-.+' },
      linkTemplates,
    },
  ],
  flags: [
    {
      name: 'garden-gate',
      project: 'garden',
      type: 'kill-switch',
      stale: true,
      createdAt: '2024-02-03T04:05:06Z',
      environments: [
        { name: 'production', enabled: false, lastSeenAt: '2025-01-01T00:00:00Z' },
        { name: 'test', enabled: true, lastSeenAt: null },
        { name: 'staging' },
      ],
      usage: [{ appName: 'a', environment: 'staging', hoursAgo: 5, yes: 1, no: 0 }],
    },
    { name: 'garden-pond', project: 'garden' },
  ],
  unknownFlags: [
    { name: 'garden-pont', appName: 'z', environment: 'test' },
    { name: 'garden-gato', appName: 'b', environment: 'test' },
    { name: 'garden-gato', appName: 'a', environment: 'test' },
    { name: 'garden-gato', appName: 'a', environment: 'staging' },
  ],
}
const garden = { seed, frozen: true }
const now = '2026-01-05T10:00:00.000Z'
const lastSeenAt = '2026-01-05T05:00:00.000Z'

it('the flags of a project have the values of the seed, and defaults for missing ones', async () => {
  const { read } = await open(garden)
  const unseen = { enabled: false, lastSeenAt: null }
  expect((await read('projects/garden/features')).features).toEqual([
    {
      name: 'garden-gate',
      type: 'kill-switch',
      stale: true,
      createdAt: '2024-02-03T04:05:06Z',
      lastSeenAt,
      environments: [
        { name: 'production', enabled: false, lastSeenAt: '2025-01-01T00:00:00Z' },
        { name: 'test', enabled: true, lastSeenAt: null },
        { name: 'staging', enabled: true, lastSeenAt },
      ],
    },
    {
      name: 'garden-pond',
      type: 'release',
      stale: false,
      createdAt: '2025-06-02T08:00:00.000Z',
      lastSeenAt: null,
      environments: ['production', 'staging', 'test'].map((name) => ({ name, ...unseen })),
    },
  ])
})

it('the projects and the overview of one have the values of the seed', async () => {
  const { read } = await open(garden)
  const shown = { name: 'The garden', mode: 'open' }
  expect((await read('projects')).projects).toEqual([
    {
      ...shown,
      id: 'garden',
      featureCount: 2,
      archivedAt: null,
      lastReportedFlagUsage: lastSeenAt,
    },
  ])
  expect(await read('projects/garden/overview')).toEqual({
    ...shown,
    featureNaming: { pattern: 'garden-.+', example: null, description: null },
    linkTemplates,
    environments: ['production', 'staging', 'test'].map((environment) => ({ environment })),
  })
})

it('the reports of an unknown name are in one entry', async () => {
  const { read } = await open(garden)
  const from = (appName: string, environment: string) => {
    return { appName, environments: [{ environment, seenAt: now }] }
  }
  expect((await read('metrics/unknown-flags')).unknownFlags).toEqual([
    { name: 'garden-pont', lastSeenAt: now, reports: [from('z', 'test')] },
    {
      name: 'garden-gato',
      lastSeenAt: now,
      reports: [from('b', 'test'), from('a', 'test'), from('a', 'staging')],
    },
  ])
})

describe('flags', () => {
  const flags: Seed['flags'] = [
    { name: 'parent', project: 'shop' },
    { name: 'child', project: 'shop', dependencies: [{ feature: 'parent' }] },
    { name: 'gone', project: 'shop', archived: true },
    { name: 'foreign', project: 'other', lastSeenAt: '2026-01-01T00:00:00Z' },
  ]
  const projects = ['shop', 'other'].map((id) => ({ id, mode: 'open' as const }))

  async function shop() {
    const { call, read } = await open({ seed: { projects, flags } })
    return {
      call,
      read,
      archive: (features: readonly string[], project = 'shop') => {
        const body = JSON.stringify({ features })
        return call('POST', `/api/admin/projects/${project}/archive`, { body })
      },
      async listed() {
        const { features } = await read('projects/shop/features')
        return features.map(({ name }: { name: string }) => name)
      },
    }
  }
  const accepted = { status: 202, contentType: null, body: null }

  it.each([
    [
      'parent',
      { archived: false, children: ['child'], dependencies: [], lifecycle: { stage: 'initial' } },
    ],
    ['child', { children: [], dependencies: [{ feature: 'parent' }] }],
    ['gone', { archived: true, lifecycle: { stage: 'archived' } }],
  ])('have a document, archived or not: %s', async (name, document) => {
    const { read } = await shop()
    expect(await read(`projects/shop/features/${name}`)).toMatchObject(document)
  })

  it.each(['none', 'foreign'])('have no document in another project: %s', async (name) => {
    const { call } = await shop()
    const problem = `There is no feature flag with the name ${name} in project shop`
    expect(await call('GET', `/api/admin/projects/shop/features/${name}`)).toEqual(
      refusal(404, 'NotFoundError', problem),
    )
  })

  it('are in no list but found by a search if they are archived', async () => {
    const { read, listed } = await shop()
    expect(await listed()).toEqual(['parent', 'child'])
    expect((await read('projects')).projects[0].featureCount).toBe(2)
    const search = async (query: string) => (await read(`search/features?${query}`)).features
    expect(await search('archived=IS:true&query=go')).toMatchObject([
      { name: 'gone', project: 'shop' },
    ])
    expect(await search('archived=IS:true&query=parent')).toEqual([])
    expect(await search('query=parent')).toMatchObject([{ name: 'parent' }])
  })

  it('are archived together with those that depend on them, and unknown names are accepted', async () => {
    const { archive, listed, read } = await shop()
    expect(await archive(['parent', 'child', 'gone', 'none'])).toEqual(accepted)
    expect(await listed()).toEqual([])
    expect(await read('projects/shop/features/parent')).toMatchObject({ children: [] })
  })

  it.each([
    [['parent', 'gone'], 'Other features depend on parent'],
    [['child', 'foreign'], 'Features of another project: foreign'],
  ])('are not archived together: %j', async (features, problem) => {
    const { archive, listed } = await shop()
    expect(await archive(features)).toEqual(refusal(403, 'InvalidOperationError', problem))
    expect(await listed()).toEqual(['parent', 'child'])
    expect((await archive(['parent'], 'none')).status).toBe(404)
  })
})
