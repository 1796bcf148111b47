import type { GenericSchema } from 'valibot'
import { refuseUsage, type Subject } from '../errors.ts'
import { capabilities, type Capability, lackText, type Release } from './release.ts'
import * as schema from './schema.ts'
import type { HttpRequest } from './transport.ts'

/** An operation of the service: the client, the tests and the documentation read it from here. */
export interface Operation extends Capability {
  /** For the table of operations: an imperative without a full stop. */
  summary: string
  method: HttpRequest['method']
  /** Names after `/:`, `=:` and, in a query with an operator, `::` are parameters. */
  path: `/${string}`
  /** The status of a success, 200 by default. */
  success?: number
  /** The permission that the key needs; without one, any admin key may call the operation. */
  permission?: string
  /** The heading in the specification; without one, the operation is beyond it (docs/unleash.md). */
  section?: string
  /** `any`: accepts every key; `none`: is called without one. By default, only admin keys are accepted. */
  access?: 'none' | 'any'
  /** The first version that does not have it any more. */
  until?: string
  /** Whether something else works where it is missing. */
  hasFallback?: true
  /** The status, besides 404, with which versions refuse it that do not have it yet. */
  lackStatus?: number
  /** The words of `doctor` for what the permission allows; a list of projects follows. */
  grants?: string
  /** Another permission that some of its requests need, and the words for what that allows. */
  further?: { permission: string; grants: string }
  /** The shape of the response, which is JSON; without one, the response is empty. */
  response?: GenericSchema
  /** Whether a body is an error: nothing else confirms this answer, while what a write did is read back. */
  needsEmptyBody?: true
  /** Parameters and a body, from which tests derive the request. */
  example?: { parameters?: PathParameters; body?: object }
}

export type WriteOperation = Operation & { response?: never }

// Before that version, a search ignores the filter and returns flags without `archivedAt`.
const archivedFlags = {
  method: 'GET',
  noun: 'list of archived flags',
  since: '6.4',
  instead: 'the admin interface of the service lists them, and can revive them',
  hasFallback: true,
  lackStatus: 403,
  response: schema.foundFeaturesSchema,
} as const

const eventSearch = {
  method: 'GET',
  noun: 'search for events of flags',
  since: '6.1',
  hasFallback: true,
  response: schema.eventsSchema,
} as const

const switching = {
  method: 'POST',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  grants: 'switch on and off flags of',
} as const

// Where no strategy is enabled, the service adds one.
const adding = {
  permission: 'CREATE_FEATURE_STRATEGY',
  grants: 'add strategies to flags of',
} as const

const severalSwitches = {
  noun: 'operation that switches several flags',
  since: '5.1',
  instead: 'switch them one by one',
} as const

export const operations = {
  updateProjectSettings: {
    summary: "Update a project's mode, naming rule and link templates",
    method: 'PUT',
    path: '/api/admin/projects/:projectId/settings',
    permission: 'UPDATE_PROJECT',
    section: '1. Update project enterprise settings',
    noun: 'operation that changes the settings of projects',
    since: '5.6',
    missingIn: ['Open Source'],
    grants: 'change the settings of',
    example: { parameters: { projectId: 'default' }, body: { mode: 'private' } },
  },
  featureUsage: {
    summary: 'Read the last hour of usage of a feature flag',
    method: 'GET',
    path: '/api/admin/client-metrics/features/:featureName',
    section: '2. Read last hour of usage of a feature flag',
    response: schema.featureUsageSchema,
    example: { parameters: { featureName: 'some-flag' } },
  },
  projects: {
    summary: 'List the projects',
    method: 'GET',
    path: '/api/admin/projects',
    response: schema.projectListSchema,
  },
  projectOverview: {
    summary: 'Read an overview of a project: its settings and environments',
    method: 'GET',
    path: '/api/admin/projects/:projectId/overview',
    noun: 'overview of projects',
    since: '5.8',
    hasFallback: true,
    response: schema.projectOverviewSchema,
    example: { parameters: { projectId: 'default' } },
  },
  // Where there is no overview.
  project: {
    summary: 'Read a project: its settings and flags',
    method: 'GET',
    path: '/api/admin/projects/:projectId',
    until: '7.0',
    response: schema.projectSchema,
    example: { parameters: { projectId: 'default' } },
  },
  // The list is also empty for an unknown project.
  projectFeatures: {
    summary: 'List the feature flags of a project',
    method: 'GET',
    path: '/api/admin/projects/:projectId/features',
    response: schema.projectFeaturesSchema,
    example: { parameters: { projectId: 'default' } },
  },
  featureDocument: {
    summary: 'Read a feature flag: its state, dependencies and lifecycle',
    method: 'GET',
    path: '/api/admin/projects/:projectId/features/:featureName',
    response: schema.featureDocumentSchema,
    example: { parameters: { projectId: 'default', featureName: 'some-flag' } },
  },
  featureTypes: {
    summary: 'List the types of feature flags',
    method: 'GET',
    path: '/api/admin/feature-types',
    response: schema.featureTypesSchema,
  },
  // The service accepts names that do not exist: read the flags back.
  archiveFeatures: {
    summary: 'Archive feature flags of a project',
    method: 'POST',
    path: '/api/admin/projects/:projectId/archive',
    success: 202,
    noun: 'operation that archives flags of a project',
    since: '5.1',
    instead: 'archive them in the admin interface of the service',
    permission: 'DELETE_FEATURE',
    grants: 'archive flags of',
    example: { parameters: { projectId: 'default' }, body: { features: ['old-flag'] } },
  },
  // Switches every environment of the flags off; accepts names that are not archived.
  reviveFeatures: {
    summary: 'Revive archived feature flags of a project',
    method: 'POST',
    path: '/api/admin/projects/:projectId/revive',
    noun: 'operation that revives flags of a project',
    since: '5.1',
    instead: 'revive them in the admin interface of the service',
    permission: 'UPDATE_FEATURE',
    grants: 'revive flags of',
    example: { parameters: { projectId: 'default' }, body: { features: ['old-flag'] } },
  },
  // Refuses a parent that has a parent itself, is archived or does not exist.
  addDependency: {
    summary: 'Make a feature flag depend on another one',
    method: 'POST',
    path: '/api/admin/projects/:projectId/features/:featureName/dependencies',
    noun: 'dependencies between flags',
    since: '5.7',
    lackStatus: 403,
    permission: 'UPDATE_FEATURE_DEPENDENCY',
    grants: 'add dependencies to flags of',
    example: {
      parameters: { projectId: 'default', featureName: 'some-flag' },
      body: { feature: 'old-flag', enabled: true },
    },
  },
  // All or nothing. Where no strategy is enabled, it adds the default one of the project, or one that is on for everyone.
  switchOnFeatures: {
    ...switching,
    ...severalSwitches,
    summary: 'Switch on feature flags in an environment',
    path: '/api/admin/projects/:projectId/bulk_features/environments/:environment/on',
    further: adding,
    example: {
      parameters: { projectId: 'default', environment: 'production' },
      body: { features: ['old-flag'] },
    },
  },
  // All or nothing.
  switchOffFeatures: {
    ...switching,
    ...severalSwitches,
    summary: 'Switch off feature flags in an environment',
    path: '/api/admin/projects/:projectId/bulk_features/environments/:environment/off',
    example: {
      parameters: { projectId: 'default', environment: 'production' },
      body: { features: ['old-flag'] },
    },
  },
  // Before 5.12, both also switch archived flags and those of other projects.
  switchOnFeature: {
    ...switching,
    summary: 'Switch on a feature flag in an environment',
    path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/on',
    further: adding,
    example: {
      parameters: { projectId: 'default', featureName: 'some-flag', environment: 'production' },
    },
  },
  switchOffFeature: {
    ...switching,
    summary: 'Switch off a feature flag in an environment',
    path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/off',
    example: {
      parameters: { projectId: 'default', featureName: 'some-flag', environment: 'production' },
    },
  },
  segments: {
    summary: 'List the segments that strategies use',
    method: 'GET',
    path: '/api/admin/segments',
    response: schema.segmentsSchema,
  },
  // Allowed 15 times a minute. Lists all flags whose names contain the text, but for archived ones.
  searchFeatures: {
    summary: 'Find feature flags by name',
    method: 'GET',
    path: '/api/admin/search/features?limit=100&query=:featureName&offset=:offset',
    noun: 'search for flags',
    since: '5.9',
    lackStatus: 403,
    response: schema.foundFeaturesSchema,
    example: { parameters: { featureName: 'some-flag', offset: '0' } },
  },
  // Allowed 15 times a minute. Lists all archived flags whose names contain the text.
  archivedFeatures: {
    ...archivedFlags,
    summary: 'Find archived feature flags by name',
    path: '/api/admin/search/features?archived=IS:true&limit=100&query=:featureName&offset=:offset',
    example: { parameters: { featureName: 'some-flag', offset: '0' } },
  },
  // Allowed 15 times a minute, at most 100 flags each time. Those that were never seen come last.
  seenArchivedFeatures: {
    ...archivedFlags,
    summary: 'List the archived feature flags, those that were seen last first',
    path: '/api/admin/search/features?archived=IS:true&sortBy=lastSeenAt&sortOrder=desc&limit=100&offset=:offset',
    example: { parameters: { offset: '0' } },
  },
  // Allowed 15 times a minute, at most 100 flags each time.
  archivedProjectFeatures: {
    ...archivedFlags,
    summary: 'List the archived feature flags of a project',
    path: '/api/admin/search/features?project=IS::projectId&archived=IS:true&limit=100&offset=:offset',
    example: { parameters: { projectId: 'default', offset: '0' } },
  },
  // Where they cannot be searched.
  archive: {
    summary: 'List the archived feature flags of all projects, without pages',
    method: 'GET',
    path: '/api/admin/archive/features',
    until: '7.0',
    response: schema.foundFeaturesSchema,
  },
  allArchivedFeatures: {
    ...archivedFlags,
    summary: 'List the archived feature flags of all projects',
    path: '/api/admin/search/features?archived=IS:true&limit=100&offset=:offset',
    example: { parameters: { offset: '0' } },
  },
  // `from`, a day, is ignored before 6.3. Names are separated by commas; about 200 fit into a URL.
  searchEvents: {
    ...eventSearch,
    summary: 'List the events of feature flags, newest first',
    path: '/api/admin/search/events?feature=IS_ANY_OF::featureNames&from=IS::from&limit=1000&offset=:offset',
    example: { parameters: { featureNames: 'some-flag', from: '2026-01-01', offset: '0' } },
  },
  // Where events cannot be searched: all events of a flag.
  featureEvents: {
    summary: 'List the events of a feature flag, newest first',
    method: 'GET',
    path: '/api/admin/events/:featureName',
    response: schema.eventsSchema,
    example: { parameters: { featureName: 'some-flag' } },
  },
  projectEvents: {
    ...eventSearch,
    summary: 'List the events of projects, newest first',
    path: '/api/admin/search/events?project=IS_ANY_OF::projectIds&from=IS::from&limit=1000&offset=:offset',
    example: { parameters: { projectIds: 'default', from: '2026-01-01', offset: '0' } },
  },
  allEvents: {
    ...eventSearch,
    summary: 'List all events, newest first',
    path: '/api/admin/search/events?from=IS::from&limit=1000&offset=:offset',
    example: { parameters: { from: '2026-01-01', offset: '0' } },
  },
  // Where events cannot be searched: those of a flag, a project, a type, or all.
  oldEvents: {
    summary: 'List events, newest first',
    method: 'POST',
    path: '/api/admin/events/search',
    until: '7.0',
    response: schema.eventsSchema,
    example: { body: { project: 'default', limit: 100, offset: 0 } },
  },
  // They have no flag. `data` of a segment's is the segment; of a global one, only root admins see them. A new default strategy of
  // a project is not among them: it changes no flag but those that are switched on later, which have events of their own.
  sharedEvents: {
    ...eventSearch,
    summary: 'List the events that may have changed several flags, newest first',
    path: '/api/admin/search/events?type=IS_ANY_OF:segment-updated,features-imported&from=IS::from&limit=1000&offset=:offset',
    example: { parameters: { from: '2026-01-01', offset: '0' } },
  },
  environmentEvents: {
    summary: 'List the events that took an environment out of a project or the service',
    method: 'GET',
    path: '/api/admin/search/events?type=IS_ANY_OF:project-environment-removed,environment-deleted&from=IS::from&limit=1000&offset=:offset',
    noun: 'search for events of projects',
    since: '6.1',
    response: schema.eventsSchema,
    example: { parameters: { from: '2026-01-01', offset: '0' } },
  },
  unknownFlags: {
    summary: 'List the names that SDKs ask for but no feature flag has',
    method: 'GET',
    path: '/api/admin/metrics/unknown-flags',
    noun: 'list of unknown names',
    since: '7.2',
    instead: 'feature usage with the name and --since 48h shows who asks for it',
    response: schema.unknownFlagsSchema,
  },
  // An error status has the reason why a new flag of the project could not have the name.
  validateFeatureName: {
    summary: 'Check whether a new feature flag could have a name',
    method: 'POST',
    path: '/api/admin/features/validate',
    needsEmptyBody: true,
    example: { body: { name: 'free', projectId: 'default' } },
  },
  // The service may return fewer buckets, or 24 for a number that it does not support.
  apiTokens: {
    summary:
      'List the API tokens: which projects and environments they are for, and when they were used',
    method: 'GET',
    path: '/api/admin/api-tokens',
    permission: 'READ_CLIENT_API_TOKEN',
    response: schema.apiTokensSchema,
  },
  statistics: {
    summary: 'Read how much usage the service received yesterday',
    method: 'GET',
    path: '/api/admin/instance-admin/statistics',
    response: schema.statisticsSchema,
  },
  featureUsageHours: {
    summary: 'Read the hourly usage of a feature flag',
    method: 'GET',
    path: '/api/admin/client-metrics/features/:featureName/raw?hoursBack=:hoursBack',
    response: schema.featureUsageHoursSchema,
    // The flag for which `profile check` reads the hours.
    example: { parameters: { featureName: 'flagadm-check', hoursBack: '1' } },
  },
  health: {
    summary: 'Read whether the service is up',
    method: 'GET',
    path: '/health',
    access: 'none',
    response: schema.healthSchema,
  },
  // The document may contain the API key.
  user: {
    summary: 'Read the permissions of the API key',
    method: 'GET',
    path: '/api/admin/user',
    access: 'any',
    response: schema.userSchema,
  },
  uiConfig: {
    summary: 'Read the version and edition of the service',
    method: 'GET',
    path: '/api/admin/ui-config',
    access: 'any',
    response: schema.uiConfigSchema,
  },
} as const satisfies Record<string, Operation>

/** What a release lacks of what flagadm can do, and why. */
export function missingCapabilities(release: Release): { name: string; reason: string }[] {
  const required = Object.values<Operation>(operations).filter(({ hasFallback }) => !hasFallback)
  const reasons = [...required, ...Object.values<Capability>(capabilities)].map((capability) => {
    return [capability.noun, lackText(release, capability)] as const
  })
  return Array.from(new Map(reasons), ([name, reason]) =>
    name && reason ? [{ name, reason }] : [],
  )
    .flat()
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The values of the parameters of a path. Errors include the project and the flag. */
export type PathParameters = Readonly<Record<string, string | undefined>>

type Before<Text, Delimiter extends string> = Text extends `${infer Start}${Delimiter}${string}`
  ? Start
  : Text

type NamesAfter<
  Path extends string,
  Mark extends string,
> = Path extends `${string}${Mark}:${infer Rest}`
  ? Before<Before<Before<Rest, '/'>, '?'>, '&'> | NamesAfter<Rest, Mark>
  : never

/** The parameters that a path has, and the project or flag that only errors include. */
export type ParametersOf<Path extends string> = Subject & {
  [Name in NamesAfter<Path, '/' | '=' | ':'>]: string
}

export function subjectOf({ projectId, featureName }: PathParameters): Subject {
  return { projectId, featureName }
}

/** The words for parameters that errors call otherwise than paths. */
const words = new Map([
  ['projectId', 'project id'],
  ['featureName', 'flag name'],
  ['featureNames', 'flag name'],
])

// UTF-8 has no bytes for it.
const LONE_SURROGATE = /\p{Cs}/u
const ENCODING = 'check how the text is encoded'

/** Why a URL cannot have a text as a parameter, and what to do; undefined if it can. */
export function addressProblem(
  parameter: string,
  value: string,
): { message: string; hint: string } | undefined {
  const what = words.get(parameter) ?? parameter
  if (value === '' || value === '.' || value === '..') {
    const hint = `a ${what} cannot be empty, '.' or '..'`
    return { message: `invalid ${what} '${value}'`, hint }
  }
  if (!LONE_SURROGATE.test(value)) return undefined
  return { message: `the ${what} is not valid Unicode`, hint: ENCODING }
}

/**
 * The value of a parameter, percent-encoded.
 * @throws a usage error for a text that a URL cannot have
 */
function segment(parameter: string, value: string): string {
  const problem = addressProblem(parameter, value)
  if (problem) refuseUsage(problem.message, problem.hint)
  return encodeURIComponent(value)
}

/** A body as JSON. @throws a usage error for a text that is not valid Unicode: the service would store another one */
function bodyText(body: object): string {
  return JSON.stringify(body, (_key, value: unknown) => {
    if (typeof value === 'string' && LONE_SURROGATE.test(value)) {
      refuseUsage(`'${value}' is not valid Unicode`, ENCODING)
    }
    return value
  })
}

/**
 * The request that calls an operation.
 * @throws a usage error for a text that cannot be sent
 */
export function requestOf(
  { method, path, access }: Operation,
  parameters: PathParameters,
  body?: object,
): HttpRequest {
  return {
    method,
    path: path.replaceAll(/(?<=[/=:]):(\w+)/g, (_, name: string) =>
      segment(name, parameters[name] ?? ''),
    ),
    ...(body && { body: bodyText(body) }),
    ...(access === 'none' && { anonymous: true }),
  }
}
