import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ended, start } from '../support/binary.ts'
import { environment } from '../support/flagadm.ts'
import { serve } from '../support/server.ts'

// All documents and their text take about 75 MB, so they do not fit into the heap.
const record = { environment: 'production', timestamp: '2026-11-20T16:00:00.000Z', yes: 0, no: 0 }
const records = Array.from({ length: 10_000 }, (_, n) =>
  JSON.stringify({ appName: `application-${n}`, ...record, variants: {} }),
)
const body = gzipSync(`{"lastHourUsage":[${records.join(',')}],"seenApplications":["web"]}`)
const flags = Array.from({ length: 15 }, (_, n) => `flag-${n}`)
const argv = ['feature', 'usage', ...flags, '--concurrency', '2', '--timeout', '60s']

test('the usage of many flags does not keep whole documents in memory', async () => {
  const { url } = await serve((response) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .end(body),
  )
  const env = { ...environment(url), NODE_OPTIONS: '--max-old-space-size=60' }
  const child = await start([...argv, '--app', 'application-7'], env, ['ignore', 'ignore', 'pipe'])
  const { code, stderr } = await ended(child)
  expect([code, stderr.includes('heap out of memory')]).toEqual([0, false])
})
