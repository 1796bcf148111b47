import { expect, test } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

// No record has the environment, so the gate looks it up.
const gate = [
  ...['feature', 'usage', 'f', '--expect', 'unused', '--for', '0'],
  ...['--environment', 'staging', '--quiet'],
]

const usage = { lastHourUsage: [{ appName: 'web', environment: 'production', yes: 0, no: 0 }] }

/** A service that answers the lookup as given, and the paths of the lookup. */
async function lookup(answer: (path: string) => object | undefined) {
  const paths: string[] = []
  const { url } = await serve((response, request) => {
    if (request.url.includes('client-metrics')) return json(response, 200, usage)
    const path = request.url.replace('/api/admin', '')
    paths.push(path)
    const document = answer(path)
    return document && json(response, 200, document)
  })
  return { env: environment(url), paths }
}

test('environments are looked up in 20 projects at most', async () => {
  const projects = Array.from({ length: 21 }, (_, index) => ({ id: `p${index}` }))
  const { env, paths } = await lookup((path) =>
    path === '/projects' ? { projects } : { environments: [{ environment: 'development' }] },
  )
  const { code, stdout } = await flagadm(gate, { env })
  expect(code).toBe(9)
  expect(stdout).toContain(": unknown environment 'staging' (known: development, production)\n")
  const overviews = projects.slice(0, 20).map(({ id }) => `/projects/${id}/overview`)
  expect(paths).toEqual(['/projects', ...overviews])
})

test('an interrupted lookup ends the run', async () => {
  const interruption = new AbortController()
  const { env } = await lookup(() => {
    interruption.abort()
    return undefined
  })
  const { code, stdout, stderr } = await flagadm(gate, { env, signal: interruption.signal })
  expect([code, stdout, stderr]).toEqual([130, '', ''])
})
