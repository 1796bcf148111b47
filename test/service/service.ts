import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { flagadm } from '../support/flagadm.ts'
import { headersOf, storedOf, type Target } from './cases/target.ts'

/** The real service that runs for these tests. */
export interface Service {
  url: string
  keys: Record<'admin' | 'development' | 'production', string>
  /** The options of a client of its database. */
  database: object
}

/** The real service as a target of the shared cases. */
export function realTarget(): Target {
  const { url, keys } = inject('service')
  return {
    kind: 'service',
    url,
    keys: { full: keys.admin, limited: keys.development },
    run: (argv, env) => flagadm(argv, { env }),
    stored: async () => storedOf(await read('/api/admin/projects/default/overview')),
  }
}

/**
 * Waits for the next hour if the current one ends sooner than this, because the service counts per clock hour. A timer may end a
 * little early, and applications report with their own clock, so it waits some seconds more.
 */
export async function inOneHour(milliseconds: number): Promise<void> {
  const hour = 3_600_000
  const left = hour - (Date.now() % hour)
  if (left < milliseconds) await pause(left + 5_000)
}

/** A request of the admin interface that flagadm does not make. */
export function admin(method: string, path: string, body?: unknown): Promise<Response> {
  const target = realTarget()
  return fetch(`${target.url}${path}`, {
    method,
    headers: headersOf(target),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** A document of the admin interface. */
export async function read(path: string) {
  return JSON.parse(await (await admin('GET', path)).text())
}

async function done(response: Promise<Response>): Promise<void> {
  const { ok, status, url } = await response
  if (!ok) throw new Error(`${url} returned ${status}`)
}

function featuresOf(project: string): string {
  return `/api/admin/projects/${project}/features`
}

/** Creates a project: a route of the enterprise edition. */
export async function createProject(id: string, name: string): Promise<void> {
  await done(admin('POST', '/api/admin/projects', { id, name }))
}

/** Whether the service accepts a name for a new flag. */
export async function takes(name: string): Promise<boolean> {
  const { status } = await admin('POST', featuresOf('default'), { name, type: 'release' })
  if (status === 201) return true
  if (status === 400) return false
  throw new Error(`creating ${JSON.stringify(name)} returned ${status}`)
}

/** Creates a flag that is on for a percentage of users in each environment. */
export async function createFlag(
  name: string,
  rollouts: Readonly<Record<string, number>> = {},
  project = 'default',
): Promise<void> {
  const features = featuresOf(project)
  await done(admin('POST', features, { name, type: 'release' }))
  for (const [environment, rollout] of Object.entries(rollouts)) {
    const path = `${features}/${name}/environments/${environment}`
    const parameters = { rollout: String(rollout), stickiness: 'userId', groupId: name }
    await done(admin('POST', `${path}/strategies`, { name: 'flexibleRollout', parameters }))
    await done(admin('POST', `${path}/on`))
  }
}

/** Creates a flag that was just seen. Where none was, flags are unclear. */
export async function createSeenFlag(name: string): Promise<void> {
  await createFlag(name)
  const seen = 'INSERT INTO last_seen_at_metrics (feature_name, environment, last_seen_at)'
  await query(`${seen} VALUES ($1, 'production', now())`, [name])
}

/** Removes flags, so that their names can be used again. */
export async function removeFlags(names: readonly string[]): Promise<void> {
  await done(admin('POST', '/api/admin/projects/default/archive', { features: names }))
  await done(admin('POST', '/api/admin/projects/default/delete', { features: names }))
}

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Runs SQL of review-fixture.mjs on the database of the service. */
export async function sql(work: object): Promise<string> {
  const now = new Date().toISOString()
  const argv = [path('review-fixture.mjs'), JSON.stringify({ now, ...inject('service'), ...work })]
  const { stdout } = await promisify(execFile)(path('node_modules/.bin/node'), argv)
  return stdout
}

/** The rows that SQL returns from the database of the service. */
export async function query(text: string, values: readonly unknown[] = []) {
  const { database } = inject('service')
  const argv = [path('query.mjs'), JSON.stringify({ database, text, values })]
  const options = { maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(path('node_modules/.bin/node'), argv, options)
  return JSON.parse(stdout)
}
