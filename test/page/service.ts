import { patientClock } from '../support/clock.ts'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const HOUR = 3_600_000
const HOURS = 48

/** The time of the service: 2026-11-20 16:10. */
export const now = Date.UTC(2026, 10, 20, 16, 10)

const hoursAgo = (hours: number) => new Date(now - hours * HOUR).toISOString()

/** A flag, by default a release flag that is 300 days old, off and never seen or used. */
export interface FlagSeed {
  type?: string
  stale?: boolean
  /** In days. */
  age?: number
  /** The environments in which it is on. */
  on?: readonly string[]
  /** How many hours ago it was seen in an environment. */
  seen?: Readonly<Record<string, number>>
  /** The application that used it in production, and how often in each hour, the current one last. */
  usage?: { application: string; counts: readonly number[] }
}

/** Their ids, and the names of their flags. */
export type Projects = Readonly<Record<string, Readonly<Record<string, FlagSeed>>>>

const environments = ['development', 'production']

function featureOf(name: string, flag: FlagSeed) {
  const { type = 'release', stale = false, age = 300, on = [], seen = {} } = flag
  return {
    ...{ name, type, stale, createdAt: hoursAgo(age * 24) },
    environments: [...new Set([...environments, ...on, ...Object.keys(seen)])].map((place) => {
      const hours = seen[place]
      const lastSeenAt = hours === undefined ? null : hoursAgo(hours)
      return { name: place, enabled: on.includes(place), lastSeenAt }
    }),
  }
}

function recordsOf({ usage }: FlagSeed) {
  return (usage?.counts ?? []).map((yes, index, { length }) => {
    const timestamp = new Date(Math.floor(now / HOUR) * HOUR - (length - 1 - index) * HOUR)
    return { appName: usage?.application, environment: 'production', timestamp, yes, no: 0 }
  })
}

/** A service with projects. The flags of a project called `forbidden` cannot be read. */
function serviceOf(projects: Projects) {
  const flags = new Map(Object.values(projects).flatMap((own) => Object.entries(own)))
  return serve((response, { url }) => {
    const path = decodeURIComponent(url)
    const [, used] = /^\/api\/admin\/client-metrics\/features\/(.+)\/raw\?/.exec(path) ?? []
    if (used !== undefined) {
      return json(response, 200, { data: recordsOf(flags.get(used) ?? {}) })
    }
    const [, id = '', name] =
      /^\/api\/admin\/projects\/(.+?)\/features(?:\/(.+))?$/.exec(path) ?? []
    if (id === 'forbidden') return json(response, 403, { message: 'no' })
    if (name !== undefined) {
      return json(response, 200, { name, project: id, archived: false, children: [] })
    }
    const own = projects[id]
    if (own) {
      const features = Object.entries(own).map(([flag, seed]) => featureOf(flag, seed))
      return json(response, 200, { features })
    }
    if (url !== '/api/admin/projects') return json(response, 404, { message: 'not found' })
    return json(response, 200, { projects: Object.keys(projects).map((key) => ({ id: key })) })
  })
}

/** Reviews all flags of a service with these projects. @returns the page, and where the service was */
export async function reviewPage(
  projects: Projects,
  argv: readonly string[] = [],
  world: World = {},
) {
  const { url } = await serviceOf(projects)
  const { stdout, stderr } = await flagadm(
    ['feature', 'review', '--all-projects', '-o', 'html', ...argv],
    { clock: patientClock(now).clock, ...world, env: { ...environment(url), ...world.env } },
  )
  return { html: stdout, stderr, url }
}

/** Counts of each hour that repeat every day, without randomness. */
function daily(most: number, seed = 0): number[] {
  return Array.from({ length: HOURS }, (_, hour) => {
    const wave = 1 + Math.sin(((hour + seed) * Math.PI) / 12)
    return Math.round((most * wave * (1 + ((hour * 7 + seed * 13) % 5) / 10)) / 3)
  })
}

const words = ['basket', 'search', 'banner', 'checkout', 'invoice', 'profile', 'delivery', 'coupon']
const types = ['release', 'experiment', 'operational', 'release', 'kill-switch']

/** Projects with this number of flags with all kinds of verdicts. */
export function manyProjects(count: number, projectCount: number): Projects {
  const projects: Record<string, Record<string, FlagSeed>> = {}
  for (let index = 0; index < count; index++) {
    const id = `team-${String.fromCharCode(97 + (index % projectCount))}`
    const name = `${words[index % 8]}-${words[(index * 3 + 1) % 8]}-${index}`
    const counts = daily((index * 37) % 5000, index)
    const kinds: FlagSeed[] = [
      { stale: index % 3 === 0, on: [] },
      { seen: { production: 0.5 }, on: environments, usage: { application: 'web', counts } },
      { seen: { development: 90 }, on: ['development'], age: (index * 7) % 600 },
      { seen: { production: 24 * 30 }, on: index % 2 ? ['production'] : [] },
    ]
    projects[id] = {
      ...projects[id],
      [name]: { type: types[index % 5] ?? 'release', ...kinds[(index >> 1) % 4] },
    }
  }
  return projects
}
