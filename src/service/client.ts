import { FlagadmError } from '../errors.ts'
import { checkShape } from '../input/shape.ts'
import type { Redact } from '../output/redact.ts'
import { ExceededLimit, parseDocument } from './document.ts'
import { answerError, unusable } from './failures.ts'
import { type FeatureUsage, featureUsageSchema, type ProjectSettings } from './schema.ts'
import type { Delivered, HttpRequest, Transport } from './transport.ts'

/** A usage answer: as read, and as it came. */
export interface UsageAnswer {
  usage: FeatureUsage
  /** The document's own JSON text. */
  json: string
}

/** The service: a method for each operation of the specification. */
export interface Service {
  /** Section "1. Update project enterprise settings". Sends what it is given and nothing else. */
  updateProjectSettings(projectId: string, settings: ProjectSettings): Promise<void>
  /** Section "2. Read last hour of usage of a feature flag". */
  featureUsage(name: string): Promise<UsageAnswer>
}

/**
 * A path segment for a name, percent-encoded.
 * @throws a usage error for the empty name, `.` and `..`: a URL cannot address them
 */
function segment(what: string, name: string): string {
  if (name === '' || name === '.' || name === '..') {
    throw new FlagadmError('usage', `'${name}' is no ${what}`, { hint: `give the ${what}` })
  }
  try {
    return encodeURIComponent(name)
  } catch (cause) {
    const hint = 'check how the text is encoded'
    throw new FlagadmError('usage', `the ${what} is not valid Unicode`, { hint, cause })
  }
}

/** The request of the first operation: shown by a dry run, sent by the client. */
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

/**
 * A client that speaks both operations over a transport.
 * @param redact masks secrets in what the service says of a failure
 */
export function createClient(transport: Transport, redact: Redact): Service {
  return {
    async updateProjectSettings(projectId, settings) {
      const answer = await transport.send(settingsRequest(projectId, settings))
      if (answer.status >= 300) throw answerError(answer, redact)
      if (answer.status !== 200) throw unusable(answer, `${answer.status} instead of 200`)
      if (/html/i.test(answer.contentType))
        throw unusable(answer, 'a page instead of 200 and no body')
    },
    async featureUsage(name) {
      const path = `/api/admin/client-metrics/features/${segment('flag name', name)}`
      const answer = await transport.send({ method: 'GET', path })
      if (answer.status >= 300) throw answerError(answer, redact)
      if (answer.status !== 200) throw unusable(answer, `${answer.status} instead of 200`)
      return { usage: readUsage(answer), json: answer.text }
    },
  }
}
