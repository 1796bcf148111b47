import { flagEvents, searchEvents } from './events.ts'
import * as flags from './flags.ts'
import { updateSettings } from './settings.ts'
import {
  noParameters,
  Refusal,
  type RouteCall,
  type SandboxRequest,
  type SandboxState,
} from './state.ts'
import { rawMetrics, usageDocument } from './usage.ts'

/** The keys that every sandbox accepts. They are public and work nowhere else. */
export const sandboxKeys = {
  full: '*:*.5a9db0c500000000000000000000000000000000f011acce55',
  none: '*:*.5a9db0c500000000000000000000000000000000dead10cced',
} as const

/** As in the real service, the document about an admin contains the token. */
function userOf({ key }: RouteCall) {
  return key === sandboxKeys.full
    ? { user: { type: 'admin', secret: key }, permissions: [{ permission: 'ADMIN' }] }
    : { user: { username: 'sandbox-viewer' }, permissions: [] }
}

interface Route {
  /** The permission that a key needs; without one, every key may call the route. */
  permission?: string
  isPublic?: true
  isSpecified?: true
  isChange?: true
  /** The status of a success, 200 by default. */
  success?: number
  handle: (call: RouteCall) => object | undefined
}

/**
 * The routes by method and path, in which `:project` and `:flag` are parameters.
 * @internal A test compares them with the operations of the client.
 */
export const routes: Readonly<Record<string, Route>> = {
  'PUT /api/admin/projects/:project/settings': {
    permission: 'UPDATE_PROJECT',
    isSpecified: true,
    isChange: true,
    handle: updateSettings,
  },
  'GET /api/admin/client-metrics/features/:flag': {
    permission: 'READ_FEATURE',
    isSpecified: true,
    handle: usageDocument,
  },
  'GET /api/admin/client-metrics/features/:flag/raw': {
    permission: 'READ_FEATURE',
    handle: rawMetrics,
  },
  'GET /api/admin/projects': { permission: 'READ_PROJECT', handle: flags.projectList },
  'GET /api/admin/projects/:project/overview': {
    permission: 'READ_PROJECT',
    handle: flags.projectOverview,
  },
  'GET /api/admin/projects/:project/features': {
    permission: 'READ_FEATURE',
    handle: flags.featureList,
  },
  'GET /api/admin/projects/:project/features/:flag': {
    permission: 'READ_FEATURE',
    handle: flags.featureDocument,
  },
  'POST /api/admin/projects/:project/archive': {
    permission: 'DELETE_FEATURE',
    isChange: true,
    success: 202,
    handle: flags.archive,
  },
  'POST /api/admin/projects/:project/revive': {
    permission: 'UPDATE_FEATURE',
    isChange: true,
    handle: flags.revive,
  },
  'POST /api/admin/projects/:project/features/:flag/dependencies': {
    permission: 'UPDATE_FEATURE_DEPENDENCY',
    isChange: true,
    handle: flags.addDependency,
  },
  'POST /api/admin/projects/:project/bulk_features/environments/:environment/on': {
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    isChange: true,
    handle: flags.switchSeveral(true),
  },
  'POST /api/admin/projects/:project/bulk_features/environments/:environment/off': {
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    isChange: true,
    handle: flags.switchSeveral(false),
  },
  'POST /api/admin/projects/:project/features/:flag/environments/:environment/on': {
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    isChange: true,
    handle: flags.switchOne(true),
  },
  'POST /api/admin/projects/:project/features/:flag/environments/:environment/off': {
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    isChange: true,
    handle: flags.switchOne(false),
  },
  'GET /api/admin/segments': { permission: 'READ_PROJECT', handle: flags.segmentList },
  'GET /api/admin/feature-types': {
    permission: 'READ_FEATURE',
    handle: () => flags.featureTypes,
  },
  'GET /api/admin/search/features': { permission: 'READ_FEATURE', handle: flags.search },
  'GET /api/admin/search/events': { permission: 'READ_FEATURE', handle: searchEvents },
  'GET /api/admin/events/:flag': { permission: 'READ_FEATURE', handle: flagEvents },
  'GET /api/admin/metrics/unknown-flags': {
    permission: 'READ_FEATURE',
    handle: flags.unknownNames,
  },
  'POST /api/admin/features/validate': {
    permission: 'READ_FEATURE',
    handle: flags.validateName,
  },
  'GET /api/admin/api-tokens': {
    permission: 'READ_CLIENT_API_TOKEN',
    handle: () => ({ tokens: [] }),
  },
  'GET /api/admin/instance-admin/statistics': {
    permission: 'READ_PROJECT',
    handle: ({ state }) => ({
      previousDayMetricsBucketsCount: { enabledCount: state.flags.size, variantCount: 0 },
    }),
  },
  'GET /api/admin/user': { handle: userOf },
  'GET /api/admin/ui-config': {
    handle: () => ({
      version: '8.2.0',
      environment: 'Sandbox',
      flags: { extendedUsageMetrics: true },
    }),
  },
  'GET /health': { isPublic: true, handle: () => ({ health: 'GOOD' }) },
}

/** The decoded parameters of a request line; undefined for one that the route does not have. */
function parametersOf(route: string, line: string): Record<string, string> | undefined {
  const match = new RegExp(`^${route.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`).exec(line)
  if (!match) return undefined
  const segments = Object.entries(match.groups ?? {})
  return Object.fromEntries(segments.map(([name, text]) => [name, decodeURIComponent(text)]))
}

/**
 * The reply to a request.
 * @throws a `Refusal` for one that the service would refuse
 */
export function respond(request: SandboxRequest, state: SandboxState) {
  const { method, path, key } = request
  const line = `${method} ${path}`
  const routeLine = Object.keys(routes).find((one) => parametersOf(one, line)) ?? ''
  const route = routes[routeLine]
  if (!route?.isPublic && key !== sandboxKeys.full && key !== sandboxKeys.none) {
    throw new Refusal(401, 'You must send one of the API keys of this sandbox in Authorization')
  }
  if (!route || (state.specOnly && !route.isSpecified)) {
    throw new Refusal(404, `The path you were looking for (${path}) is not available`)
  }
  const { permission, isChange = false, success = 200, handle } = route
  const parameters = { ...noParameters, ...parametersOf(routeLine, line) }
  if (permission !== undefined && key === sandboxKeys.none) {
    const id = parameters.project || state.flags.get(parameters.flag)?.project
    const place = id === undefined ? '' : ` in the project ${id}`
    throw new Refusal(403, `You need the permission ${permission}${place}`)
  }
  const body = handle({ ...request, ...parameters, state })
  return { status: success, body, isChange }
}
