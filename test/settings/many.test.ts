import { describe, expect, test } from 'vitest'
import { flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const ids = Array.from({ length: 40 }, (_, index) => `p${index}`)
const document = `defaults: { mode: private }\nprojects:\n${ids.map((id) => `  ${id}:\n`).join('')}`

/** A service with 40 open projects, some of which fail until `faults` is empty. */
async function serviceOf(faults: Record<string, 'forbidden' | 'lost' | 'broken' | 'ignored'>) {
  const modes = new Map(ids.map((id) => [id, 'open']))
  const { url } = await serve((response, { method, url: path, body }) => {
    const [, id = ''] = /projects\/([^/]+)/.exec(path) ?? []
    const fault = faults[id]
    if (fault === 'lost') return json(response, 404, {})
    if (method === 'GET') return json(response, 200, { mode: modes.get(id), environments: [] })
    if (fault === 'forbidden') return json(response, 403, { message: 'no permission' })
    if (fault === 'broken') return json(response, 500, { message: 'no database' })
    if (fault !== 'ignored') modes.set(id, JSON.parse(body).mode)
    return response.writeHead(200).end()
  })
  return {
    env: { FLAGADM_BASE_URL: url, FLAGADM_API_KEY: 'k' },
    files: { 'work/a.yaml': document },
  }
}

describe('apply of 40 projects, some of which fail', () => {
  test('changes all others, and a second run the rest', async () => {
    const faults = { p3: 'forbidden', p7: 'lost', p11: 'broken', p39: 'ignored' } as const
    const remaining: Parameters<typeof serviceOf>[0] = { ...faults }
    const world = await serviceOf(remaining)
    const argv = ['project', 'settings', 'apply', '-f', 'a.yaml', '--yes', '--retries', '0']
    const first = await flagadm(argv, world)
    const summary = first.stdout.slice(first.stdout.lastIndexOf('40 projects: '))
    expect([first.code, summary.replaceAll(world.env.FLAGADM_BASE_URL, 'S')]).toEqual([
      10,
      `40 projects: 36 changed, 0 unchanged, 3 failed, 1 unknown

p3: failed
  403: no permission
p7: failed
  404: no error message from S/api/admin/projects/p7/overview (application/json)
p11: unknown
  500: no database
p39: failed
  the service returned 200, but the settings are not as expected: mode
`,
    ])
    for (const id of Object.keys(faults)) delete remaining[id]
    const second = await flagadm(argv, world)
    expect([second.code, second.stdout.split('\n').at(-2)]).toEqual([
      0,
      '40 projects: 4 changed, 36 unchanged, 0 failed',
    ])
  })
})
