import { patientClock } from '../support/clock.ts'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const HOUR = 3_600_000

/** The time of the service: 2026-11-20 16:10. */
export const now = Date.UTC(2026, 10, 20, 16, 10)

/** The time this many days ago. */
export const daysAgo = (days: number) => new Date(now - days * 24 * HOUR).toISOString()

interface Place {
  on?: boolean
  /** In days; null for never, undefined for a service that does not report it. */
  seen?: number | null | undefined
}

/** A flag, by default a release flag that is 300 days old, off in production, and never seen or used. */
export interface FlagSeed extends Record<string, unknown> {
  production?: Place
  development?: Place
  /** How many hours ago it was used in production, and how often. */
  usage?: readonly (readonly [hoursAgo: number, yes: number | null, no: number | null])[]
  /** The status of the response about its usage, if it fails. */
  status?: number
}

export type Projects = Record<string, Record<string, FlagSeed>>

function environmentOf(name: string, { on = false, ...place }: Place) {
  const seen = 'seen' in place ? place.seen : null
  const lastSeenAt = typeof seen === 'number' ? daysAgo(seen) : seen
  return { name, enabled: on, lastSeenAt }
}

function featureOf(name: string, { production = {}, development, ...seed }: FlagSeed) {
  const { usage: _, status: __, ...fields } = seed
  return {
    name,
    type: 'release',
    stale: false,
    createdAt: daysAgo(300),
    environments: [
      environmentOf('production', production),
      ...(development ? [environmentOf('development', development)] : []),
    ],
    ...fields,
  }
}

function recordsOf({ usage = [] }: FlagSeed, hours: number) {
  if (usage.length === 0) return []
  return Array.from({ length: hours }, (_, index) => {
    const hoursAgo = hours - 1 - index
    const [, yes = 0, no = 0] = usage.find(([at]) => at === hoursAgo) ?? []
    const timestamp = new Date(Math.floor(now / HOUR) * HOUR - hoursAgo * HOUR).toISOString()
    return { appName: 'web', environment: 'production', timestamp, yes, no }
  })
}

/**
 * A service with these projects. As in the real one, an unknown project has an empty list of flags. The flags of a
 * project called `forbidden` cannot be read.
 */
function serviceOf(projects: Projects, hours: number | undefined) {
  const flags = new Map(Object.values(projects).flatMap((own) => Object.entries(own)))
  return serve((response, { url }) => {
    const [, name = '', asked] = /features\/([^/]+)\/raw\?hoursBack=(\d+)$/.exec(url) ?? []
    const [, id = '', what] = /^\/api\/admin\/projects\/([^/]+)\/(\w+)$/.exec(url) ?? []
    if (asked !== undefined) {
      const { status = 200, ...seed } = flags.get(name) ?? {}
      if (status !== 200) return json(response, status, { message: 'database is down' })
      return json(response, 200, { data: recordsOf(seed, hours ?? Number(asked)) })
    }
    if (id === 'forbidden') return json(response, 403, { message: 'no' })
    if (what === 'features') {
      const features = Object.entries(projects[id] ?? {}).map(([flag, seed]) =>
        featureOf(flag, seed),
      )
      return json(response, 200, { features })
    }
    if (what === 'overview' && projects[id]) return json(response, 200, {})
    if (url !== '/api/admin/projects') return json(response, 404, { message: 'not found' })
    return json(response, 200, { projects: Object.keys(projects).map((key) => ({ id: key })) })
  })
}

interface ReviewWorld extends World {
  /** How many hours the service returns for any request. */
  hours?: number
}

/** Runs `feature review` on a service with these projects. */
export async function review(argv: readonly string[], projects: Projects, world: ReviewWorld = {}) {
  const server = await serviceOf(projects, world.hours)
  const scope = argv.includes('--project') ? [] : ['--all-projects']
  const { code, stdout, stderr, folder } = await flagadm(['feature', 'review', ...scope, ...argv], {
    clock: patientClock(now).clock,
    ...world,
    env: { ...environment(server.url), ...world.env },
  })
  const anonymous = (text: string) => text.replaceAll(server.url, 'http://service')
  const asked = server.received.map(({ url }) => url.replace('/api/admin/', ''))
  return { folder, code, stdout: anonymous(stdout), stderr: anonymous(stderr), asked }
}
