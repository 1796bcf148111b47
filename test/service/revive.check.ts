// archive → revive on the real service: what flags have is as before, also after a run that was interrupted.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { relay } from '../support/relay.ts'
import { admin, createFlag, createProject, read } from './service.ts'

const project = 'revival'
const path = `/api/admin/projects/${project}`
const environments = ['development', 'production']
const longEnough = { timeout: 180_000 }

const names = Array.from({ length: 20 }, (_, index) => `revival-${String(index).padStart(2, '0')}`)
const [parent = '', child = '', other = ''] = names

/** The rollout of each flag, by environment: none, one or both. */
function rolloutsOf(index: number): Record<string, number> {
  const on = environments.filter((_, bit) => (index >> bit) & 1)
  return Object.fromEntries(on.map((name) => [name, 10 * (index % 10)]))
}

async function change(method: string, url: string, body?: unknown): Promise<void> {
  const { ok, status } = await admin(method, `${path}/${url}`, body)
  if (!ok) throw new Error(`${url} returned ${status}`)
}

// The times and the stage of the lifecycle are new after a revival; strategies may have another order of fields.
const changing = new Set(['createdAt', 'lastSeenAt', 'lifecycle', 'enteredStageAt'])

function comparable(document: object): unknown {
  const text = JSON.stringify(document, (key, value) => (changing.has(key) ? undefined : value))
  return JSON.parse(text)
}

/** The documents of the flags. */
async function documents() {
  const all = await Promise.all(names.map((name) => read(`${path}/features/${name}`)))
  return all.map(comparable)
}

/** What an SDK gets, in each environment. */
async function answers() {
  const { url, keys } = inject('service')
  const all = await Promise.all(
    [keys.development, keys.production].map(async (key) => {
      const headers = { Authorization: key }
      const response = await fetch(`${url}/api/client/features?namePrefix=revival-`, { headers })
      const { features }: { features: { name: string }[] } = JSON.parse(await response.text())
      return features.map(comparable)
    }),
  )
  return all.map((features) => features.map((one) => JSON.stringify(one)).sort())
}

beforeAll(async () => {
  await createProject(project, 'Revival')
  for (const [index, name] of names.entries()) await createFlag(name, rolloutsOf(index), project)
  await change('POST', `features/${child}/dependencies`, { feature: parent })
  await change('POST', `features/${other}/dependencies`, { feature: parent, enabled: false })
}, longEnough.timeout)

function environmentOfService() {
  const { url, keys } = inject('service')
  return environment(url, keys.admin)
}

const archiving = ['feature', 'archive', '--project', project, '--force', '--yes']
const saving = ['--save-before', 'archived.yaml']
const reviving = ['feature', 'revive', '-f', 'archived.yaml', '--yes']

/** Archives flags; returns the files for `revive`. */
async function archive(flags: readonly string[], env: Record<string, string>) {
  // The file has the time of the service to a second, and what happens in it counts as a change since.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const { code, folder, stderr } = await flagadm([...archiving, ...flags, ...saving], { env })
  expect(code, stderr).toBe(0)
  return { 'work/archived.yaml': readFileSync(join(folder, 'work/archived.yaml'), 'utf8') }
}

describe('archive → revive on the real service', longEnough, () => {
  // The revival, two dependencies and two environments.
  test.each([1, 2, 3, 4, 5])('restores 20 flags, interrupted after request %i', async (last) => {
    const before = { documents: await documents(), answers: await answers() }
    const interruption = new AbortController()
    let sent = 0
    const { url } = await relay(inject('service').url, ({ method, url: asked }) => {
      const isStep = method === 'POST' && !asked.endsWith('/archive')
      if (isStep && ++sent === last) interruption.abort()
      return undefined
    })
    const env = environment(url, inject('service').keys.admin)
    const files = await archive(names, env)
    const first = await flagadm(reviving, { env, files, signal: interruption.signal })
    expect([first.code, sent]).toEqual([last === 5 ? 0 : 130, last])
    const second = await flagadm(reviving, { env, files })
    expect([second.code, second.stderr, sent]).toEqual([0, '', 5])
    expect(await documents()).toEqual(before.documents)
    await expect.poll(answers, { timeout: 20_000 }).toEqual(before.answers)
  })

  test('adds no strategy to a flag without an enabled one', async () => {
    const name = 'stripped'
    await createFlag(name, { development: 100 }, project)
    const strategies = `features/${name}/environments/development/strategies`
    const [strategy] = await read(`${path}/${strategies}`)
    await change('PUT', `${strategies}/${strategy.id}`, { ...strategy, disabled: true })
    const files = await archive([name], environmentOfService())
    expect(files['work/archived.yaml']).toContain('    environments: []\n')
    const { code } = await flagadm(reviving, { env: environmentOfService(), files })
    // With its last strategy, Unleash has switched the environment off.
    expect(code).toBe(0)
    const { environments: states } = await read(`${path}/features/${name}`)
    expect(states).toMatchObject([
      { name: 'development', enabled: false, strategies: [{ id: strategy.id, disabled: true }] },
      { name: 'production', enabled: false, strategies: [] },
    ])
  })
})
