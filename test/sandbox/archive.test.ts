import { expect, test } from 'vitest'
import type { Seed } from '../../src/sandbox/seed.ts'
import type { Sandbox } from '../../src/sandbox/server.ts'
import { call, refusal, withSandbox } from './support.ts'

const seed: Seed = {
  projects: [
    { id: 'shop', mode: 'open' },
    { id: 'other', mode: 'open' },
  ],
  flags: [
    { name: 'parent', project: 'shop' },
    { name: 'child', project: 'shop', dependencies: [{ feature: 'parent' }] },
    { name: 'gone', project: 'shop', archived: true },
    { name: 'foreign', project: 'other', lastSeenAt: '2026-01-01T00:00:00Z' },
  ],
}

function archive(sandbox: Sandbox, features: readonly string[], project = 'shop') {
  const body = JSON.stringify({ features })
  return call(sandbox, 'POST', `/api/admin/projects/${project}/archive`, { body })
}

async function documentOf(sandbox: Sandbox, name: string, project = 'shop') {
  return call(sandbox, 'GET', `/api/admin/projects/${project}/features/${name}`)
}

/** The parts of a flag's document that archiving concerns. */
async function stateOf(sandbox: Sandbox, name: string) {
  const { archived, children, dependencies, lifecycle } = (await documentOf(sandbox, name)).body
  return { archived, children, dependencies, stage: lifecycle.stage }
}

async function listed(sandbox: Sandbox): Promise<string[]> {
  const { body } = await call(sandbox, 'GET', '/api/admin/projects/shop/features')
  return body.features.map(({ name }: { name: string }) => name)
}

const accepted = { status: 202, contentType: null, body: null }

test('a flag document has the dependencies in both directions', () =>
  withSandbox(
    async (sandbox) => {
      expect(await stateOf(sandbox, 'parent')).toEqual({
        archived: false,
        children: ['child'],
        dependencies: [],
        stage: 'initial',
      })
      expect(await stateOf(sandbox, 'child')).toMatchObject({
        children: [],
        dependencies: [{ feature: 'parent' }],
      })
    },
    { seed },
  ))

test('a flag document can say when the flag was last seen without an environment', () =>
  withSandbox(
    async (sandbox) => {
      const { body } = await documentOf(sandbox, 'foreign', 'other')
      expect([body.lastSeenAt, body.environments[0].lastSeenAt]).toEqual([
        '2026-01-01T00:00:00Z',
        null,
      ])
    },
    { seed },
  ))

test.each([
  ['an unknown flag', 'none', 'shop'],
  ['a flag of another project', 'foreign', 'shop'],
])('there is no document of %s', (_what, name, project) =>
  withSandbox(
    async (sandbox) => {
      expect(await documentOf(sandbox, name, project)).toEqual(
        refusal(
          404,
          'NotFoundError',
          `There is no feature flag with the name ${name} in project ${project}`,
        ),
      )
    },
    { seed },
  ),
)

test('an archived flag has a document and is in no list', () =>
  withSandbox(
    async (sandbox) => {
      expect(await stateOf(sandbox, 'gone')).toMatchObject({ archived: true, stage: 'archived' })
      expect(await listed(sandbox)).toEqual(['parent', 'child'])
      const { body } = await call(sandbox, 'GET', '/api/admin/projects')
      expect(body.projects[0].featureCount).toBe(2)
    },
    { seed },
  ))

test('an archived flag is found by a search', () =>
  withSandbox(
    async (sandbox) => {
      const search = async (query: string) => {
        const { body } = await call(sandbox, 'GET', `/api/admin/search/features?${query}`)
        return body.features.map(({ name, project }: Record<string, string>) => [name, project])
      }
      expect(await search('archived=IS:true&query=go')).toEqual([['gone', 'shop']])
      expect(await search('archived=IS:true&query=parent')).toEqual([])
      expect(await search('query=parent')).toEqual([['parent', 'shop']])
    },
    { seed },
  ))

test('flags are archived with the flags that depend on them, and names that do not exist are accepted', () =>
  withSandbox(
    async (sandbox) => {
      expect(await archive(sandbox, ['parent', 'child', 'gone', 'none'])).toEqual(accepted)
      expect(await stateOf(sandbox, 'parent')).toMatchObject({ archived: true, children: [] })
      expect(await listed(sandbox)).toEqual([])
    },
    { seed },
  ))

test('a flag on which another depends is refused with all others', () =>
  withSandbox(
    async (sandbox) => {
      expect(await archive(sandbox, ['parent', 'gone'])).toEqual(
        refusal(403, 'InvalidOperationError', 'Other features depend on parent'),
      )
      expect(await listed(sandbox)).toEqual(['parent', 'child'])
      expect(await archive(sandbox, ['child'])).toEqual(accepted)
      expect(await archive(sandbox, ['parent'])).toEqual(accepted)
    },
    { seed },
  ))

test('a flag of another project is refused', () =>
  withSandbox(
    async (sandbox) => {
      expect(await archive(sandbox, ['foreign'])).toEqual(
        refusal(403, 'InvalidOperationError', 'Features of another project: foreign'),
      )
    },
    { seed },
  ))

test('an unknown project is a 404', () =>
  withSandbox(
    async (sandbox) => {
      expect((await archive(sandbox, ['parent'], 'none')).status).toBe(404)
    },
    { seed },
  ))
