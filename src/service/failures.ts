import { type ErrorKind, FlagadmError, type ServiceFailure } from '../errors.ts'
import { isObject, parseJson } from '../input/json.ts'
import { DAY_MS } from '../output/time.ts'
import type { Redact } from '../output/redact.ts'
import { attemptsNote, type HttpResponse } from './transport.ts'

const MESSAGE_LIMIT = 2000

interface Meaning {
  kind: ErrorKind
  hint?: string
}

const meanings: Record<number, Meaning> = {
  401: {
    kind: 'unauthenticated',
    hint: 'check the API key, which must be an admin, service account or personal access token; --verbose shows where it comes from',
  },
  403: {
    kind: 'forbidden',
    hint: 'use a key that has this permission',
  },
  404: {
    kind: 'notFound',
    hint: 'check the name and the address; project list and feature list --all-projects show the names',
  },
  // Only a proxy sends it, here one that no variable specifies.
  407: {
    kind: 'configuration',
    hint: 'the proxy requires credentials: set HTTPS_PROXY or HTTP_PROXY with user:password@',
  },
  408: {
    kind: 'unavailable',
    hint: 'try again later',
  },
  429: {
    kind: 'unavailable',
    hint: 'raise --retries, or try again later',
  },
}

const otherClientError: Meaning = { kind: 'rejected' }
const otherServerError: Meaning = { kind: 'unavailable', hint: 'try again later' }

function meaningOf(status: number): Meaning {
  return meanings[status] ?? (status < 500 ? otherClientError : otherServerError)
}

// The service sends this to client and frontend tokens, in a 403 without a name.
const WRONG_TOKEN_TYPE = /expected a different token type/i

const USE_ADMIN_TOKEN =
  'use an admin token, a service account token (Admin settings → API access) ' +
  'or a personal access token (Profile → Personal API tokens)'

const NOT_CLIENT_TOKEN = `the API key is a client or frontend token: ${USE_ADMIN_TOKEN}`

/** Whether a response is an HTML page, which comes from a proxy, a login or another web server. */
export function isPage({ contentType }: HttpResponse): boolean {
  return /html/i.test(contentType)
}

interface RefusedRequest {
  /** Whether the key is a client or frontend token, by its format. */
  hasClientToken: boolean
  isCertain: boolean
  /** Whether its path has names of projects or flags. */
  hasNames: boolean
}

function hintOf(
  { status, wait }: HttpResponse,
  { name, message }: { name: string | undefined; message: string },
  { isCertain, hasNames, hasClientToken }: RefusedRequest,
): string | undefined {
  if (wait && wait > DAY_MS) return 'the service asks for a wait of more than a day'
  if (wait) {
    const seconds = Math.ceil(wait / 1000)
    return `the service asks for a wait of ${seconds} s: raise --retries or --timeout, or try again after that`
  }
  if (hasClientToken && (status === 401 || status === 403)) return NOT_CLIENT_TOKEN
  if (status === 403 && WRONG_TOKEN_TYPE.test(message)) return USE_ADMIN_TOKEN
  // No key may do it, as archiving a flag on which another one depends.
  if (status === 403 && name === 'InvalidOperationError') return undefined
  const hint = status === 404 && !hasNames ? 'check the address' : meaningOf(status).hint
  return status === 404 && !isCertain ? `${hint}; the service may lack this operation` : hint
}

function shortened(value: string, redact: Redact): string {
  // Mask before cutting, because part of a key would not be recognised.
  const masked = redact(value)
  return masked.length > MESSAGE_LIMIT ? `${masked.slice(0, MESSAGE_LIMIT)}…` : masked
}

function text(value: unknown, redact: Redact): string | undefined {
  return typeof value === 'string' && value !== '' ? shortened(value, redact) : undefined
}

/** The reasons of a 400: `details: [{ message }]`, without the main message. */
function detailsOf(body: Record<string, unknown>, redact: Redact): string[] | undefined {
  if (!Array.isArray(body.details)) return undefined
  const reasons = body.details
    .slice(0, 20)
    .map((detail) => text(isObject(detail) ? detail.message : detail, redact))
    .filter((reason) => reason !== undefined)
    .filter((reason) => reason !== text(body.message, redact))
  return reasons.length > 0 ? reasons : undefined
}

function errorBody(body: string): Record<string, unknown> {
  const data = parseJson(body)
  return isObject(data) ? data : {}
}

const LOGIN = /\/(log-?in|sign-?in|auth|oauth2?|sso|saml2?)\b/i

/** The address that a response redirects to, without a user, query and fragment, which may be secret. */
function targetOf({ location, url }: HttpResponse): string {
  if (location === undefined || !URL.canParse(location, url)) return 'an invalid address'
  const { protocol, origin, pathname } = new URL(location, url)
  return origin === 'null' ? protocol : `${origin}${pathname}`
}

function redirected(response: HttpResponse, redact: Redact): FlagadmError {
  const { status, url } = response
  const target = shortened(targetOf(response), redact)
  const isLogin = LOGIN.test(target)
  const where = isLogin ? `the login page ${target}` : target
  return new FlagadmError('unavailable', `${url} redirects to ${where}, which is not followed`, {
    hint: isLogin
      ? 'the service, or a proxy in front of it, asks for a login there: use an address that takes API keys'
      : 'set the base URL to the address of the service itself',
    service: { status },
  })
}

/**
 * The error for a status of 300 or more: section "Errors" of the specification. Its kind depends on
 * the status only, because names vary between servers and parts may be missing.
 */
export function responseError(
  response: HttpResponse,
  redact: Redact,
  operation: RefusedRequest,
): FlagadmError {
  const { status, attempts, url, contentType } = response
  // We never send a conditional request, so 304 is an error.
  if (status === 304) return unusable(response, '304 instead of 200')
  if (status < 400) return redirected(response, redact)
  const body = errorBody(response.text)
  const service: ServiceFailure = {
    status,
    name: text(body.name, redact),
    id: text(body.id, redact),
    details: detailsOf(body, redact),
  }
  const message = text(body.message, redact) ?? `no error message from ${url} (${contentType})`
  const hint = hintOf(response, { name: service.name, message }, operation)
  return new FlagadmError(meaningOf(status).kind, `${message}${attemptsNote(attempts)}`, {
    service,
    hint,
    isGeneral: status === 401 || hint === USE_ADMIN_TOKEN || hint === NOT_CLIENT_TOKEN,
  })
}

/** The error for a response with a success status that does not follow the specification. */
export function unusable({ url }: HttpResponse, what: string): FlagadmError {
  return new FlagadmError('unavailable', `${url} returned ${what}`, {
    hint: 'check that this is the address of the service and not of a proxy or a login page',
  })
}
