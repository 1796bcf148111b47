import { describe, expect, it } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { succeed, writes } from '../support/operations.ts'
import { json, serve } from '../support/server.ts'

describe.each(writes)('%s, interrupted while the service makes the change', (_name, fixture) => {
  /** Interrupts when the write arrives, and answers it afterwards. */
  async function interruptedWrite(status: number | 'success' | 'none') {
    const interruption = new AbortController()
    const server = await serve((response, request) => {
      if (request.method !== fixture.request.method) return succeed(response, request)
      interruption.abort()
      if (status === 'none') return response.destroy()
      if (status === 'success') return succeed(response, request)
      return json(response, status, { message: 'not possible' })
    })
    const world: World = { env: environment(server.url), signal: interruption.signal }
    const { code, stdout, stderr } = await flagadm([...fixture.argv, '--retries', '0'], world)
    return { code, stdout: stdout.replaceAll(server.url, 'http://service'), stderr }
  }

  it('succeeds if the service answers', async () => {
    expect(await interruptedWrite('success')).toEqual({
      code: 0,
      stdout: fixture.done,
      stderr: '',
    })
  })

  it('reports that the service refused it', async () => {
    expect(await interruptedWrite(400)).toEqual({
      code: 130,
      stdout: '',
      stderr: `error: ${fixture.subject.text}400: not possible\n`,
    })
  })

  it.each(['none', 500] as const)(
    'reports that it may have been made after the status %s',
    async (status) => {
      const { code, stdout, stderr } = await interruptedWrite(status)
      expect([code, stdout]).toEqual([130, ''])
      expect(stderr).toMatch(
        new RegExp(
          `^error: ${fixture.subject.text}.*\nhint: .*(the change may have been made|are still the same)`,
        ),
      )
    },
  )
})

it('a change that the service stores after a failure is read back after a pause', async () => {
  let mode = 'open'
  const { url } = await serve((response, { method, url: path }) => {
    if (method !== 'GET') return json(response, 500, { message: 'busy' })
    if (path.endsWith('/overview'))
      return json(response, 200, { mode, featureNaming: {}, linkTemplates: [] })
    return json(response, 200, { projects: [{ id: 'default', name: 'D' }], features: [] })
  })
  const sleep = async () => {
    for (let turn = 0; turn < 500; turn++) await new Promise(setImmediate)
    mode = 'protected'
  }
  const argv = ['project', 'settings', 'set', 'default', '--mode', 'protected', '--retries', '0']
  const world = { env: environment(url), clock: { ...patientClock().clock, sleep } }
  const { code, stderr } = await flagadm(argv, world)
  expect([code, stderr]).toEqual([0, 'warning: 500: busy; but the settings are stored\n'])
})
