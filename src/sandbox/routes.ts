import { featureList, unknownFlagList, validateName } from './flags.ts'
import { jsonBody, Refusal, type SandboxRequest } from './http.ts'
import { findProject, projectList, projectOverview } from './projects.ts'
import { changes, parseSettings, updateProject } from './settings.ts'
import type { SandboxState } from './state.ts'
import { hoursBackOf, rawMetricsOf, usageOf } from './usage.ts'

/** `GET /health` */
export const health = { health: 'GOOD' }

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
export const viewer = { user: { username: 'sandbox-viewer' }, permissions: [], ...preferences }

/** The keys that every sandbox accepts. They are public and work nowhere else. */
export const sandboxKeys = {
  full: '*:*.5a9db0c500000000000000000000000000000000f011acce55',
  none: '*:*.5a9db0c500000000000000000000000000000000dead10cced',
} as const

/** The result of a request that succeeded. */
export interface RouteResult {
  status: number
  body?: object
  /** What the request changed, for the log. */
  changes?: string[]
}

interface Route {
  method: string
  /** Matches an undecoded path; captures the parameter if there is one. */
  path: RegExp
  /** What the parameter identifies. */
  parameter?: 'project' | 'flag'
  /** Who may use the route: everyone, everyone with a key, or a key with a permission. */
  access: 'public' | 'any key' | { permission: string }
  /** Whether the specification describes the route. */
  specified?: true
  respond(parameter: string, request: SandboxRequest, state: SandboxState): RouteResult
}

const readProject = { permission: 'READ_PROJECT' }
const readFeature = { permission: 'READ_FEATURE' }

const routes: Route[] = [
  {
    method: 'PUT',
    path: /^\/api\/admin\/projects\/([^/]+)\/settings$/,
    parameter: 'project',
    access: { permission: 'UPDATE_PROJECT' },
    specified: true,
    respond: putSettings,
  },
  {
    method: 'GET',
    path: /^\/api\/admin\/client-metrics\/features\/([^/]+)$/,
    parameter: 'flag',
    access: readFeature,
    specified: true,
    respond: getUsage,
  },
  {
    method: 'GET',
    path: /^\/api\/admin\/client-metrics\/features\/([^/]+)\/raw$/,
    parameter: 'flag',
    access: readFeature,
    respond: (name, { query }, { flags, clock }) =>
      ok(rawMetricsOf(flags.get(name), hoursBackOf(query), clock())),
  },
  {
    method: 'GET',
    path: /^\/api\/admin\/projects$/,
    access: readProject,
    respond: (_, _request, state) => ok(projectList(state)),
  },
  {
    method: 'GET',
    path: /^\/api\/admin\/projects\/([^/]+)\/overview$/,
    parameter: 'project',
    access: readProject,
    respond: (id, _, state) => ok(projectOverview(id, state)),
  },
  {
    method: 'GET',
    path: /^\/api\/admin\/projects\/([^/]+)\/features$/,
    parameter: 'project',
    access: readFeature,
    respond: (id, _, state) => ok(featureList(id, state)),
  },
  {
    method: 'GET',
    path: /^\/api\/admin\/metrics\/unknown-flags$/,
    access: readFeature,
    respond: (_, _request, state) => ok(unknownFlagList(state)),
  },
  {
    method: 'POST',
    path: /^\/api\/admin\/features\/validate$/,
    access: readFeature,
    respond: postName,
  },
  {
    method: 'GET',
    path: /^\/api\/admin\/user$/,
    access: 'any key',
    respond: (_, { key }) => ok(key === sandboxKeys.full ? adminUser(key) : viewer),
  },
  {
    method: 'GET',
    path: /^\/api\/admin\/ui-config$/,
    access: 'any key',
    respond: () => ok(uiConfig),
  },
  { method: 'GET', path: /^\/health$/, access: 'public', respond: () => ok(health) },
]

function ok(body: object): RouteResult {
  return { status: 200, body }
}

function putSettings(id: string, request: SandboxRequest, state: SandboxState): RouteResult {
  const settings = parseSettings(jsonBody(request), state.specOnly)
  const project = findProject(id, state)
  const updated = updateProject(project, settings)
  state.projects.set(id, updated)
  return { status: 200, changes: changes(project, updated) }
}

function getUsage(
  name: string,
  _request: SandboxRequest,
  { flags, clock }: SandboxState,
): RouteResult {
  const flag = flags.get(name)
  if (!flag) throw new Refusal(404, `No feature flag with the name ${name} exists`)
  return ok(usageOf(flag, clock()))
}

function postName(_parameter: string, request: SandboxRequest, state: SandboxState): RouteResult {
  validateName(jsonBody(request), state)
  return { status: 200 }
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

interface Found {
  route: Route
  /** Empty when the route has no parameter. */
  parameter: string
}

function find({ method, path }: SandboxRequest, { specOnly }: SandboxState): Found | undefined {
  for (const route of routes) {
    const match = route.method === method && (route.specified || !specOnly) && route.path.exec(path)
    const parameter = match ? decoded(match[1] ?? '') : undefined
    if (parameter !== undefined) return { route, parameter }
  }
  return undefined
}

function missingPermission({ route, parameter }: Found, permission: string, state: SandboxState) {
  const owner = { project: parameter, flag: state.flags.get(parameter)?.project }
  const project = route.parameter && owner[route.parameter]
  const place = project === undefined ? '' : ` in the project ${project}`
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
  if (!found) throw new Refusal(404, `The path you were looking for (${path}) is not available`)
  if (typeof access === 'object' && key === sandboxKeys.none) {
    throw missingPermission(found, access.permission, state)
  }
  return found.route.respond(found.parameter, request, state)
}
