import type { GenericSchema, InferOutput } from 'valibot'
import { about, FlagadmError, type Subject } from '../errors.ts'
import { checkShape } from '../input/shape.ts'
import type { Redact } from '../redact.ts'
import { ExceededLimit, parseDocument } from './document.ts'
import { responseError, unusable } from './failures.ts'
import {
  type Operation,
  operations,
  type Parameters,
  type ResponseDocument,
  requestOf,
} from './operations.ts'
import type {
  FeatureUsage,
  FeatureUsageHours,
  Health,
  ProjectFeatures,
  ProjectList,
  ProjectOverview,
  ProjectSettings,
  UiConfig,
  UnknownFlags,
  User,
} from './schema.ts'
import type { HttpResponse, Transport } from './transport.ts'

/** A document of the service: its data, and its JSON text as the service sent it. */
export interface ServiceDocument<Data> {
  data: Data
  json: string
}

/** The service: one method per operation. Errors include the project or flag that they concern. */
export interface Service {
  /** Sends only the given fields. */
  updateProjectSettings(projectId: string, settings: ProjectSettings): Promise<void>
  featureUsage(featureName: string): Promise<ServiceDocument<FeatureUsage>>
  projects(): Promise<ServiceDocument<ProjectList>>
  projectOverview(projectId: string): Promise<ServiceDocument<ProjectOverview>>
  /** The list is also empty for an unknown project. */
  projectFeatures(projectId: string): Promise<ServiceDocument<ProjectFeatures>>
  unknownFlags(): Promise<ServiceDocument<UnknownFlags>>
  /** Resolves if a new flag of the project could have this name; otherwise rejects with the service's reason. */
  validateFeatureName(name: string, projectId: string): Promise<void>
  /**
   * The last hour buckets, the current one included. The service may return fewer, or 24 for a number
   * that it does not support.
   */
  featureUsageHours(
    featureName: string,
    hoursBack: number,
  ): Promise<ServiceDocument<FeatureUsageHours>>
  health(): Promise<Health>
  /** Only the data: the text of the response may contain the API key. */
  user(): Promise<User>
  uiConfig(): Promise<UiConfig>
}

function parseJson(response: HttpResponse): unknown {
  const { contentType, text } = response
  if (!/^application\/([\w.-]+\+)?json\b/i.test(contentType)) {
    throw unusable(response, `${contentType.split(';', 1)[0] || 'no content type'} instead of JSON`)
  }
  try {
    return parseDocument(text)
  } catch (error) {
    if (error instanceof ExceededLimit) throw unusable(response, error.message)
    throw unusable(response, text === '' ? 'an empty body' : 'JSON that is malformed or cut off')
  }
}

function readDocument<Schema extends GenericSchema>(
  response: HttpResponse,
  { name, schema }: ResponseDocument<Schema>,
): ServiceDocument<InferOutput<Schema>> {
  const { data, problem } = checkShape(schema, parseJson(response))
  if (!problem) return { data, json: response.text }
  const { path, message } = problem
  throw unusable(response, `${name} of the wrong shape (${path || 'document'}: ${message})`)
}

function checkEmpty(response: HttpResponse): void {
  // Some services send a JSON body, but a page comes from a proxy or a login.
  if (/html/i.test(response.contentType))
    throw unusable(response, 'an HTML page instead of an empty body')
}

/**
 * A client that calls the service's operations over a transport.
 * @param redact masks secrets in the service's error messages
 */
export function createClient(transport: Transport, redact: Redact): Service {
  async function call<Result>(
    operation: Operation,
    { hoursBack, ...subject }: Parameters,
    body: object | undefined,
    read: (response: HttpResponse) => Result,
  ): Promise<Result> {
    const request = requestOf(operation, { ...subject, hoursBack }, body)
    try {
      const response = await transport.send(request)
      const { status } = response
      if (status >= 300) throw responseError(response, redact)
      if (status !== 200) throw unusable(response, `${status} instead of 200`)
      return read(response)
    } catch (error) {
      throw error instanceof FlagadmError ? about(error, subject) : error
    }
  }

  function get<Schema extends GenericSchema>(
    operation: Operation & { response: ResponseDocument<Schema> },
    parameters: Parameters,
  ): Promise<ServiceDocument<InferOutput<Schema>>> {
    return call(operation, parameters, undefined, (response) =>
      readDocument(response, operation.response),
    )
  }

  const send = (operation: Operation, subject: Subject, body: object) =>
    call(operation, subject, body, checkEmpty)

  return {
    updateProjectSettings: (projectId, settings) =>
      send(operations.updateProjectSettings, { projectId }, settings),
    featureUsage: (featureName) => get(operations.featureUsage, { featureName }),
    projects: () => get(operations.projects, {}),
    projectOverview: (projectId) => get(operations.projectOverview, { projectId }),
    projectFeatures: (projectId) => get(operations.projectFeatures, { projectId }),
    unknownFlags: () => get(operations.unknownFlags, {}),
    validateFeatureName: (name, projectId) =>
      send(operations.validateFeatureName, { projectId, featureName: name }, { name, projectId }),
    featureUsageHours: (featureName, hoursBack) =>
      get(operations.featureUsageHours, { featureName, hoursBack }),
    health: async () => (await get(operations.health, {})).data,
    user: async () => (await get(operations.user, {})).data,
    uiConfig: async () => (await get(operations.uiConfig, {})).data,
  }
}

// Projects share most environments, so the first ones usually have all of them.
const MAX_PROJECTS = 20

/** The result of a read beyond the specification; undefined if it fails, since not every service has it. */
export async function optional<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof FlagadmError && error.kind !== 'interrupted') return undefined
    throw error
  }
}

/** The result of a read; undefined for a 404: the service may not have the operation. */
export async function unlessMissing<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof FlagadmError && error.kind === 'notFound') return undefined
    throw error
  }
}

/** The environments of each listed project, project by project. */
export async function* readEnvironments(service: Service): AsyncGenerator<string[]> {
  const list = await optional(service.projects())
  for (const { id } of list?.data.projects.slice(0, MAX_PROJECTS) ?? []) {
    const overview = await optional(service.projectOverview(id))
    yield (overview?.data.environments ?? []).map(({ environment }) => environment)
  }
}
