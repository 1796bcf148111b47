import * as flags from './flags.ts'
import { updateSettings } from './settings.ts'
import { type Call, Refusal, type SandboxRequest, type SandboxState } from './state.ts'
import { rawMetricsOf, usageOf } from './usage.ts'

/** The keys that every sandbox accepts. They are public and work nowhere else. */
export const sandboxKeys = {
  full: '*:*.5a9db0c500000000000000000000000000000000f011acce55',
  none: '*:*.5a9db0c500000000000000000000000000000000dead10cced',
} as const

/** `public`: works without a key; `any`: with each key; otherwise the permission that the key needs. */
type Access = 'public' | 'any' | `${'READ' | 'UPDATE' | 'DELETE'}_${'PROJECT' | 'FEATURE'}`

/** As in the real service, the document about an admin contains the token. */
function userOf({ key }: Call) {
  return key === sandboxKeys.full
    ? { user: { type: 'admin', secret: key }, permissions: [{ permission: 'ADMIN' }] }
    : { user: { username: 'sandbox-viewer' }, permissions: [] }
}

/** The routes by method and path, in which `:project` and `:flag` are parameters. They return the body of the reply. */
const routes: Record<string, readonly [Access, (call: Call) => object | undefined]> = {
  'PUT /api/admin/projects/:project/settings': ['UPDATE_PROJECT', updateSettings],
  'GET /api/admin/client-metrics/features/:flag': ['READ_FEATURE', usageOf],
  'GET /api/admin/client-metrics/features/:flag/raw': ['READ_FEATURE', rawMetricsOf],
  'GET /api/admin/projects': ['READ_PROJECT', flags.projectList],
  'GET /api/admin/projects/:project/overview': ['READ_PROJECT', flags.projectOverview],
  'GET /api/admin/projects/:project/features': ['READ_FEATURE', flags.featureList],
  'GET /api/admin/projects/:project/features/:flag': ['READ_FEATURE', flags.featureDocument],
  'POST /api/admin/projects/:project/archive': ['DELETE_FEATURE', flags.archive],
  'GET /api/admin/search/features': ['READ_FEATURE', flags.search],
  'GET /api/admin/metrics/unknown-flags': ['READ_FEATURE', flags.unknown],
  'POST /api/admin/features/validate': ['READ_FEATURE', flags.validateName],
  'GET /api/admin/user': ['any', userOf],
  'GET /api/admin/ui-config': ['any', () => ({ version: '8.2.0', environment: 'Sandbox' })],
  'GET /health': ['public', () => ({ health: 'GOOD' })],
}

/** The routes that the specification describes. */
const specified = Object.keys(routes).slice(0, 2)

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
  const known = Object.keys(routes).find((route) => parametersOf(route, line)) ?? ''
  const [access, handle] = routes[known] ?? []
  if (access !== 'public' && key !== sandboxKeys.full && key !== sandboxKeys.none) {
    throw new Refusal(401, 'You must send one of the API keys of this sandbox in Authorization')
  }
  if (!handle || (state.specOnly && !specified.includes(known))) {
    throw new Refusal(404, `The path you were looking for (${path}) is not available`)
  }
  const names = { project: '', flag: '', ...parametersOf(known, line) }
  if (access !== 'public' && access !== 'any' && key === sandboxKeys.none) {
    const id = names.project || state.flags.get(names.flag)?.project
    const place = id === undefined ? '' : ` in the project ${id}`
    throw new Refusal(403, `You need the permission ${access}${place}`)
  }
  const body = handle({ ...request, ...names, state })
  const isChange = /^(?:UPDATE|DELETE)_/.test(access ?? '')
  // The service accepts changes of several flags with 202.
  return { status: isChange && access !== 'UPDATE_PROJECT' ? 202 : 200, body, isChange }
}
