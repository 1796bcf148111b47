import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ended, start } from '../support/binary.ts'
import { environment } from '../support/flagadm.ts'
import { serve } from '../support/server.ts'

// Each document takes about 15 MB once it is parsed, so ten do not fit into the heap.
const record = { environment: 'production', timestamp: '2026-11-20T16:00:00.000Z', yes: 0, no: 0 }
const records = Array.from({ length: 25_000 }, (_, n) =>
  JSON.stringify({ appName: `application-${n}`, ...record, variants: {} }),
)
const body = gzipSync(`{"lastHourUsage":[${records.join(',')}],"seenApplications":["web"]}`)
const flags = Array.from({ length: 10 }, (_, n) => `flag-${n}`)
const argv = ['feature', 'usage', ...flags, '--concurrency', '2', '--timeout', '60s']

test.each([['--expect'], ['--watch']])(
  '%s does not keep whole documents in memory',
  async (mode) => {
    const { url } = await serve((response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .end(body),
    )
    const env = { ...environment(url), NODE_OPTIONS: '--max-old-space-size=100' }
    const options = mode === '--expect' ? ['unused'] : ['--count', '1', '--app', 'none']
    const { code, stderr } = await ended(await start([...argv, mode, ...options], env))
    expect([code, stderr.includes('heap out of memory')]).toEqual([0, false])
  },
  120_000,
)

test.each(['csv'])(
  '-o %s keeps no documents of 15 MiB in memory',
  async (format) => {
    const { url } = await serve((response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .end(body),
    )
    const env = { ...environment(url), NODE_OPTIONS: '--max-old-space-size=400' }
    const child = await start([...argv, '-o', format], env, ['ignore', 'ignore', 'pipe'])
    const { code, stderr } = await ended(child)
    expect([code, stderr]).toEqual([0, ''])
  },
  120_000,
)
