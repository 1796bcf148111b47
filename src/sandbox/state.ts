import type { Seed, SeedFlag, SeedSegment, SeedUnknownFlag } from './seed.ts'

/** The name of the service's error for each status: section "Errors" of the specification, and the real service's for 409. */
const errorNames = {
  400: 'ValidationError',
  401: 'AuthenticationRequired',
  403: 'NoAccessError',
  404: 'NotFoundError',
  409: 'NameExistsError',
  415: 'ContentTypeerror',
  500: 'InternalError',
} as const

/** Thrown to refuse a request with this status and message. */
export class Refusal extends Error {
  readonly isChange = false
  readonly status: keyof typeof errorNames
  readonly body: { id: string; name: string; message: string }

  constructor(status: keyof typeof errorNames, message: string, name: string = errorNames[status]) {
    super(message)
    this.status = status
    this.body = { id: crypto.randomUUID(), name, message }
  }
}

/** A project as the sandbox keeps it. A field of its naming rule is null if it was never set, empty if it was cleared. */
export interface SandboxProject {
  id: string
  name: string
  mode: Seed['projects'][number]['mode']
  featureNaming: Record<'pattern' | 'example' | 'description', string | null>
  linkTemplates: { title?: string | null; urlTemplate: string }[]
}

export interface SandboxEvent {
  id: number
  type: string
  createdAt: string
  createdBy: string
  featureName: string | null
  project: string | null
  environment: string | null
  data: object | null
  preData: object | null
}

export interface SandboxState {
  projects: Map<string, SandboxProject>
  flags: Map<string, SeedFlag>
  unknownFlags: readonly SeedUnknownFlag[]
  segments: readonly SeedSegment[]
  /** The changes, newest last. */
  events: SandboxEvent[]
  /** Every environment, sorted. */
  environments: string[]
  specOnly: boolean
  /** Whether the time stands still, so that rows have the times of the seed. */
  frozen: boolean
  /** Milliseconds since the epoch. */
  now: () => number
}

function environmentsIn({ flags, unknownFlags = [] }: Seed): string[] {
  const used = [...flags.flatMap(({ usage = [] }) => usage), ...unknownFlags]
  const declared = flags.flatMap(({ environments = [] }) => environments)
  const named = [...used.map(({ environment }) => environment), ...declared.map(({ name }) => name)]
  return named.length > 0 ? [...new Set(named)].sort() : ['development', 'production']
}

/** The changes before the start, newest last. */
function earlierEvents({ events = [] }: Seed, now: number): SandboxEvent[] {
  const oldestFirst = events.toSorted((a, b) => b.minutesAgo - a.minutesAgo)
  return oldestFirst.map(({ minutesAgo, ...event }, index) => ({
    id: index + 1,
    createdAt: new Date(now - minutesAgo * 60_000).toISOString(),
    featureName: null,
    project: null,
    environment: null,
    data: null,
    preData: null,
    ...event,
  }))
}

export function initialState(
  seed: Seed,
  options: Pick<SandboxState, 'specOnly' | 'frozen' | 'now'>,
): SandboxState {
  const projects = seed.projects.map(
    ({ id, featureNaming, linkTemplates = [], ...project }): SandboxProject => ({
      id,
      name: id,
      ...project,
      featureNaming: { pattern: null, example: null, description: null, ...featureNaming },
      linkTemplates: options.specOnly ? [] : linkTemplates,
    }),
  )
  return {
    projects: new Map(projects.map((project) => [project.id, project])),
    flags: new Map(seed.flags.map((flag) => [flag.name, flag])),
    unknownFlags: seed.unknownFlags ?? [],
    segments: seed.segments ?? [],
    events: earlierEvents(seed, options.now()),
    environments: environmentsIn(seed),
    ...options,
  }
}

/** @throws 404 for an unknown project */
export function requireProject(id: string, { projects }: SandboxState): SandboxProject {
  const project = projects.get(id)
  if (!project) throw new Refusal(404, `No project with the id ${id} exists`)
  return project
}

export interface SandboxRequest {
  method: string
  /** As sent: not decoded, without the query. */
  path: string
  query: URLSearchParams
  key: string | undefined
  contentType: string | undefined
  body: string
}

/** The parameters of paths; those that a path does not have are empty. */
export const noParameters = { project: '', flag: '', environment: '' }

/** A request for a route, with the decoded parameters of its path. */
export interface RouteCall extends SandboxRequest, Readonly<typeof noParameters> {
  state: SandboxState
}
