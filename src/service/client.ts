import type { GenericSchema, InferOutput } from 'valibot'
import { failureOf, FlagadmError, withParts, refuseUsage } from '../errors.ts'
import { isObject, isTooDeep, TOO_DEEP } from '../input/json.ts'
import { checkShape, pathText } from '../input/shape.ts'
import type { Redact } from '../output/redact.ts'
import { isPage, responseError, unusable } from './failures.ts'
import {
  type Operation,
  operations,
  type PathParameters,
  type ParametersOf,
  requestOf,
  subjectOf,
  type WriteOperation,
} from './operations.ts'
import { once } from './once.ts'
import { lackingError, type Release, releaseOf } from './release.ts'
import { tokenKind } from './token.ts'
import type { HttpRequest, HttpResponse, Send } from './transport.ts'

/** A document of the service: its data, and its JSON text as the service sent it. */
export interface ServiceDocument<Data> {
  data: Data
  json: string
}

function parseJson(response: HttpResponse): unknown {
  const { contentType, text } = response
  if (!/^application\/([\w.-]+\+)?json\b/i.test(contentType)) {
    throw unusable(response, `${contentType} instead of JSON`)
  }
  if (isTooDeep(text)) throw unusable(response, TOO_DEEP)
  try {
    return JSON.parse(text)
  } catch {
    throw unusable(response, text === '' ? 'an empty body' : 'JSON that is malformed or cut off')
  }
}

/** @throws a usage error for a body that contains the API key: others could read what is stored */
function refuseKey({ body = '' }: HttpRequest, redact: Redact): void {
  if (redact(body) === body) return
  refuseUsage('the request would contain the API key', 'remove it from the texts that are sent')
}

/** The data of a document. @throws an error for one of the wrong shape */
function dataOf<Schema extends GenericSchema>(
  schema: Schema,
  document: unknown,
  response: HttpResponse,
): InferOutput<Schema> {
  const { data, problem } = checkShape(schema, document)
  if (!problem) return data
  const { path, message } = problem
  const what = `JSON of the wrong shape (${pathText(path) || 'document'}: ${message})`
  throw unusable(response, what)
}

interface CallOptions {
  redact: Redact
  /** Whether the key is a client or frontend token, by its format. */
  hasClientToken: boolean
  /** Called if the release may explain an error. */
  readRelease(): Promise<Release | undefined>
}

async function refusalOf(
  operation: Operation,
  response: HttpResponse,
  { redact, hasClientToken, readRelease }: CallOptions,
): Promise<FlagadmError> {
  const { section, since, missingIn, lackStatus } = operation
  const { status } = response
  const isConditional = since !== undefined || missingIn !== undefined
  const mayLack = isConditional && (status === 404 || status === lackStatus)
  const release = mayLack ? await readRelease() : undefined
  const lacking = release && lackingError(release, operation)
  // Every service has the operations of the specification.
  const isCertain = section !== undefined || release?.version !== undefined
  return (
    lacking ??
    responseError(response, redact, {
      isCertain,
      hasNames: operation.path.includes('/:'),
      hasClientToken,
    })
  )
}

/** Calls the operations of the service. Errors include the project or flag that they concern. */
export type Service = ReturnType<typeof createClient>

/** A function that warns once of each operation that a document of the service calls deprecated. */
function createMaturityCheck(warn: (message: string) => void) {
  const warned = new Set<Operation>()
  return (operation: Operation, document: unknown) => {
    if (!isObject(document) || document.maturity !== 'deprecated' || warned.has(operation)) return
    warned.add(operation)
    const [path] = operation.path.split('?')
    const what = `${operation.method} ${path}`
    warn(`the service says that ${what} is deprecated: a later version may not have it`)
  }
}

function createCall(sendRequest: Send, options: CallOptions) {
  return async <Result>(
    operation: Operation,
    parameters: PathParameters,
    { body, isSentOnce }: { body?: object | undefined; isSentOnce?: true },
    parse: (response: HttpResponse) => Result,
  ): Promise<Result> => {
    const request = { ...requestOf(operation, parameters, body), ...(isSentOnce && { isSentOnce }) }
    try {
      refuseKey(request, options.redact)
      const response = await sendRequest(request)
      const { status } = response
      if (status >= 300) throw await refusalOf(operation, response, options)
      const { success = 200 } = operation
      if (status !== success) throw unusable(response, `${status} instead of ${success}`)
      return parse(response)
    } catch (error) {
      if (!(error instanceof FlagadmError) || error.isLacking) throw error
      throw withParts(error, subjectOf(parameters))
    }
  }
}

interface ClientOptions {
  apiKey: string
  /** Masks secrets in the service's error messages. */
  redact: Redact
  warn(message: string): void
}

export function createClient(sendRequest: Send, { apiKey, redact, warn }: ClientOptions) {
  const checkMaturity = createMaturityCheck(warn)
  const hasClientToken = tokenKind(apiKey) === 'client'
  const call = createCall(sendRequest, { redact, hasClientToken, readRelease: () => release() })

  const parserOf =
    <Schema extends GenericSchema>(operation: Operation & { response: Schema }) =>
    (response: HttpResponse): ServiceDocument<InferOutput<Schema>> => {
      const document = parseJson(response)
      const data = dataOf(operation.response, document, response)
      checkMaturity(operation, document)
      return { data, json: response.text }
    }

  const read = <Path extends string, Schema extends GenericSchema>(
    operation: Operation & { path: Path; response: Schema },
    parameters: ParametersOf<Path>,
    body?: object,
  ) => call(operation, parameters, { body }, parserOf(operation))

  const config = once(async () => (await read(operations.uiConfig, {})).data)

  const release = async (): Promise<Release | undefined> => {
    const reported = await optional(config())
    return reported && releaseOf(reported)
  }

  return {
    read,
    /** The same without another attempt after a failure, for what a user who waits can do without. */
    readQuickly: <Path extends string, Schema extends GenericSchema>(
      operation: Operation & { path: Path; response: Schema },
      parameters: ParametersOf<Path>,
    ) => call(operation, parameters, { isSentOnce: true }, parserOf(operation)),
    /** Returns what the service reports about itself, which is read once. */
    config,
    /** Returns the release of the service; undefined if the service does not report it. */
    release,
    send: <Path extends string>(
      operation: WriteOperation & { path: Path },
      parameters: ParametersOf<Path>,
      body?: object,
    ) =>
      call(operation, parameters, { body }, (response) => {
        // Some services send a JSON body.
        if (isPage(response)) throw unusable(response, 'an HTML page instead of an empty body')
        if (operation.needsEmptyBody && response.text !== '') {
          throw unusable(response, 'a body instead of an empty one')
        }
      }),
  }
}

/** The result of a read beyond the specification; undefined if it fails, because not every service has it. */
export function optional<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  return reading.catch((error: unknown) => {
    // Rethrows an interrupt or a bug.
    failureOf(error)
    return undefined
  })
}

/** The result of a read; undefined for a 404: the service may not have the operation. */
export function unlessMissing<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  return reading.catch((error: unknown) => {
    if (failureOf(error).kind === 'notFound') return undefined
    throw error
  })
}
