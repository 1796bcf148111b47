import {
  archiveFlags,
  featureDocument,
  featureList,
  unknownFlagList,
  validateName,
} from './flags.ts'
import { jsonBody, Refusal, type SandboxRequest } from './http.ts'
import { requireProject, projectList, projectOverview } from './projects.ts'
import { changeTexts, parseSettings, updateProject } from './settings.ts'
import type { SandboxState } from './state.ts'
import { hoursBackOf, rawMetricsOf, usageOf } from './usage.ts'

/** `GET /api/admin/ui-config` */
const uiConfig = {
  version: '8.2.0',
  environment: 'Sandbox',
  versionInfo: { current: { oss: '8.2.0', enterprise: '' }, latest: {}, isLatest: true },
  flags: { extendedUsageMetrics: false },
  maintenanceMode: false,
}

const preferences = { feedback: [], splash: {} }

/** `GET /api/admin/user` for an admin token: as in the real service, it contains the token. */
function adminUser(secret: string) {
  const access = { permissions: ['ADMIN'], environment: '*', projects: ['*'] }
  return {
    user: { username: 'sandbox-admin', type: 'admin', secret, ...access },
    permissions: [{ permission: 'ADMIN' }],
    ...preferences,
  }
}

/** `GET /api/admin/user` for a user who has no permissions. */
const viewer = { user: { username: 'sandbox-viewer' }, permissions: [], ...preferences }

/** The keys that every sandbox accepts. They are public and work nowhere else. */
export const sandboxKeys = {
  full: '*:*.5a9db0c500000000000000000000000000000000f011acce55',
  none: '*:*.5a9db0c500000000000000000000000000000000dead10cced',
} as const

/** The result of a request that succeeded. */
export interface RouteResult {
  /** 200 by default. */
  status?: number
  body?: object
  /** The changes of the request, for the log. */
  changes?: string[]
}

/** A request for a route, with the decoded parameters of its path; empty if the path does not have them. */
interface Call {
  project: string
  flag: string
  request: SandboxRequest
  state: SandboxState
}

interface Route {
  /** Who may use the route: everyone, everyone with a key, or a key with a permission. */
  access: 'public' | 'any key' | { permission: string }
  /** Whether the specification describes the route. */
  specified?: true
  respond(call: Call): RouteResult
}

const readProject = { permission: 'READ_PROJECT' }
const readFeature = { permission: 'READ_FEATURE' }

/** The routes by method and path, in which `:project` and `:flag` are parameters. */
const routes: Record<string, Route> = {
  'PUT /api/admin/projects/:project/settings': {
    access: { permission: 'UPDATE_PROJECT' },
    specified: true,
    respond({ project: id, request, state }) {
      const settings = parseSettings(jsonBody(request), state.specOnly)
      const project = requireProject(id, state)
      const updated = updateProject(project, settings)
      state.projects.set(id, updated)
      return { changes: changeTexts(project, updated) }
    },
  },
  'GET /api/admin/client-metrics/features/:flag': {
    access: readFeature,
    specified: true,
    respond({ flag: name, state }) {
      const flag = state.flags.get(name)
      if (!flag) throw new Refusal(404, `No feature flag with the name ${name} exists`)
      return { body: usageOf(flag, state.clock()) }
    },
  },
  'GET /api/admin/client-metrics/features/:flag/raw': {
    access: readFeature,
    respond: ({ flag, request, state }) => ({
      body: rawMetricsOf(state.flags.get(flag), hoursBackOf(request.query), state.clock()),
    }),
  },
  'GET /api/admin/projects': {
    access: readProject,
    respond: ({ state }) => ({ body: projectList(state) }),
  },
  'GET /api/admin/projects/:project/overview': {
    access: readProject,
    respond: ({ project, state }) => ({ body: projectOverview(project, state) }),
  },
  'GET /api/admin/projects/:project/features': {
    access: readFeature,
    respond: ({ project, state }) => ({ body: featureList(project, state) }),
  },
  'GET /api/admin/projects/:project/features/:flag': {
    access: readFeature,
    respond: ({ project, flag, state }) => ({ body: featureDocument(project, flag, state) }),
  },
  'POST /api/admin/projects/:project/archive': {
    access: { permission: 'DELETE_FEATURE' },
    respond: ({ project, request, state }) => ({
      status: 202,
      changes: archiveFlags(project, jsonBody(request), state),
    }),
  },
  'GET /api/admin/metrics/unknown-flags': {
    access: readFeature,
    respond: ({ state }) => ({ body: unknownFlagList(state) }),
  },
  'POST /api/admin/features/validate': {
    access: readFeature,
    respond({ request, state }) {
      validateName(jsonBody(request), state)
      return {}
    },
  },
  'GET /api/admin/user': {
    access: 'any key',
    respond: ({ request: { key } }) => ({
      body: key === sandboxKeys.full ? adminUser(key) : viewer,
    }),
  },
  'GET /api/admin/ui-config': {
    access: 'any key',
    respond: () => ({ body: uiConfig }),
  },
  'GET /health': {
    access: 'public',
    respond: () => ({ body: { health: 'GOOD' } }),
  },
}

/** The decoded parameters of a request line; undefined for one that the route does not have. */
function parametersOf(route: string, line: string): Record<string, string> | undefined {
  const pattern = route.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')
  const match = new RegExp(`^${pattern}$`).exec(line)
  if (!match) return undefined
  try {
    const decoded = Object.entries(match.groups ?? {}).map(([name, segment]) => [
      name,
      decodeURIComponent(segment),
    ])
    return Object.fromEntries(decoded)
  } catch {
    return undefined
  }
}

function find(request: SandboxRequest, state: SandboxState) {
  for (const [line, route] of Object.entries(routes)) {
    const parameters = parametersOf(line, `${request.method} ${request.path}`)
    if (parameters) return { route, call: { project: '', flag: '', ...parameters, request, state } }
  }
  return undefined
}

function missingPermission({ project, flag, state }: Call, permission: string): Refusal {
  const id = project || state.flags.get(flag)?.project
  const place = id === undefined ? '' : ` in the project ${id}`
  return new Refusal(403, `You need the permission ${permission}${place}`)
}

/**
 * The result of a request.
 * @throws a `Refusal` for one that the service would refuse
 */
export function respond(request: SandboxRequest, state: SandboxState): RouteResult {
  const { key, path } = request
  const found = find(request, state)
  const access = found?.route.access
  if (access !== 'public' && key !== sandboxKeys.full && key !== sandboxKeys.none) {
    throw new Refusal(401, 'You must send one of the API keys of this sandbox in Authorization')
  }
  if (!found || (state.specOnly && !found.route.specified))
    throw new Refusal(404, `The path you were looking for (${path}) is not available`)
  if (typeof access === 'object' && key === sandboxKeys.none) {
    throw missingPermission(found.call, access.permission)
  }
  return found.route.respond(found.call)
}
