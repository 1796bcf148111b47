import { readFileSync } from 'node:fs'
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
const DAY = 24 * HOUR

/** When hours and days of usage are: up to 48 hours by the hour, beyond that by the day, ending yesterday. */
function stepsOf(hours) {
  if (hours <= 48) return { count: hours, step: HOUR, last: Math.floor(Date.now() / HOUR) * HOUR }
  return { count: hours / 24, step: DAY, last: Math.floor(Date.now() / DAY) * DAY - 1 }
}

/** Usage by 10 applications in 2 environments; every second flag has none, and may be removable. */
function usageOf(flag, hours) {
  const { count, step, last } = stepsOf(hours)
  const isUnused = Number(flag.split('-').at(-1)) % 2 === 0
  const data = Array.from({ length: isUnused ? 0 : count * 20 }, (_, index) => ({
    featureName: flag,
    appName: `application-${index % 10}`,
    environment: index % 20 < 10 ? 'development' : 'production',
    timestamp: new Date(last - (count - 1 - Math.floor(index / 20)) * step).toISOString(),
    yes: index * 7,
    no: index * 3,
    variants: { blue: index * 4, red: index * 3 },
  }))
  return JSON.stringify({ version: 1, maturity: 'stable', data })
}

function featureList(names) {
  const features = names.map((name) => ({
    name,
    type: 'release',
    stale: false,
    createdAt: '2025-11-20T16:00:00.000Z',
    environments: [{ name: 'production', enabled: true, lastSeenAt: null }],
  }))
  return JSON.stringify({ version: 2, features })
}

const configuration = JSON.stringify({
  version: '8.2.0',
  flags: { extendedUsageMetrics: true },
})

const PROJECTS = 40
const projectList = JSON.stringify({
  projects: Array.from({ length: PROJECTS }, (_, index) => ({ id: `team-${index}` })),
})

/** 500 flags in the projects `team-0` to `team-39`. */
function projectDocument(team, what) {
  if (what === 'overview') return JSON.stringify({ environments: [{ environment: 'production' }] })
  const names = Array.from({ length: 500 }, (_, index) => `flag-${index + 1}`)
  return featureList(names.filter((_, index) => index % PROJECTS === Number(team)))
}

// Answers that replace those below.
const given = process.argv[2] ? JSON.parse(readFileSync(process.argv[2], 'utf8')) : {}

// A flag called `records-N` has N records; any other flag has ten.
function documentOf(url) {
  if (given[url]) return JSON.stringify(given[url])
  if (url === '/api/admin/projects') return projectList
  if (url === '/api/admin/feature-types') return JSON.stringify({ version: 1, types: [] })
  if (url === '/api/admin/ui-config') return configuration
  const [, team, what] = /^\/api\/admin\/projects\/team-(\d+)\/(\w+)$/.exec(url) ?? []
  if (what !== undefined) return projectDocument(team, what)
  if (url.startsWith('/api/admin/search/events?')) return JSON.stringify({ events: [], total: 0 })
  // The own document of a flag.
  if (/^\/api\/admin\/projects\/[^/]+\/features\//.test(url)) {
    return JSON.stringify({
      name: url.split('/').at(-1),
      children: [],
      dependencies: [],
      environments: [],
    })
  }
  const [, flag, hours] = /\/features\/([^/]+)(?:\/raw\?hoursBack=(\d+))?$/.exec(url) ?? []
  if (flag === undefined) return JSON.stringify({ health: 'GOOD' })
  if (hours !== undefined) return usageOf(flag, Number(hours))
  return usage(flag, Number(/^records-(\d+)$/.exec(flag)?.[1] ?? 10))
}

// Unleash takes longer than this for the usage of hours or days, and works on one document at a time.
const USAGE_MS = 20

const documents = new Map()
let turn = Promise.resolve()
const server = createServer(async ({ url }, response) => {
  if (url.includes('/raw?')) {
    turn = turn.then(() => setTimeout(USAGE_MS))
    await turn
  }
  if (!documents.has(url)) documents.set(url, documentOf(url))
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(documents.get(url))
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.resume().on('end', () => process.exit())
