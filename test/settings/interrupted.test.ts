import { describe, expect, test } from 'vitest'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

describe('a set that is interrupted while the service stores the settings', () => {
  /**
   * Interrupts when the write arrives. The service then stores a mode and answers, or does not answer.
   * @param isReadable whether it answers reads after the write
   */
  async function interruptedSet(argv: readonly string[], stored?: string, isReadable = true) {
    const interruption = new AbortController()
    let mode = 'open'
    const server = await serve((response, { method }) => {
      if (method === 'GET') {
        if (interruption.signal.aborted && !isReadable) return
        return json(response, 200, { mode, environments: [] })
      }
      interruption.abort()
      if (stored === undefined) return
      mode = stored
      setImmediate(() => response.writeHead(200).end())
    })
    const world: World = { env: environment(server.url), signal: interruption.signal }
    const command = ['project', 'settings', 'set', 'shop', '--mode', 'private', '--yes']
    return flagadm([...command, '--timeout', '0.5', ...argv], world)
  }

  test('succeeds if the service answers', async () => {
    const { code, stdout, stderr } = await interruptedSet(['--json'], 'private')
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ verified: true, after: { mode: 'private' } })
  })

  test('reports that the stored settings are not as expected', async () => {
    const { code, stdout, stderr } = await interruptedSet([], 'open')
    expect([code, stdout]).toEqual([130, ''])
    expect(stderr).toContain(
      'error: project shop: the service accepted the request, but the settings are not as expected: mode\n',
    )
  })

  test.each([
    ['does not answer', undefined],
    ['stores them, but cannot be read', 'private'],
  ])('reports that they may have been changed if it %s in time', async (_, stored) => {
    const { code, stdout, stderr } = await interruptedSet(['--retries', '5'], stored, false)
    expect([code, stdout]).toEqual([130, ''])
    expect(stderr).toMatch(
      /^error: project shop: .*no complete response from .*\nhint: .*; the change may have been made; flagadm project settings get shows the settings\n$/,
    )
  })
})
