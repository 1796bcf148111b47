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
  const place = (name: string) => {
    const type = name === 'production' ? name : 'preproduction'
    return { name, type, variantCount: 0 }
  }
  expect((await read('projects/garden/features')).features).toEqual([
    {
      name: 'garden-gate',
      type: 'kill-switch',
      stale: true,
      createdAt: '2024-02-03T04:05:06Z',
      lastSeenAt,
      environments: [
        { ...place('production'), enabled: false, lastSeenAt: '2025-01-01T00:00:00Z' },
        { ...place('test'), enabled: true, lastSeenAt: null },
        { ...place('staging'), enabled: true, lastSeenAt },
      ],
    },
    {
      name: 'garden-pond',
      type: 'release',
      stale: false,
      createdAt: '2025-06-02T08:00:00.000Z',
      lastSeenAt: null,
      environments: ['production', 'staging', 'test'].map((name) => ({
        ...place(name),
        ...unseen,
      })),
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
  ])('have a document: %s', async (name, document) => {
    const { read } = await shop()
    expect(await read(`projects/shop/features/${name}`)).toMatchObject(document)
  })

  it.each(['none', 'foreign', 'gone'])(
    'have no document if they are archived or of another project: %s',
    async (name) => {
      const { call } = await shop()
      const problem = `There is no feature flag with the name ${name} in project shop`
      expect(await call('GET', `/api/admin/projects/shop/features/${name}`)).toEqual(
        refusal(404, 'NotFoundError', problem),
      )
    },
  )

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
    expect(await archive(['parent', 'child', 'none'])).toEqual(accepted)
    expect(await listed()).toEqual([])
    const { events, total } = await read('search/events?feature=IS_ANY_OF:parent,child&limit=2')
    const rows = events.map(({ featureName, type }: Record<string, string>) => [featureName, type])
    expect([rows, total]).toEqual([
      [
        ['child', 'feature-archived'],
        ['child', 'feature-dependencies-removed'],
      ],
      3,
    ])
  })

  it('are archived flags of a project in pages, with the time', async () => {
    const { archive, read } = await shop()
    await archive(['child'])
    const page = 'project=IS:shop&archived=IS:true&limit=1'
    const search = async (offset: number) => {
      return (await read(`search/features?${page}&offset=${offset}`)).features
    }
    expect(await search(0)).toMatchObject([
      { name: 'child', archivedAt: '2026-03-02T10:20:00.000Z' },
    ])
    expect(await search(1)).toMatchObject([
      { name: 'gone', archivedAt: '2025-06-02T08:00:00.000Z' },
    ])
    expect(await search(2)).toEqual([])
    expect((await read(`search/features?${page}`)).total).toBe(2)
  })

  it('have events since a day', async () => {
    const { archive, read } = await shop()
    await archive(['child'])
    const of = async (query: string) => (await read(`search/events?${query}`)).total
    expect(await of('from=IS:2026-03-02')).toBe(2)
    expect(await of('from=IS:2026-03-03')).toBe(0)
    expect(await of('project=IS:other')).toBe(0)
    expect(await of('type=IS:feature-archived')).toBe(1)
  })

  describe('that were archived', () => {
    const on = (name: string, strategies?: { name: string; disabled?: boolean }[]) => ({
      name,
      project: 'shop',
      environments: [
        { name: 'production', enabled: true, ...(strategies && { strategies }) },
        { name: 'staging', enabled: false },
      ],
    })

    async function revived() {
      const flags = [
        { name: 'parent', project: 'shop' },
        { ...on('child'), dependencies: [{ feature: 'parent' }] },
        on('bare', [{ name: 'default', disabled: true }]),
        { name: 'foreign', project: 'other', archived: true },
      ]
      const { call, read } = await open({ seed: { projects, flags } })
      const post = async (path: string, body: object) => {
        const { status, body: answer } = await call('POST', `/api/admin/projects/shop/${path}`, {
          body: JSON.stringify(body),
        })
        return answer === null ? status : [status, answer.name]
      }
      await post('archive', { features: ['child', 'bare'] })
      return { post, document: (name: string) => read(`projects/shop/features/${name}`) }
    }

    it('are off and without dependencies when they are revived, but keep their strategies', async () => {
      const { post, document } = await revived()
      expect(await post('revive', { features: ['child', 'bare', 'parent', 'none'] })).toBe(200)
      expect(await document('child')).toMatchObject({
        archived: false,
        dependencies: [],
        environments: [
          { name: 'production', enabled: false, strategies: [{ name: 'flexibleRollout' }] },
          { name: 'staging', enabled: false, strategies: [] },
        ],
      })
    })

    it('are refused as the service refuses them', async () => {
      const { post } = await revived()
      const on = 'bulk_features/environments/production/on'
      expect(await post('revive', { features: ['foreign'] })).toEqual([
        403,
        'InvalidOperationError',
      ])
      expect(await post(on, { features: ['child'] })).toEqual([400, 'ArchivedFeatureError'])
      expect(await post(on, { features: ['none'] })).toEqual([404, 'NotFoundError'])
      const nowhere = 'bulk_features/environments/none/on'
      expect(await post(nowhere, { features: ['parent'] })).toEqual([404, 'NotFoundError'])
      const depend = (name: string, feature: string) => {
        return post(`features/${name}/dependencies`, { feature })
      }
      expect(await depend('parent', 'child')).toEqual([403, 'InvalidOperationError'])
      expect(await depend('none', 'parent')).toEqual([404, 'NotFoundError'])
      await post('revive', { features: ['child', 'bare'] })
      expect(await depend('child', 'parent')).toBe(200)
      expect(await depend('bare', 'child')).toEqual([403, 'InvalidOperationError'])
    })

    it('get the default strategy where none is enabled when they are switched on', async () => {
      const everyone = { name: 'flexibleRollout', parameters: { rollout: '100' } }
      const { post, document } = await revived()
      await post('revive', { features: ['child', 'bare'] })
      const features = ['child', 'bare']
      expect(await post('bulk_features/environments/production/on', { features })).toBe(200)
      const strategiesOf = async (name: string) => (await document(name)).environments[0].strategies
      expect(await strategiesOf('child')).toEqual([everyone])
      expect(await strategiesOf('bare')).toEqual([{ name: 'default', disabled: true }, everyone])
    })
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
