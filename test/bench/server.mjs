import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'

/** A usage document with `records` records. */
function usage(flag, records) {
  const lastHourUsage = Array.from({ length: records }, (_, index) => ({
    featureName: flag,
    appName: `application-${index % 1000}`,
    environment: `environment-${Math.floor(index / 1000)}`,
    timestamp: '2026-11-20T16:00:00.000Z',
    yes: index * 7,
    no: index * 3,
    variants: { blue: index * 4, red: index * 3 },
  }))
  const document = { version: 1, maturity: 'stable', featureName: flag, lastHourUsage }
  return JSON.stringify({ ...document, seenApplications: ['application-0'] })
}

const HOUR = 3_600_000
const now = Date.parse('2026-11-20T16:00:00Z')

/** Hourly usage by 10 applications in 2 environments. */
function hourly(flag, hours) {
  const data = Array.from({ length: hours * 20 }, (_, index) => ({
    featureName: flag,
    appName: `application-${index % 10}`,
    environment: index % 20 < 10 ? 'development' : 'production',
    timestamp: new Date(now - (hours - 1 - Math.floor(index / 20)) * HOUR).toISOString(),
    yes: index * 7,
    no: index * 3,
    variants: { blue: index * 4, red: index * 3 },
  }))
  return JSON.stringify({ version: 1, maturity: 'stable', data })
}

const project = {
  overview: JSON.stringify({ environments: [{ environment: 'production' }] }),
  features: JSON.stringify({
    version: 2,
    features: Array.from({ length: 300 }, (_, index) => ({
      name: `flag-${index + 1}`,
      type: 'release',
      stale: false,
      createdAt: '2026-11-20T16:00:00.000Z',
      environments: [{ name: 'production', enabled: true, lastSeenAt: null }],
    })),
  }),
}

// A flag called `records-N` has N records; any other flag has ten.
function documentOf(url) {
  const [, what] = /^\/api\/admin\/projects\/[^/]+\/(\w+)$/.exec(url) ?? []
  if (what !== undefined) return project[what]
  const [, flag, hours] = /\/features\/([^/]+)(?:\/raw\?hoursBack=(\d+))?$/.exec(url)
  if (hours !== undefined) return hourly(flag, Number(hours))
  return usage(flag, Number(/^records-(\d+)$/.exec(flag)?.[1] ?? 10))
}

// Unleash takes longer than this for hourly usage, and works on one document at a time.
const HOURLY_MS = 20

const documents = new Map()
let turn = Promise.resolve()
const server = createServer(async ({ url }, response) => {
  if (url.includes('/raw?')) await (turn = turn.then(() => setTimeout(HOURLY_MS)))
  if (!documents.has(url)) documents.set(url, documentOf(url))
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(documents.get(url))
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.resume().on('end', () => process.exit())
