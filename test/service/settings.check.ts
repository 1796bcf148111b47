import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { environment, flagadm as run } from '../support/flagadm.ts'
import { hostileTexts } from '../support/hostile-settings.ts'
import { ending } from '../support/text.ts'
import { admin, createFlag, createProject, read, realTarget } from './service.ts'

const longEnough = { timeout: 180_000 }

const project = 'settings'
const rule = { pattern: 'shop-[a-z]+', example: 'shop-a', description: 'Team\nfirst' }
const linkTemplates = [
  { title: 'Issue', urlTemplate: 'https://tracker.test/{{feature}}' },
  { urlTemplate: 'https://wiki.test/{{project}}' },
]
const before = { mode: 'protected', featureNaming: rule, linkTemplates }

/** The environment that points flagadm to the real service. */
function env(): Record<string, string> {
  const { url, keys } = realTarget()
  return environment(url, keys.full)
}

/** Runs flagadm against the real service. */
function flagadm(argv: readonly string[], stdin = '') {
  return run(argv, { env: env(), stdin })
}

/** Sends settings without flagadm. */
async function store(id: string, settings: object): Promise<void> {
  expect((await admin('PUT', `/api/admin/projects/${id}/settings`, settings)).status).toBe(200)
}

/** The settings of a project as the service returns them. */
async function stored(id = project) {
  const overview = await read(`/api/admin/projects/${id}/overview`)
  const { mode, featureNaming, linkTemplates: links } = overview
  return { mode, featureNaming, linkTemplates: links }
}

/** How many changes of projects the service has recorded; other events come late. */
async function events(): Promise<number> {
  const { total } = await read('/api/admin/search/events?limit=1&type=IS:project-updated')
  expect(total).toEqual(expect.any(Number))
  return total
}

/** Changes what the database of the service accepts. */
async function changeDatabase(statement: string): Promise<void> {
  const { Client } = createRequire(import.meta.url)('pg')
  const client = new Client(inject('service').database)
  await client.connect()
  await client.query(statement)
  await client.end()
}

const set = ['project', 'settings', 'set', project]
const get = ['project', 'settings', 'get', project]

beforeAll(async () => {
  await createProject(project, 'Settings')
  for (const name of ['shop-a', 'shop-b', 'other-c']) await createFlag(name, {}, project)
})

describe('set on the real service', longEnough, () => {
  // One of the existing flags breaks each pattern.
  test.each([
    ['--mode', 'open', { mode: 'open' }],
    ['--pattern', 'shop-[a-z]+x?', { featureNaming: { ...rule, pattern: 'shop-[a-z]+x?' } }],
    ['--example', 'shop-b', { featureNaming: { ...rule, example: 'shop-b' } }],
    ['--description', 'New', { featureNaming: { ...rule, description: 'New' } }],
  ])('with %s %s loses nothing', async (option, value, changed) => {
    await store(project, before)
    const { code, stdout } = await flagadm([...set, option, value, '--json', '--yes'])
    const after = { ...before, ...changed }
    const report = { changed: true, verified: true, before, after }
    expect([code, JSON.parse(stdout)]).toMatchObject([0, report])
    expect(await stored()).toEqual(after)
  })

  test('sends nothing if nothing changes, so that there is no event', async () => {
    await store(project, before)
    const recorded = await events()
    const argv = [...set, '--pattern', rule.pattern, '--verbose']
    const { code, stdout, stderr } = await flagadm(argv)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^unchanged: /)])
    expect(stderr).not.toContain(': PUT /')
    expect([await events(), await stored()]).toEqual([recorded, before])
    // The same request without a read is an event and loses settings.
    expect((await flagadm([...argv, '--no-read'])).stderr).toContain(': PUT /')
    expect(await events()).toBe(recorded + 1)
    expect(await stored()).toEqual({
      mode: 'protected',
      featureNaming: { pattern: rule.pattern, example: null, description: null },
      linkTemplates: [],
    })
  })

  test('sends nothing to a project that does not exist', async () => {
    const recorded = await events()
    const command = ['project', 'settings', 'set', 'setings', '--mode', 'open', '--verbose']
    for (const argv of [command, [...command, '--dry-run']]) {
      const { code, stdout, stderr } = await flagadm(argv)
      expect([code, stdout]).toEqual([6, ''])
      expect(stderr).toMatch(
        /\nerror: unknown project 'setings'\nhint: the service lists: default\n$/,
      )
      expect(stderr).not.toContain(': PUT /')
    }
    expect(await events()).toBe(recorded)
  })

  test('reads back that the database refused a write', async () => {
    await store(project, before)
    await changeDatabase(
      `ALTER TABLE project_settings ADD CONSTRAINT refused CHECK (feature_naming_description <> 'refused')`,
    )
    const argv = [...set, '--mode', 'open', '--description', 'refused']
    const { code, stdout, stderr } = await flagadm(argv)
    await changeDatabase('ALTER TABLE project_settings DROP CONSTRAINT refused')
    expect({ code, stdout, stderr }).toEqual({
      code: 8,
      stdout: '',
      stderr:
        `error: project ${project}: the service accepted the request, but the settings are not as expected: mode, featureNaming.description\n` +
        'hint: someone else may have changed them at the same time; otherwise look for a database error in the log of the service\n',
    })
    expect(await stored()).toEqual(before)
  })

  test('counts the flags that a rule would reject', async () => {
    await store(project, before)
    expect(ending(await flagadm([...set, '--pattern', 'shop-[a-z]']))).toBe(
      '2 error: confirmation required: 1 of 3 existing flags breaks the new rule: other-c\nhint: run the command on a terminal, or use --yes\n',
    )
    expect(await stored()).toEqual(before)
  })
})

describe('get -o yaml | set --file - on the real service', longEnough, () => {
  test('changes nothing for any texts', async () => {
    for (const text of hostileTexts) {
      await store(project, {
        mode: 'protected',
        featureNaming: { ...rule, description: text },
        linkTemplates: [{ title: text, urlTemplate: text }, ...linkTemplates],
      })
      const hostile = await stored()
      expect(hostile.featureNaming.description).toBe(text)
      const recorded = await events()
      const { stdout: document } = await flagadm([...get, '-o', 'yaml'])
      const { code, stdout } = await flagadm([...set, '--file', '-'], document)
      expect({ text, code, stdout }).toEqual({
        text,
        code: 0,
        stdout: expect.stringMatching(/^unchanged: /),
      })
      expect([await stored(), await events()]).toEqual([hostile, recorded])
    }
  })
})

// The other tests of the service expect a project without a rule.
afterAll(() => {
  const featureNaming = { pattern: '', example: '', description: '' }
  return store('default', { mode: 'open', featureNaming, linkTemplates: [] })
})
