import { type ErrorKind, FlagadmError, type ServiceFailure } from '../errors.ts'
import type { Redact } from '../output/redact.ts'
import { attemptsNote, type Delivered } from './transport.ts'

const MESSAGE_LIMIT = 2000
// A longer error is not parsed: what it says would not be read either.
const ERROR_LIMIT = 1024 * 1024

const kinds: Record<number, ErrorKind> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'notFound',
  408: 'unavailable',
  429: 'unavailable',
}

function kindOf(status: number): ErrorKind {
  return kinds[status] ?? (status < 500 ? 'rejected' : 'unavailable')
}

const hints: Record<number, string> = {
  401: 'check the API key; `--verbose` tells where it comes from',
  403: 'use a key that has this permission',
  404: 'check the name and the address of the service; not every edition has every operation',
}

function hintOf({ status, wait }: Delivered): string | undefined {
  if (wait) {
    return `the service asks to wait ${Math.ceil(wait / 1000)} s; raise --timeout or try then`
  }
  return hints[status] ?? (kindOf(status) === 'unavailable' ? 'try again later' : undefined)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

function text(value: unknown, redact: Redact): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  // Before it is cut: half a key could not be told from other text.
  const masked = redact(value)
  return masked.length > MESSAGE_LIMIT ? `${masked.slice(0, MESSAGE_LIMIT)}…` : masked
}

/** Real servers put the reasons of a 400 into `details: [{ message }]`, and often the message once more. */
function detailsOf(body: Record<string, unknown>, redact: Redact): string[] | undefined {
  if (!Array.isArray(body.details)) return undefined
  const reasons = body.details
    .slice(0, 20)
    .map((detail) => text(detail, redact) ?? text(fieldsOf(detail).message, redact))
    .filter((reason) => reason !== undefined)
    .filter((reason) => reason !== text(body.message, redact))
  return reasons.length > 0 ? reasons : undefined
}

function parseBody(body: string): Record<string, unknown> {
  if (body.length > ERROR_LIMIT) return {}
  try {
    return fieldsOf(JSON.parse(body))
  } catch {
    return {}
  }
}

function fallbackMessage({ url, contentType }: Delivered): string {
  const type = contentType.split(';', 1)[0] || 'no content type'
  return `${new URL(url).origin} says no more (${type})`
}

function originOf(location: string | undefined, url: string): string {
  const target = location && URL.canParse(location, url) ? new URL(location, url) : undefined
  if (!target) return 'nowhere'
  return target.origin === 'null' ? target.protocol : target.origin
}

function redirected(answer: Delivered): FlagadmError {
  const { status, location, url } = answer
  return new FlagadmError(
    'unavailable',
    `${new URL(url).origin} redirects to ${originOf(location, url)}, which is not followed`,
    { hint: 'set the address of the service itself as base URL', service: { status } },
  )
}

/**
 * The error for any answer that is not the specified success: section "Errors" of the
 * specification. It branches on the status alone, since names vary and parts may be missing.
 */
export function answerError(answer: Delivered, redact: Redact): FlagadmError {
  const { status, attempts } = answer
  // Nobody asked whether something has changed.
  if (status === 304) return unusable(answer, '304 instead of 200')
  if (status < 400) return redirected(answer)
  const body = parseBody(answer.text)
  const service: ServiceFailure = {
    status,
    name: text(body.name, redact),
    id: text(body.id, redact),
    details: detailsOf(body, redact),
  }
  const message = text(body.message, redact) ?? fallbackMessage(answer)
  return new FlagadmError(kindOf(status), `${message}${attemptsNote(attempts)}`, {
    service,
    hint: hintOf(answer),
  })
}

/** The error for an answer with a success status that is not what the specification says. */
export function unusable({ url }: Delivered, what: string): FlagadmError {
  return new FlagadmError('unavailable', `${new URL(url).origin} answered with ${what}`, {
    hint: 'check that the address is that of the service and not of a proxy or its login page',
  })
}
