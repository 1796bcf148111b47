import { Refusal } from './refusal.ts'
import { jsonBody, type SandboxRequest } from './request.ts'
import type { SeedFlag } from './seed.ts'
import { changes, parseSettings, type SandboxProject, updateProject } from './settings.ts'
import { usageOf } from './usage.ts'

/** The keys that every sandbox takes. They are public and open nothing else. */
export const sandboxKeys = {
  full: '*:*.5a9db0c500000000000000000000000000000000f011acce55',
  none: '*:*.5a9db0c500000000000000000000000000000000dead10cced',
} as const

/** What a running sandbox knows. */
export interface SandboxState {
  projects: Map<string, SandboxProject>
  flags: ReadonlyMap<string, SeedFlag>
  /** Milliseconds since the epoch; undefined while usage is frozen. */
  now(): number | undefined
}

/** The answer to a request that was carried out. */
export interface Answer {
  status: number
  body?: object
  /** What the request changed, for the log. */
  changes?: string[]
}

interface Route {
  method: string
  /** Matches an undecoded path; captures the one parameter. */
  path: RegExp
  permission: string
  projectOf(parameter: string, state: SandboxState): string | undefined
  answer(parameter: string, request: SandboxRequest, state: SandboxState): Answer
}

/** Section "Endpoints" of the specification. */
const routes: Route[] = [
  {
    method: 'PUT',
    path: /^\/api\/admin\/projects\/([^/]+)\/settings$/,
    permission: 'UPDATE_PROJECT',
    projectOf: (id) => id,
    answer: putSettings,
  },
  {
    method: 'GET',
    path: /^\/api\/admin\/client-metrics\/features\/([^/]+)$/,
    permission: 'READ_FEATURE',
    projectOf: (name, { flags }) => flags.get(name)?.project,
    answer: getUsage,
  },
]

function putSettings(id: string, request: SandboxRequest, { projects }: SandboxState): Answer {
  const settings = parseSettings(jsonBody(request))
  const project = projects.get(id)
  if (!project) throw new Refusal(404, `No project with the id ${id} exists`)
  const updated = updateProject(project, settings)
  projects.set(id, updated)
  return { status: 200, changes: changes(project, updated) }
}

function getUsage(name: string, _request: SandboxRequest, { flags, now }: SandboxState): Answer {
  const flag = flags.get(name)
  if (!flag) throw new Refusal(404, `No feature flag with the name ${name} exists`)
  return { status: 200, body: usageOf(flag, now()) }
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

function find({ method, path }: SandboxRequest): { route: Route; parameter: string } {
  for (const route of routes) {
    const parameter = decoded(route.path.exec(path)?.[1] ?? '')
    if (route.method === method && parameter) return { route, parameter }
  }
  throw new Refusal(404, `The path you were looking for (${path}) is not available`)
}

/** Carries a request out; throws a `Refusal` for one that the service would not. */
export function answer(request: SandboxRequest, state: SandboxState): Answer {
  const { key } = request
  if (key !== sandboxKeys.full && key !== sandboxKeys.none) {
    throw new Refusal(401, 'You must send one of the API keys of this sandbox in Authorization')
  }
  const { route, parameter } = find(request)
  if (key === sandboxKeys.none) {
    const project = route.projectOf(parameter, state)
    const place = project === undefined ? '' : ` in the project ${project}`
    throw new Refusal(403, `You need the permission ${route.permission}${place}`)
  }
  return route.answer(parameter, request, state)
}
