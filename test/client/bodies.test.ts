import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const MIB = 1024 * 1024

/** A usage document of this many bytes. */
function documentOf(bytes: number): string {
  const [start, end] = ['{"lastHourUsage":[],"unknown":"', '"}']
  return start.padEnd(bytes - end.length, 'a') + end
}

test('a body of 32 MiB is read', async () => {
  const server = await serve((response) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': ' GZIP' })
      .end(gzipSync(documentOf(32 * MIB))),
  )
  const { code, stderr } = await flagadm(['feature', 'usage', 'f'], {
    env: environment(server.url),
  })
  expect([code, stderr]).toEqual([0, ''])
})

test('large bodies of concurrent requests are all read', async () => {
  const text = documentOf(3 * MIB)
  const server = await serve((response) => json(response, 200, text))
  const argv = ['feature', 'usage', 'a', 'b', 'c', 'd', 'e', '--json']
  const { code, stdout } = await flagadm(argv, { env: environment(server.url) })
  expect([code, stdout]).toEqual([0, `${text}\n`.repeat(5)])
})
