import { expect, test } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve, someUsage } from '../support/server.ts'

function timers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
}

test('no timer keeps the process alive after a run', async () => {
  const server = await serve((response) => json(response, 200, someUsage))
  const timersAfterRun = async () => {
    await flagadm(['feature', 'usage', 'a', 'b'], { env: environment(server.url) })
    return timers()
  }
  // The first run leaves timers of the server behind.
  const first = await timersAfterRun()
  expect(await timersAfterRun()).toBeLessThanOrEqual(first)
})
