import { patientClock } from '../support/clock.ts'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { anyJson, json, serve } from '../support/server.ts'

const HOUR = 3_600_000

/** The time of the service: 2026-11-20 16:10. */
export const now = Date.UTC(2026, 10, 20, 16, 10)

/** The time this many days ago. */
export const daysAgo = (days: number) => new Date(now - days * 24 * HOUR).toISOString()

interface Place {
  on?: boolean
  /** In days; null for never, undefined for a service that does not report it. */
  seen?: number | null | undefined
  /** Its strategies, which its own document has. */
  strategies?: readonly object[]
  /** How many variants the environment itself has. */
  variantCount?: number
}

/** Evaluations of a flag, by default by `web` in production. */
interface Usage {
  hoursAgo: number
  yes: number
  no: number
  appName?: string
  environment?: string
  variants?: Record<string, number>
}

/** A flag, by default a release flag that is 300 days old, off in production, and never seen or used. */
export interface FlagSeed extends Record<string, unknown> {
  production?: Place
  development?: Place
  usage?: readonly Usage[]
  /** Its usage on days that are over, for a service that keeps them. */
  days?: readonly (Omit<Usage, 'hoursAgo'> & { daysAgo: number })[]
  /** The status of the response about its usage, and of its own document, if they fail. */
  status?: number
  ownStatus?: number
  /** Fields of its own document. */
  own?: object
  /** Fields of its own document with which no version of Unleash sends it. */
  wrong?: object
  /** The flags that depend on it. */
  children?: readonly string[]
  /** Whether it is archived, or how many days ago it was; without a number, yesterday. */
  archived?: boolean | number
}

export type Projects = Record<string, Record<string, FlagSeed>>

function environmentOf(name: string, { on = false, ...place }: Place, isOwn: boolean) {
  const seen = 'seen' in place ? place.seen : null
  const lastSeenAt = typeof seen === 'number' ? daysAgo(seen) : seen
  const { strategies, variantCount = 0 } = place
  const more = isOwn ? { strategies } : { variantCount }
  return { name, type: name, enabled: on, lastSeenAt, ...(strategies && more) }
}

const hidden =
  'production development usage days status ownStatus own wrong children archived'.split(' ')

function featureOf(
  name: string,
  { production = {}, development, ...seed }: FlagSeed,
  { isOwn = false } = {},
) {
  const fields = Object.entries(seed).filter(([key]) => !hidden.includes(key))
  return {
    name,
    type: 'release',
    stale: false,
    createdAt: daysAgo(300),
    environments: [
      environmentOf('production', production, isOwn),
      ...(development ? [environmentOf('development', development, isOwn)] : []),
    ],
    ...Object.fromEntries(fields),
  }
}

/**
 * A flag that shows that usage arrives, in a project where no flag was seen lately: without it, no flag can be known to be
 * not used.
 */
function neighboursOf(
  { isSilent = false, readsAll = false }: ServiceSeed,
  id: string,
  flags: Record<string, FlagSeed>,
) {
  const isSeen = Object.values(flags).some(
    ({ production, development, usage = [] }) =>
      (readsAll && usage.length > 0) ||
      [production?.seen, development?.seen].some((seen) => typeof seen === 'number' && seen < 7),
  )
  if (isSeen || isSilent || Object.keys(flags).length === 0) return []
  return [featureOf(`neighbour-${id}`, { production: { seen: 0.5 }, development: { seen: 0.5 } })]
}

/** The hourly records of a flag: one of each hour for each application and environment that has any usage, also in the future. */
function recordsOf({ usage = [] }: FlagSeed, hours: number, time: number) {
  const uses = usage.map((use) => ({ appName: 'web', environment: 'production', ...use }))
  const places = new Map(uses.map((use) => [`${use.appName} ${use.environment}`, use]))
  const future = Math.max(0, ...uses.map(({ hoursAgo }) => -hoursAgo))
  return [...places.values()].flatMap(({ appName, environment }) =>
    Array.from({ length: hours + future }, (_, index) => {
      const hoursAgo = hours - 1 - index
      const used = uses.find(
        (use) =>
          use.hoursAgo === hoursAgo && use.appName === appName && use.environment === environment,
      )
      const timestamp = new Date(Math.floor(time / HOUR) * HOUR - hoursAgo * HOUR).toISOString()
      const { yes, no, variants } = used ?? { yes: 0, no: 0 }
      return { appName, environment, timestamp, yes, no, ...(variants && { variants }) }
    }),
  )
}

/** The daily records of a flag: one of each day that is over, for each application and environment that has any usage. */
function dailyRecordsOf({ days = [] }: FlagSeed, hours: number) {
  const uses = days.map((use) => ({ appName: 'web', environment: 'production', ...use }))
  const places = new Map(uses.map((use) => [`${use.appName} ${use.environment}`, use]))
  const today = Math.floor(now / (24 * HOUR))
  return [...places.values()].flatMap(({ appName, environment }) =>
    Array.from({ length: Math.ceil(hours / 24) }, (_, index) => {
      const daysAgo = index + 1
      const used = uses.find((use) => {
        const isThere = use.appName === appName && use.environment === environment
        return isThere && use.daysAgo === daysAgo
      })
      const timestamp = new Date((today - index) * 24 * HOUR - 1).toISOString()
      const { yes, no, variants } = used ?? { yes: 0, no: 0 }
      return { appName, environment, timestamp, yes, no, ...(variants && { variants }) }
    }),
  )
}

/** A change, by default by `ada` in the project `shop`. */
export interface EventSeed extends Record<string, unknown> {
  type: string
  featureName?: string | null
  createdAt?: unknown
}

/** The body of a search for events before 6.1. */
interface OldSearch {
  type: string
  limit: number
  offset: number
}

/** The events that a search asks for. */
function eventsOf(seed: ServiceSeed, query: URLSearchParams) {
  const { events = [], lostEvents = 0, ignoresNames, sendsNoTotal } = seed
  const valuesOf = (key: string) => query.get(key)?.replace(/^\w+:/, '').split(',')
  const [names, types] = [valuesOf('feature'), valuesOf('type')]
  const found = events
    .map((event) => ({ createdBy: 'ada', project: 'shop', environment: null, ...event }))
    .filter(({ featureName, type }) => {
      const isNamed = ignoresNames || (names?.includes(featureName ?? '') ?? true)
      return isNamed && (types?.includes(type) ?? true)
    })
  const offset = Number(query.get('offset'))
  const page = found.slice(offset, offset + 1000)
  return { events: page, ...(!sendsNoTotal && { total: found.length + lostEvents }) }
}

/** The flags that a search finds, archived or not. */
function foundFeatures(
  { projects, unlisted = {}, ignoresArchived, isEndless }: ServiceSeed,
  query: URLSearchParams,
) {
  const wantsArchived = query.get('archived') === 'IS:true' && !ignoresArchived
  const project = query.get('project')?.replace('IS:', '')
  const text = query.get('query') ?? ''
  const found = Object.entries({ ...projects, ...unlisted }).flatMap(([id, flags]) =>
    Object.entries(flags)
      .filter(([name, { archived = false }]) => {
        const isIn = project === undefined || project === id
        return isIn && name.includes(text) && (archived !== false) === wantsArchived
      })
      .map(([name, flag]) => {
        const { environments, ...fields } = featureOf(name, flag)
        const { createdAt } = { createdAt: fields.createdAt, ...flag }
        const archivedAt = wantsArchived ? daysAgo(Number(flag.archived)) : null
        return { name, project: id, createdAt, archivedAt, environments }
      }),
  )
  const offset = Number(query.get('offset'))
  if (isEndless) {
    const features = Array.from({ length: 100 }, (_, index) => ({
      name: `endless-${offset + index}`,
      project: 'shop',
      archivedAt: daysAgo(1),
    }))
    return { features, total: offset + 200 }
  }
  return { features: found.slice(offset, offset + 100), total: found.length }
}

/** What a service has, and how it differs from the real one. */
export interface ServiceSeed {
  projects: Projects
  /** Projects that it does not list, as the open-source edition. */
  unlisted?: Projects | undefined
  /** Whether no flag but those of the seed was seen. */
  isSilent?: boolean | undefined
  /** Its tokens, and how many rows of usage it has of yesterday; it has neither without them. */
  tokens?: readonly object[] | undefined
  usageYesterday?: number | undefined
  /** Its segments, which have a project unless they are of all. */
  segments?: readonly object[] | undefined
  /** The permissions of the key, which it does not show without them. */
  permissions?: readonly string[] | undefined
  /** Whether the usage of all flags is read. */
  readsAll?: boolean | undefined
  /** Whether its search ignores the filter `archived`, as services before 6.4. */
  ignoresArchived?: boolean | undefined
  /** How many searches it allows; it answers the others with 429. */
  searches?: number | undefined
  /** Whether each page of a search has a next one. */
  isEndless?: boolean | undefined
  /** How many times it lists the flags of a project; later lists are empty. */
  wholeLists?: number | undefined
  /** How many hours it returns for any request. */
  hours?: number | undefined
  /** By how many milliseconds its clock is ahead. */
  ahead?: number | undefined
  sendsNoDate?: boolean | undefined
  /** Whether its lists of events have no total, and those of flags are of any flag. */
  sendsNoTotal?: boolean | undefined
  ignoresNames?: boolean | undefined
  /** Whether the flags of the project `forbidden` can be read. */
  allowsAll?: boolean | undefined
  /** The paths that its key may not read (403), and that fail (500). */
  forbidden?: RegExp | undefined
  failing?: RegExp | undefined
  /** The paths at which something else answers with a document of its own (200). */
  foreign?: RegExp | undefined
  /** The paths that it does not have (404). */
  missing?: RegExp | undefined
  /** Whether it sends what no version of Unleash does. */
  isFaulty?: boolean | undefined
  /** The older version that it is (test/service/versions); by default 8.2. */
  version?: string | undefined
  /** Whether it keeps usage of days, and whether it returns hours although it says so. */
  keepsDays?: boolean | undefined
  ignoresDays?: boolean | undefined
  /** Lifetimes of its types in days; without them, it has no list of types. */
  types?: Record<string, number | null> | undefined
  /** Its events, newest first. */
  events?: readonly EventSeed[] | undefined
  /** How many more events it says that there are than it returns. */
  lostEvents?: number | undefined
  /** The applications that ask for names that no flag has. */
  unknown?: Record<string, readonly string[]> | undefined
}

/**
 * A service with these projects. As in the real one, an unknown project has an empty list of flags, and an archived flag
 * has no document of its own. The flags of a project called `forbidden` cannot be read.
 */
function serviceOf(seed: ServiceSeed) {
  const { projects, hours, ahead, missing, version, searches = 15, unknown = {} } = seed
  const flags = new Map(Object.values(projects).flatMap((own) => Object.entries(own)))
  const archived = new Set<string>()
  const isActive = (name: string) =>
    flags.has(name) && !flags.get(name)?.archived && !archived.has(name)
  const time = now + (ahead ?? 0)
  let searched = 0
  let lists = 0
  return serve((response, { method, url, body }) => {
    const answer = (status: number, document: object) =>
      seed.isFaulty
        ? anyJson(response, status, document)
        : json(response, status, document, version)
    if (!seed.sendsNoDate) response.setHeader('Date', new Date(time).toUTCString())
    const partsOf = (pattern: RegExp) =>
      pattern.exec(url)?.map((part) => (part === undefined ? part : decodeURIComponent(part))) ?? []
    const [, name = '', asked] = partsOf(/features\/([^/]+)\/raw\?hoursBack=(\d+)$/)
    const [, id = '', what, own = ''] = partsOf(
      /^\/api\/admin\/projects\/([^/]+)\/(\w+)(?:\/([^/]+))?$/,
    )
    if (missing?.test(url)) return answer(404, { message: 'not found' })
    if (seed.forbidden?.test(url)) return answer(403, { message: 'no' })
    if (seed.failing?.test(url)) return answer(500, { message: 'database is down' })
    if (seed.foreign?.test(url)) return anyJson(response, 200, { message: 'please log in' })
    if (asked !== undefined) {
      const { status = 200, ...flag } = flags.get(name) ?? {}
      if (status !== 200) return answer(status, { message: 'database is down' })
      const count = hours ?? Number(asked)
      // As in the real service, 24 hours for a number that it does not support.
      if (count > 48 && seed.ignoresDays) return answer(200, { data: recordsOf(flag, 24, time) })
      if (count > 48 && seed.keepsDays) return answer(200, { data: dailyRecordsOf(flag, count) })
      return answer(200, { data: recordsOf(flag, count, time) })
    }
    if (url.startsWith('/api/admin/client-metrics/')) {
      const flag = decodeURIComponent(url.split('/').at(-1) ?? '')
      const lastHourUsage = recordsOf(flags.get(flag) ?? {}, 1, time)
      return answer(200, { lastHourUsage, seenApplications: [] })
    }
    if (url.startsWith('/api/admin/search/features?')) {
      if (!seed.isEndless && searched++ >= searches)
        return answer(429, { message: 'too many requests' })
      return answer(200, foundFeatures(seed, new URL(url, 'http://service').searchParams))
    }
    if (url.startsWith('/api/admin/search/events?')) {
      return answer(200, eventsOf(seed, new URL(url, 'http://service').searchParams))
    }
    if (url === '/api/admin/events/search') {
      const { type, offset, limit }: OldSearch = JSON.parse(body)
      const query = new URLSearchParams({ type: `IS:${type}` })
      const { events } = eventsOf(seed, query)
      const page = events.slice(offset, offset + limit)
      return anyJson(response, 200, { version: 1, events: page, totalEvents: events.length })
    }
    if (url === '/api/admin/segments' && seed.segments) {
      return anyJson(response, 200, { segments: seed.segments })
    }
    if (url.startsWith('/api/admin/events/')) {
      const featureName = decodeURIComponent(url.split('/').at(-1) ?? '')
      const query = new URLSearchParams({ feature: featureName })
      const { events, total: totalEvents } = eventsOf(seed, query)
      return answer(200, { events, totalEvents })
    }
    if (url === '/api/admin/ui-config') {
      const flags = { extendedUsageMetrics: seed.keepsDays === true }
      return answer(200, { environment: 'Enterprise', flags })
    }
    if (url === '/api/admin/feature-types' && seed.types) {
      const types = Object.entries(seed.types).map(([type, lifetimeDays]) => {
        return { id: type, name: type, description: type, lifetimeDays }
      })
      return answer(200, { version: 1, types })
    }
    if (url === '/api/admin/api-tokens' && seed.tokens) {
      return anyJson(response, 200, { tokens: seed.tokens })
    }
    if (url === '/api/admin/instance-admin/statistics' && seed.usageYesterday !== undefined) {
      const counts = { enabledCount: seed.usageYesterday, variantCount: 0 }
      return anyJson(response, 200, { previousDayMetricsBucketsCount: counts })
    }
    if (url === '/api/admin/user' && seed.permissions) {
      const permissions = seed.permissions.map((permission) => ({ permission }))
      return anyJson(response, 200, { user: {}, permissions })
    }
    if (url === '/api/admin/metrics/unknown-flags') {
      const names = Object.entries(unknown).map(([flag, apps]) => {
        const environments = [{ environment: 'production', seenAt: daysAgo(0.1) }]
        const reports = apps.map((appName) => ({ appName, environments }))
        return { name: flag, lastSeenAt: daysAgo(0.1), reports }
      })
      return answer(200, { unknownFlags: names })
    }
    if (id === 'forbidden' && !seed.allowsAll) return answer(403, { message: 'no' })
    if (method === 'POST' && what === 'archive') {
      const { features }: { features: string[] } = JSON.parse(body)
      const isNeeded = features.some((flag) =>
        flags.get(flag)?.children?.some((child) => isActive(child) && !features.includes(child)),
      )
      if (isNeeded)
        return answer(403, {
          name: 'InvalidOperationError',
          message: 'other features depend on it',
        })
      for (const flag of features) archived.add(flag)
      response.writeHead(202)
      return response.end()
    }
    if (what === 'features' && own !== '') {
      const { ownStatus = 200, children = [], ...flag } = projects[id]?.[own] ?? {}
      if (!isActive(own)) return answer(404, { message: `no feature ${own}` })
      if (ownStatus !== 200) return answer(ownStatus, { message: 'database is down' })
      const lifecycle = { stage: 'live', enteredStageAt: daysAgo(290) }
      const document = {
        ...featureOf(own, flag, { isOwn: true }),
        children,
        lifecycle,
        ...flag.own,
      }
      return flag.wrong
        ? anyJson(response, 200, { ...document, ...flag.wrong })
        : answer(200, document)
    }
    if (what === 'features') {
      const isEmpty = lists++ >= (seed.wholeLists ?? Number.POSITIVE_INFINITY)
      const features = Object.entries(projects[id] ?? {})
        .filter(([flag]) => isActive(flag) && !isEmpty)
        .map(([flag, seed]) => featureOf(flag, seed))
      return answer(200, { features: [...features, ...neighboursOf(seed, id, projects[id] ?? {})] })
    }
    if (what === 'overview' && projects[id]) return answer(200, {})
    if (url !== '/api/admin/projects') return answer(404, { message: 'not found' })
    return answer(200, { projects: Object.keys(projects).map((key) => ({ id: key })) })
  })
}

export type FeatureWorld = World & Omit<ServiceSeed, 'projects'>

/** Whether a command judges the flags of one project. */
function judges([command = '', ...rest]: readonly string[]): boolean {
  const projects = rest.filter((word) => word === '--project').length
  return ['review', 'archive'].includes(command) && !rest.includes('--all-projects') && projects < 2
}

/** Runs `feature …` on a service with these projects. Its address is `http://service` in what is printed and in files. */
export async function feature(
  argv: readonly string[],
  projects: Projects,
  world: FeatureWorld = {},
) {
  const [command, first = '-'] = argv
  const readsAll = command === 'review' && first.startsWith('-')
  const isSilent = !judges(argv)
  const server = await serviceOf({ projects, isSilent, readsAll, ...world })
  const files = Object.entries(world.files ?? {}).map(([path, content]) => {
    const text = typeof content === 'string' && content.replaceAll('http://service', server.url)
    return [path, text === false ? content : text] as const
  })
  const { code, stdout, stderr, folder } = await flagadm(['feature', ...argv], {
    clock: patientClock(now).clock,
    ...world,
    files: Object.fromEntries(files),
    env: { ...environment(server.url), ...world.env },
  })
  const anonymous = (text: string) => text.replaceAll(server.url, 'http://service')
  const asked = server.received.map(({ url }) => url.replace('/api/admin/', ''))
  return { folder, code, stdout: anonymous(stdout), stderr: anonymous(stderr), asked }
}
