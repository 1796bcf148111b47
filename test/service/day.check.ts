import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, request as send, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { ended, start } from '../support/binary.ts'
import { environment, makeFolder } from '../support/flagadm.ts'
import { admin, createProject, realTarget } from './service.ts'

// A day's work with 25 projects, through a proxy that fails in the middle of writes. After each step, what the service
// stores is compared with what flagadm reported.

const ids = Array.from({ length: 25 }, (_, index) => `day-${String(index).padStart(2, '0')}`)
const timeout = 180_000

/** What the proxy does with a write. */
type Fault = 'none' | '502 before' | '502 after' | 'cut before' | 'cut after' | '502, stored later'

const proxy = { fault: (_id: string): Fault => 'none', onWrite: (_id: string) => {}, url: '' }

const server = createServer(async (incoming, outgoing) => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const { method = 'GET', url = '', headers } = incoming
  const [, id = ''] = /projects\/([^/]+)/.exec(url) ?? []
  const fault = method === 'PUT' ? proxy.fault(id) : 'none'
  if (method === 'PUT') proxy.onWrite(id)
  const forward = async () => {
    const upstream = send(new URL(url, realTarget().url), { method, headers })
    upstream.end(Buffer.concat(chunks))
    const [response] = await once(upstream, 'response')
    const body: Buffer[] = []
    for await (const chunk of response) body.push(chunk)
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(body) }
  }
  const fail = (response: ServerResponse) =>
    fault.startsWith('502') ? response.writeHead(502).end('<p>Bad gateway</p>') : response.destroy()
  if (fault.endsWith('before')) return fail(outgoing)
  if (fault.endsWith('later')) {
    setTimeout(forward, 500)
    return fail(outgoing)
  }
  const { status, headers: sent, body } = await forward()
  if (fault !== 'none') return fail(outgoing)
  return outgoing.writeHead(status, sent).end(body)
})

const settings = ['project', 'settings']
const folder = makeFolder()

/** Runs the built flagadm through the proxy; interrupts it when a write of this project arrives. */
async function flagadm(argv: readonly string[], interruptAt?: string) {
  const { keys } = realTarget()
  const env = environment(proxy.url, keys.full)
  const child = await start([...argv, '--retries', '0'], env, 'pipe', { cwd: folder })
  proxy.onWrite = (id) => {
    if (id === interruptAt) child.kill('SIGINT')
  }
  child.stdin?.end()
  return ended(child)
}

/** What the database of the service has stored, by project. */
async function database() {
  const { Client } = createRequire(import.meta.url)('pg')
  const client = new Client(inject('service').database)
  await client.connect()
  const columns = ['pattern', 'example', 'description'].map(
    (name) => `COALESCE(feature_naming_${name}, '') AS ${name}`,
  )
  const { rows } = await client.query(
    `SELECT project, project_mode, link_templates, ${columns} FROM project_settings
     WHERE project LIKE 'day-%' ORDER BY project`,
  )
  await client.end()
  const stored = new Map<string, object>()
  for (const { project, project_mode: mode, link_templates: linkTemplates, ...rule } of rows) {
    stored.set(project, { mode, featureNaming: rule, linkTemplates })
  }
  return stored
}

const pattern = (id: string) => `${id}-[a-z0-9-]+`
const documents = `defaults:
  mode: protected
  featureNaming:
    pattern: '{project}-[a-z0-9-]+'
    example: '{project}-new'
projects:
${ids.map((id) => `  ${id}:\n`).join('')}`
const wanted = (id: string) => ({
  mode: 'protected',
  featureNaming: { pattern: pattern(id), example: `${id}-new`, description: '' },
  linkTemplates: [{ title: 'Issue', urlTemplate: 'https://tracker.test/{{feature}}' }],
})
const initial = {
  mode: 'open',
  featureNaming: { pattern: '', example: '', description: '' },
  linkTemplates: wanted('').linkTemplates,
}

/** The projects with each status of a run, from its JSON lines. */
function statuses(stdout: string): Map<string, string> {
  const lines = stdout.trim().split('\n')
  return new Map(lines.map((line) => JSON.parse(line)).map((one) => [one.projectId, one.status]))
}

/** Compares a run with the database: what it calls changed or unchanged is stored, and nothing else is. */
async function expectAgreement(stdout: string) {
  const stored = await database()
  const reported = statuses(stdout)
  const real = ids.map((id) => {
    const isWanted = JSON.stringify(stored.get(id)) === JSON.stringify(wanted(id))
    return [id, isWanted ? 'as wanted' : 'as before']
  })
  const words = ids.map((id) => {
    const status = reported.get(id) ?? ''
    return [id, ['changed', 'unchanged'].includes(status) ? 'as wanted' : 'as before']
  })
  expect(words).toEqual(real)
  const others = ids.filter(
    (id) => reported.get(id) !== 'changed' && reported.get(id) !== 'unchanged',
  )
  for (const id of others) expect([id, stored.get(id)]).toEqual([id, initial])
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  proxy.url = `http://127.0.0.1:${port}`
  for (const id of ids) await createProject(id, id)
}, timeout)

beforeEach(async () => {
  proxy.fault = () => 'none'
  for (const id of ids) {
    expect((await admin('PUT', `/api/admin/projects/${id}/settings`, initial)).status).toBe(200)
  }
}, timeout)

afterAll(() => {
  server.close()
})

async function applyDocuments(interruptAt?: string) {
  await writeFile(join(folder, 'a.yaml'), documents)
  return flagadm([...settings, 'apply', '-f', 'a.yaml', '--yes', '--json'], interruptAt)
}

describe('a rule for 25 projects', { timeout }, () => {
  test('is applied, kept, and undone', async () => {
    await writeFile(join(folder, 'a.yaml'), documents)
    const plan = await flagadm([...settings, 'plan', '-f', 'a.yaml', '--save', 'plan.json'])
    expect(plan).toMatchObject({ code: 0, stderr: '' })
    const argv = [...settings, 'apply', '--plan', 'plan.json', '--yes', '--json']
    const applied = await flagadm([...argv, '--save-before', 'before.yaml'])
    expect(applied).toMatchObject({
      code: 0,
      stderr:
        '{"note":{"message":"undo with: flagadm project settings apply --plan before.yaml"}}\n',
    })
    await expectAgreement(applied.stdout)
    expect(new Set(statuses(applied.stdout).values())).toEqual(new Set(['changed']))
    const strict = [...settings, 'plan', '-f', 'a.yaml', '--fail-on-change']
    expect((await flagadm(strict)).code).toBe(0)
    const undone = await flagadm([...settings, 'apply', '--plan', 'before.yaml', '--yes'])
    expect(undone).toMatchObject({ code: 0, stderr: '' })
    expect([...(await database()).values()]).toEqual(ids.map(() => initial))
  })

  test('does not overwrite what others changed meanwhile', async () => {
    await writeFile(join(folder, 'a.yaml'), documents)
    await flagadm([...settings, 'plan', '-f', 'a.yaml', '--save', 'plan.json'])
    const others = ['day-03', 'day-17']
    for (const id of others) {
      const body = { ...initial, mode: 'private' }
      await admin('PUT', `/api/admin/projects/${id}/settings`, body)
    }
    const argv = [...settings, 'apply', '--plan', 'plan.json', '--yes', '--json']
    const { code, stdout } = await flagadm(argv)
    expect(code).toBe(10)
    const stored = await database()
    for (const [id, status] of statuses(stdout)) {
      const isOther = others.includes(id)
      expect([id, status]).toEqual([id, isOther ? 'failed' : 'changed'])
      expect(stored.get(id)).toEqual(isOther ? { ...initial, mode: 'private' } : wanted(id))
    }
    expect((await flagadm(argv)).code).toBe(9)
  })

  test('is finished or reported after Ctrl-C', async () => {
    const { code, stdout, stderr } = await applyDocuments('day-11')
    expect(code).toBe(130)
    await expectAgreement(stdout)
    const inOrder = [...statuses(stdout).values()]
    expect(inOrder[11]).toBe('changed')
    expect(inOrder[12]).toBe('skipped')
    expect(inOrder[24]).toBe('skipped')
    expect(stderr).toContain('25 projects: 12 changed, 0 unchanged, 0 failed, 13 skipped')
    const last = await applyDocuments('day-24')
    expect(last).toMatchObject({ code: 0, stderr: '' })
    await expectAgreement(last.stdout)
  })

  test.each([
    ['502 before', 'failed'],
    ['502 after', 'changed'],
    ['cut before', 'failed'],
    ['cut after', 'changed'],
    ['502, stored later', 'changed'],
  ] as const)('is what was reported after %s', async (fault, status) => {
    const failing = ['day-02', 'day-20']
    proxy.fault = (id) => (failing.includes(id) ? fault : 'none')
    const { code, stdout, stderr } = await applyDocuments()
    expect(code).toBe(status === 'changed' ? 0 : 10)
    const warnings = failing.map(
      (id) => `{"warning":{"message":"project ${id}: .*; but the settings are stored"}}\n`,
    )
    expect(stderr).toMatch(status === 'changed' ? RegExp(`^${warnings.join('')}$`) : /2 of 25/)
    for (const id of failing) expect([id, statuses(stdout).get(id)]).toEqual([id, status])
    await expectAgreement(stdout)
    proxy.fault = () => 'none'
    const again = await applyDocuments()
    expect(again).toMatchObject({ code: 0, stderr: '' })
    await expectAgreement(again.stdout)
  })

  test('is what was reported after Ctrl-C while the proxy cuts the connection', async () => {
    proxy.fault = (id) => (id === 'day-05' ? 'cut after' : 'none')
    const { code, stdout } = await applyDocuments('day-05')
    expect([code, statuses(stdout).get('day-05')]).toEqual([130, 'changed'])
    await expectAgreement(stdout)
  })
})

describe('one project', { timeout }, () => {
  const set = [...settings, 'set', 'day-00', '--mode', 'private', '--yes', '--json']

  test.each([
    ['502 after', 0, 'private'],
    ['cut before', 8, 'open'],
    ['cut after', 0, 'private'],
    ['502, stored later', 0, 'private'],
  ] as const)('is what was reported after %s', async (fault, exit, mode) => {
    proxy.fault = () => fault
    const { code, stdout } = await flagadm(set)
    expect([code, JSON.parse(stdout).after.mode]).toEqual([exit, mode])
    expect((await database()).get('day-00')).toEqual({ ...initial, mode })
  })
})
