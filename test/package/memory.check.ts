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

const day = 86_400_000

/** A page of 1,000 events, each with two texts. */
function eventPage(letters: number, total: number) {
  const event = { type: 'feature-updated', createdBy: 'ada', featureName: 'x', project: 'default' }
  const text = 'a'.repeat(letters)
  const events = Array.from({ length: 1000 }, (_, n) => {
    const createdAt = new Date(Date.now() - day - n).toISOString()
    return { createdAt, ...event, data: { text }, summary: text }
  })
  return gzipSync(JSON.stringify({ events, total }))
}

const before = new Date(Date.now() - 365 * day).toISOString()
const environments = [{ name: 'production', type: 'production', enabled: false, lastSeenAt: null }]
const flag = { name: 'x', type: 'release', createdAt: before, environments }
const answers: [RegExp, unknown][] = [
  [/\/features\/x$/, { ...flag, project: 'default', dependencies: [], children: [] }],
  [/\/features$/, { version: 2, features: [flag] }],
  [/\/raw$/, { maturity: 'stable', data: [] }],
  [/\/client-metrics\/features\/x$/, { featureName: 'x', lastHourUsage: [], seenApplications: [] }],
  [/\/ui-config$/, { version: '8.2.0', flags: {} }],
  [/\/statistics$/, { previousDayMetricsBucketsCount: { variantCount: 0, enabledCount: 9 } }],
]

/** A service with one flag, whose lists of events have this page again and again. */
function serveEvents(page: Buffer) {
  return serve((response, { url }) => {
    const headers = { 'Content-Type': 'application/json' }
    const path = url.replace(/\?.*/, '')
    if (path.endsWith('/search/events')) {
      return response.writeHead(200, { ...headers, 'Content-Encoding': 'gzip' }).end(page)
    }
    const answer = answers.find(([pattern]) => pattern.test(path))
    return response.writeHead(answer ? 200 : 404, headers).end(JSON.stringify(answer?.[1] ?? {}))
  })
}

test('a review does not keep the documents of events in memory', async () => {
  // The pages of a list take 64 MB, so they do not fit into the heap.
  const { url, received } = await serveEvents(eventPage(4000, 8000))
  const env = { ...environment(url), NODE_OPTIONS: '--max-old-space-size=60' }
  const review = ['feature', 'review', 'x', '--project', 'default', '--json']
  const { code, stdout, stderr } = await ended(await start(review, env, ['ignore', 'pipe', 'pipe']))
  expect([code, stderr.includes('heap out of memory')]).toEqual([0, false])
  const pages = received.filter((request) => request.url.includes('/search/events')).length
  expect([JSON.parse(stdout).flags[0].verdict, pages]).toEqual(['unclear', 32])
})

test('the history reads 256 MB of changes, and says that there are more', async () => {
  const { url } = await serveEvents(eventPage(8000, 100_000))
  const env = { ...environment(url), NODE_OPTIONS: '--max-old-space-size=700' }
  const history = ['feature', 'history', 'x', '-o', 'markdown']
  const { code, stdout, stderr } = await ended(
    await start(history, env, ['ignore', 'pipe', 'pipe']),
  )
  expect([code, stderr.includes('heap out of memory')]).toEqual([0, false])
  expect(stdout).toContain('Incomplete: only the newest 17,000 changes were read')
})
