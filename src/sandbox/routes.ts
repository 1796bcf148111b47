import * as flags from './flags.ts'
import { updated } from './settings.ts'
import { Refusal, type SandboxState } from './state.ts'
import { rawMetricsOf, usageOf } from './usage.ts'

/** The keys that every sandbox accepts. They are public and work nowhere else. */
export const sandboxKeys = {
  full: '*:*.5a9db0c500000000000000000000000000000000f011acce55',
  none: '*:*.5a9db0c500000000000000000000000000000000dead10cced',
} as const

/** The parts of a request that routes use. */
export interface SandboxRequest {
  method: string
  /** As sent: not decoded, without the query. */
  path: string
  query: URLSearchParams
  key: string | undefined
  contentType: string | undefined
  body: string
}

/** A request for a route, with the decoded parameters of its path; empty if the path does not have them. */
interface Call extends SandboxRequest {
  project: string
  flag: string
  state: SandboxState
}

/** `public`: works without a key; `any`: with each key; otherwise the permission that the key needs. */
type Access =
  | 'public'
  | 'any'
  | 'READ_PROJECT'
  | 'READ_FEATURE'
  | 'UPDATE_PROJECT'
  | 'DELETE_FEATURE'

const uiConfig = {
  version: '8.2.0',
  environment: 'Sandbox',
  versionInfo: { current: { oss: '8.2.0', enterprise: '' }, latest: {}, isLatest: true },
  flags: { extendedUsageMetrics: false },
  maintenanceMode: false,
}

/** As in the real service, the document about an admin contains the token. */
function userOf({ key }: SandboxRequest) {
  const preferences = { feedback: [], splash: {} }
  if (key !== sandboxKeys.full) {
    return { user: { username: 'sandbox-viewer' }, permissions: [], ...preferences }
  }
  const access = { permissions: ['ADMIN'], environment: '*', projects: ['*'] }
  return {
    user: { username: 'sandbox-admin', type: 'admin', secret: key, ...access },
    permissions: [{ permission: 'ADMIN' }],
    ...preferences,
  }
}

/** The JSON body of a request; throws 415 or 400 when it is not acceptable. */
function jsonBody({ contentType = '', body }: SandboxRequest): unknown {
  const [mediaType = ''] = contentType.split(';')
  if (mediaType.trim().toLowerCase() !== 'application/json') {
    const sent = contentType ? `${contentType} is` : 'A body without a content type is'
    throw new Refusal(415, `${sent} not accepted: only application/json is`)
  }
  try {
    return JSON.parse(body)
  } catch {
    throw new Refusal(400, 'The body is not valid JSON')
  }
}

/** The routes by method and path, in which `:project` and `:flag` are parameters. They return the body of the reply. */
const routes: Record<string, readonly [Access, (call: Call) => object | undefined]> = {
  'PUT /api/admin/projects/:project/settings': ['UPDATE_PROJECT', updateSettings],
  'GET /api/admin/client-metrics/features/:flag': ['READ_FEATURE', readUsage],
  'GET /api/admin/client-metrics/features/:flag/raw': [
    'READ_FEATURE',
    ({ flag, query, state }) => rawMetricsOf(state.flags.get(flag), query, state),
  ],
  'GET /api/admin/projects': ['READ_PROJECT', ({ state }) => flags.projectList(state)],
  'GET /api/admin/projects/:project/overview': [
    'READ_PROJECT',
    ({ project, state }) => flags.projectOverview(project, state),
  ],
  'GET /api/admin/projects/:project/features': [
    'READ_FEATURE',
    ({ project, state }) => flags.featureList(project, state),
  ],
  'GET /api/admin/projects/:project/features/:flag': [
    'READ_FEATURE',
    ({ project, flag, state }) => flags.featureDocument(project, flag, state),
  ],
  'POST /api/admin/projects/:project/archive': [
    'DELETE_FEATURE',
    (call) => flags.archive(call.project, jsonBody(call), call.state),
  ],
  'GET /api/admin/search/features': [
    'READ_FEATURE',
    ({ query, state }) => flags.search(query, state),
  ],
  'GET /api/admin/metrics/unknown-flags': ['READ_FEATURE', ({ state }) => flags.unknown(state)],
  'POST /api/admin/features/validate': [
    'READ_FEATURE',
    (call) => flags.validateName(jsonBody(call), call.state),
  ],
  'GET /api/admin/user': ['any', userOf],
  'GET /api/admin/ui-config': ['any', () => uiConfig],
  'GET /health': ['public', () => ({ health: 'GOOD' })],
}

/** The routes that the specification describes. */
const specified = Object.keys(routes).slice(0, 2)

/** The routes that change something, with the status of a success. */
const writes: Record<string, number> = {
  'PUT /api/admin/projects/:project/settings': 200,
  'POST /api/admin/projects/:project/archive': 202,
}

function updateSettings(call: Call): undefined {
  const { project: id, state } = call
  const body = jsonBody(call)
  state.projects.set(id, updated(flags.requireProject(id, state), body, state.specOnly))
}

function readUsage({ flag: name, state }: Call) {
  const flag = state.flags.get(name)
  if (!flag) throw new Refusal(404, `No feature flag with the name ${name} exists`)
  return usageOf(flag, state)
}

/** The decoded parameters of a request line; undefined for one that the route does not have. */
function parametersOf(route: string, line: string): Record<string, string> | undefined {
  const match = new RegExp(`^${route.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`).exec(line)
  if (!match) return undefined
  const segments = Object.entries(match.groups ?? {})
  try {
    return Object.fromEntries(segments.map(([name, text]) => [name, decodeURIComponent(text)]))
  } catch {
    return undefined
  }
}

export interface Reply {
  status: number
  body?: object | undefined
  isChange?: boolean
}

/**
 * The reply to a request.
 * @throws a `Refusal` for one that the service would refuse
 */
export function respond(request: SandboxRequest, state: SandboxState): Reply {
  const { method, path, key } = request
  const known = Object.keys(routes).find((route) => parametersOf(route, `${method} ${path}`))
  const [access, handle] = routes[known ?? ''] ?? []
  if (access !== 'public' && key !== sandboxKeys.full && key !== sandboxKeys.none) {
    throw new Refusal(401, 'You must send one of the API keys of this sandbox in Authorization')
  }
  if (known === undefined || !handle || (state.specOnly && !specified.includes(known))) {
    throw new Refusal(404, `The path you were looking for (${path}) is not available`)
  }
  const names = { project: '', flag: '', ...parametersOf(known, `${method} ${path}`) }
  if (access !== 'public' && access !== 'any' && key === sandboxKeys.none) {
    const id = names.project || state.flags.get(names.flag)?.project
    const place = id === undefined ? '' : ` in the project ${id}`
    throw new Refusal(403, `You need the permission ${access}${place}`)
  }
  const body = handle({ ...request, ...names, state })
  return { status: writes[known] ?? 200, body, isChange: known in writes }
}
