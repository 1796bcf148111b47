import { about, FlagadmError, type Subject } from '../errors.ts'
import { checkShape } from '../input/shape.ts'
import type { Redact } from '../redact.ts'
import { ExceededLimit, parseDocument } from './document.ts'
import { readEnvironments } from './environments.ts'
import { answerError, unusable } from './failures.ts'
import { type FeatureUsage, featureUsageSchema, type ProjectSettings } from './schema.ts'
import type { Delivered, HttpRequest, Transport } from './transport.ts'

/** A usage document: parsed, and its JSON text. */
export interface UsageAnswer {
  usage: FeatureUsage
  /** As the service sent it. */
  json: string
}

/** The service: a method for each operation. Errors name the project or flag they concern. */
export interface Service {
  /** Section "1. Update project enterprise settings". Sends only the given fields. */
  updateProjectSettings(projectId: string, settings: ProjectSettings): Promise<void>
  /** Section "2. Read last hour of usage of a feature flag". */
  featureUsage(name: string): Promise<UsageAnswer>
  /** The environments of one project after the other, as far as the service lists them. */
  environments(): AsyncIterable<string[]>
}

/**
 * A path segment for a name, percent-encoded.
 * @throws a usage error for the empty name, `.` and `..`: a URL cannot address them
 */
function segment(what: string, name: string): string {
  if (name === '' || name === '.' || name === '..') {
    throw new FlagadmError('usage', `invalid ${what} '${name}'`, { hint: `give the ${what}` })
  }
  try {
    return encodeURIComponent(name)
  } catch (cause) {
    const hint = 'check how the text is encoded'
    throw new FlagadmError('usage', `the ${what} is not valid Unicode`, { hint, cause })
  }
}

/** The request of the first operation: a dry run prints it, the client sends it. */
export function settingsRequest(
  projectId: string,
  settings: ProjectSettings,
): HttpRequest & { body: string } {
  return {
    method: 'PUT',
    path: `/api/admin/projects/${segment('project id', projectId)}/settings`,
    body: JSON.stringify(settings),
  }
}

function readUsage(answer: Delivered): FeatureUsage {
  const { contentType, text } = answer
  if (!/^application\/([\w.-]+\+)?json\b/i.test(contentType)) {
    throw unusable(answer, `${contentType.split(';', 1)[0] || 'no content type'} instead of JSON`)
  }
  let data: unknown
  try {
    data = parseDocument(text)
  } catch (error) {
    if (error instanceof ExceededLimit) throw unusable(answer, error.message)
    throw unusable(answer, text === '' ? 'an empty body' : 'JSON that is malformed or cut off')
  }
  const { data: usage, problem } = checkShape(featureUsageSchema, data)
  if (problem) {
    throw unusable(
      answer,
      `a usage document of the wrong shape (${problem.path || 'document'}: ${problem.message})`,
    )
  }
  return usage
}

/** Runs a call, adding to its errors the project or flag that they concern. */
async function concerning<Result>(subject: Subject, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof FlagadmError ? about(error, subject) : error
  }
}

/**
 * A client with a method for each operation.
 * @param redact masks secrets in the service's error messages
 */
export function createClient(transport: Transport, redact: Redact): Service {
  async function send(request: HttpRequest): Promise<Delivered> {
    const answer = await transport.send(request)
    if (answer.status >= 300) throw answerError(answer, redact)
    if (answer.status !== 200) throw unusable(answer, `${answer.status} instead of 200`)
    return answer
  }
  return {
    async updateProjectSettings(projectId, settings) {
      const request = settingsRequest(projectId, settings)
      await concerning({ projectId }, async () => {
        const answer = await send(request)
        if (/html/i.test(answer.contentType))
          throw unusable(answer, 'a page instead of 200 and no body')
      })
    },
    async featureUsage(name) {
      const path = `/api/admin/client-metrics/features/${segment('flag name', name)}`
      return concerning({ featureName: name }, async () => {
        const answer = await send({ method: 'GET', path })
        return { usage: readUsage(answer), json: answer.text }
      })
    },
    environments: () => readEnvironments(transport),
  }
}
