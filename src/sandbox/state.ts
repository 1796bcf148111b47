import type { Seed, SeedFlag, SeedUnknownFlag } from './seed.ts'

/** The name of the service's error for each status: section "Errors" of the specification, and the real service's for 409. */
const errorNames = {
  400: 'ValidationError',
  401: 'AuthenticationRequired',
  403: 'NoAccessError',
  404: 'NotFoundError',
  409: 'NameExistsError',
  415: 'ContentTypeerror',
  421: 'MisdirectedRequestError',
  500: 'InternalError',
} as const

/** Thrown to refuse a request with this status and message. */
export class Refusal extends Error {
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
  description: string | null
  mode: Seed['projects'][number]['mode']
  featureNaming: Record<'pattern' | 'example' | 'description', string | null>
  linkTemplates: { title?: string | null; urlTemplate: string }[]
}

export interface SandboxState {
  projects: Map<string, SandboxProject>
  flags: Map<string, SeedFlag>
  unknownFlags: readonly SeedUnknownFlag[]
  /** Every environment, sorted. */
  environments: string[]
  /** Serves only what the specification describes. */
  specOnly: boolean
  /** Whether the time stands still, so that rows have the times of the seed. */
  frozen: boolean
  /** Milliseconds since the epoch. */
  now: () => number
}

const noNaming = { pattern: null, example: null, description: null }

function environmentsOf({ flags, unknownFlags = [] }: Seed): string[] {
  const used = [...flags.flatMap(({ usage = [] }) => usage), ...unknownFlags]
  const named = [
    ...used.map(({ environment }) => environment),
    ...flags.flatMap(({ environments = [] }) => environments.map(({ name }) => name)),
  ]
  return named.length > 0 ? [...new Set(named)].sort() : ['development', 'production']
}

function keyOf({ name, appName }: SeedUnknownFlag): string {
  return JSON.stringify([name, appName])
}

/** The state that a sandbox starts with. */
export function initialState(
  seed: Seed,
  { specOnly, frozen, now }: Pick<SandboxState, 'specOnly' | 'frozen' | 'now'>,
): SandboxState {
  const projects = seed.projects.map((project): [string, SandboxProject] => {
    const { id, featureNaming, linkTemplates = [] } = project
    return [
      id,
      {
        name: id,
        description: null,
        ...project,
        featureNaming: { ...noNaming, ...featureNaming },
        linkTemplates: specOnly ? [] : linkTemplates,
      },
    ]
  })
  return {
    projects: new Map(projects),
    flags: new Map(seed.flags.map((flag) => [flag.name, flag])),
    unknownFlags: (seed.unknownFlags ?? []).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
    environments: environmentsOf(seed),
    specOnly,
    frozen,
    now,
  }
}
