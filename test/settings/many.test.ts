import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/host.ts'
import { flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const ids = Array.from({ length: 40 }, (_, index) => `p${String(index).padStart(2, '0')}`)
const document = `defaults: { mode: private }\nprojects:\n${ids.map((id) => `  ${id}:\n`).join('')}`

type Answer = (response: ServerResponse) => unknown

const error = (status: number, name: string, message: string): Answer => {
  return (response) => json(response, status, { name, message })
}

const page: Answer = (response) =>
  response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Log in</p>')

/** The answer of the service to a change, by project. */
const faults: Record<string, Answer> = {
  p03: error(403, 'NoAccessError', 'You need permission=PROJECT_WRITE to perform this action'),
  p05: error(403, 'NoAccessError', 'You need permission=PROJECT_WRITE to perform this action'),
  p07: error(404, 'NotFoundError', 'No project found'),
  p13: (response) => response.socket?.destroy(),
  p15: page,
  p39: (response) => response.writeHead(200).end(),
}

const causes = `p03, p05: failed: 403 NoAccessError: You need permission=PROJECT_WRITE to perform this action; use a key that has this permission
p07: failed: 404 NotFoundError: No project found; this service or its edition has no operation that changes settings of projects
p13: failed: S: the connection was closed before the response was complete; check the address and that the service is up; the settings are still the same
p15: failed: S/api/admin/projects/…/settings returned an HTML page instead of an empty body; check that this is the address of the service and not of a proxy or a login page; the settings are still the same
p39: failed: the service accepted the request, but the settings are not as expected: mode; someone else may have changed them at the same time; otherwise look for a database error in the log of the service
`

/** A service with 40 open projects, some of which cannot be changed until `remaining` is empty. */
async function serviceOf(remaining: Record<string, Answer>) {
  const modes = new Map(ids.map((id) => [id, 'open']))
  const { url } = await serve((response, { method, url: path, body }) => {
    const [, id = ''] = /projects\/([^/]+)/.exec(path) ?? []
    if (method === 'GET') return json(response, 200, { mode: modes.get(id), environments: [] })
    const fault = remaining[id]
    if (fault) return fault(response)
    modes.set(id, JSON.parse(body).mode)
    return response.writeHead(200).end()
  })
  return {
    env: { FLAGADM_BASE_URL: url, FLAGADM_API_KEY: 'k' },
    files: { 'work/a.yaml': document },
    clock: { ...systemClock, sleep: async () => {} },
  }
}

const apply = ['project', 'settings', 'apply', '-f', 'a.yaml', '--yes', '--retries', '0']

describe('apply of 40 projects, some of which fail', () => {
  test('changes all others, reports each cause with a hint, and a second run changes the rest', async () => {
    const remaining = { ...faults }
    const world = await serviceOf(remaining)
    const { code, stdout, stderr } = await flagadm(apply, world)
    const summary = stdout.slice(stdout.indexOf('p03, p05: failed'))
    expect([code, summary.replaceAll(world.env.FLAGADM_BASE_URL, 'S'), stderr]).toEqual([
      10,
      `${causes}40 projects: 34 changed, 0 unchanged, 6 failed\n`,
      'error: 6 of 40 projects failed\nhint: correct the cause and run apply again; it skips what is done\n',
    ])
    for (const id of Object.keys(faults)) delete remaining[id]
    const second = await flagadm(apply, world)
    expect([second.code, second.stdout.split('\n').at(-2)]).toEqual([
      0,
      '40 projects: 6 changed, 34 unchanged, 0 failed',
    ])
  })
})
