import { gzipSync } from 'node:zlib'
import { CANARY } from '../../support/flagadm.ts'
import { someUsage } from '../../support/server.ts'
import { type Fault, type Failure, floods, head, response, sends, unavailable } from './fault.ts'

const json = 'Content-Type: application/json'
const gzip = 'Content-Encoding: gzip'
const usage = JSON.stringify(someUsage)

const checkService = 'check that this is the address of the service'

/** The failure of a run whose response has a success status but is unusable. */
export function unusable(what: string): Failure {
  return unavailable(
    `http://service/… returned ${what}`,
    `${checkService} and not of a proxy or a login page`,
  )
}

function garbled(code: string): Failure {
  return unavailable(`http://service: the response is malformed (${code})`, checkService)
}

function otherSuccess(status: number): Fault {
  return {
    name: `the status ${status}`,
    serve: sends(head(status)),
    ...unusable(`${status} instead of 200`),
  }
}

const tooLarge = unavailable('http://service: the response is larger than 32 MiB', checkService)
// 64 MiB in 64 KiB.
const bomb = Buffer.concat(Array.from({ length: 64 }, () => gzipSync(Buffer.alloc(1024 * 1024))))

/** Responses with a success status that are broken or do not follow the specification. */
const successes: readonly Fault[] = [
  {
    name: 'chunked garbage',
    serve: sends(head(200, [json, 'Transfer-Encoding: chunked']), 'garbage\r\n'),
    ...garbled('HPE_INVALID_CHUNK_SIZE'),
  },
  {
    name: 'a Content-Length that is too long',
    serve: sends(head(200, [json, `Content-Length: ${usage.length + 1}`]), usage),
    ...unavailable(
      'http://service: the connection was closed before the response was complete, 3 attempts',
      'check the address and that the service is up',
      3,
    ),
  },
  {
    name: 'a Content-Length that is too short',
    serve: sends(head(200, [json, `Content-Length: ${usage.length - 1}`]), usage),
    ...unusable('JSON that is malformed or cut off'),
  },
  // These two are endless, so the reader has to stop early to report them.
  {
    name: 'an endless body',
    serve: floods(head(200, [json]), Buffer.alloc(64 * 1024, ' ')),
    ...tooLarge,
  },
  { name: 'a gzip bomb', serve: floods(head(200, [json, gzip]), bomb), ...tooLarge },
  {
    name: 'an empty body that is marked as compressed',
    serve: sends(response(200, [json, gzip], '')),
    ...unusable('an empty body'),
  },
  {
    name: 'an empty chunked body that is marked as compressed',
    serve: sends(head(200, [json, gzip, 'Transfer-Encoding: chunked']), '0\r\n\r\n'),
    ...unusable('an empty body'),
  },
  {
    name: 'an empty body',
    serve: sends(response(200, [json], '')),
    ...unusable('an empty body'),
  },
  {
    name: 'a page',
    serve: sends(response(200, ['Content-Type: text/html\u009b2J'], '<html>\u001b[2J')),
    ...unusable('text/html\\x9b2J instead of JSON'),
    json: { message: 'http://service/… returned text/html\u009b2J instead of JSON' },
  },
  {
    name: 'a document of the wrong shape',
    serve: sends(response(200, [json], JSON.stringify({ lastHourUsage: { '\u001b[2J': CANARY } }))),
    ...unusable('JSON of the wrong shape (lastHourUsage: expected Array)'),
  },
  { ...otherSuccess(204), everyOperation: true },
  otherSuccess(201),
  otherSuccess(205),
  otherSuccess(299),
  otherSuccess(304),
]

function redirect(status: number, location: string | undefined, origin: string): Fault {
  const message = `http://service/… redirects to ${origin}, which is not followed`
  return {
    name: `a redirect ${status} to ${location ?? 'nowhere'}`,
    serve: sends(response(status, location === undefined ? [] : [`Location: ${location}`], '')),
    exitCode: 8,
    kind: 'unavailable',
    line: `${status}: ${message}`,
    json: { status, message },
    hint: 'set the base URL to the address of the service itself',
    attempts: 1,
  }
}

const elsewhere = 'https://elsewhere.test'

const redirects: readonly Fault[] = [
  ...[300, 301, 302, 303, 305, 307, 308, 399].map((status) =>
    redirect(status, `${elsewhere}/a?b#c`, elsewhere),
  ),
  redirect(302, `https://${CANARY}@elsewhere.test/${CANARY}`, elsewhere),
  redirect(302, '/login', 'http://service'),
  redirect(302, 'javascript:alert(1)', 'javascript:'),
  redirect(302, 'http://[', 'an invalid address'),
  redirect(302, undefined, 'an invalid address'),
]

interface ErrorFields {
  name?: string
  id?: string
  message: string
}

interface ErrorBody {
  name: string
  headers: readonly string[]
  text: string
  /** As the JSON form shows it. */
  fields: ErrorFields
  /** As the text form shows it, where that differs. */
  shown?: ErrorFields
}

interface Status extends Pick<Failure, 'exitCode' | 'kind' | 'attempts' | 'hint'> {
  status: number
}

function refusal(status: Status, body: ErrorBody): Fault {
  const { fields, shown = fields } = body
  const note = status.attempts > 1 ? `, ${status.attempts} attempts` : ''
  const name = shown.name === undefined ? '' : ` ${shown.name}`
  const id = shown.id === undefined || status.status === 404 ? '' : ` (id ${shown.id})`
  const { status: code, ...ending } = status
  return {
    name: `the status ${code} with ${body.name}`,
    serve: sends(response(code, body.headers, body.text)),
    ...ending,
    line: `${code}${name}: ${shown.message}${note}${id}`,
    json: { ...fields, status: code, message: `${fields.message}${note}` },
  }
}

function rejected(status: number): Status {
  return { status, kind: 'rejected', exitCode: 7, attempts: 1 }
}

function failed(status: number, attempts: number): Status {
  return { status, kind: 'unavailable', exitCode: 8, hint: 'try again later', attempts }
}

const noPermission: Status = {
  status: 403,
  kind: 'forbidden',
  exitCode: 5,
  hint: 'use a key that has this permission',
  attempts: 1,
}

const statuses: readonly Status[] = [
  rejected(400),
  {
    status: 401,
    kind: 'unauthenticated',
    exitCode: 4,
    hint: 'check the API key; --verbose shows where it comes from',
    attempts: 1,
  },
  {
    status: 404,
    kind: 'notFound',
    exitCode: 6,
    hint: 'check the name (flagadm project list, flagadm feature list --all-projects) and the address',
    attempts: 1,
  },
  rejected(409),
  rejected(415),
  rejected(499),
  failed(408, 3),
  { ...failed(429, 3), hint: 'raise --retries, or try again later' },
  failed(500, 3),
  failed(501, 1),
  failed(502, 3),
  failed(503, 3),
  failed(504, 3),
  failed(599, 1),
]

const id = '4f6c1d0a-0000-4000-8000-000000000000'

// The name belongs to another status, and must not affect the exit code.
const specified: ErrorBody = {
  name: 'an error as specified',
  headers: [json],
  text: JSON.stringify({ id, name: 'ContentTypeerror', message: 'no' }),
  fields: { id, name: 'ContentTypeerror', message: 'no' },
}

// As long as a message may be, with the mask.
const words = 'word '.repeat(398)

const errorBodies: readonly ErrorBody[] = [
  specified,
  {
    name: 'hostile text',
    headers: [json],
    text: JSON.stringify({
      id: `1\n2${CANARY}`,
      name: '\u001b[31mOops\u202e',
      message: `no\r\nerror: yes\u0007\u2066${CANARY}`,
    }),
    fields: {
      id: '1\n2[redacted]',
      name: '\u001b[31mOops\u202e',
      message: 'no\r\nerror: yes\u0007\u2066[redacted]',
    },
    shown: {
      id: '1\\x0a2[redacted]',
      name: '\\x1b[31mOops\\u202e',
      message: 'no\\x0d\\x0aerror: yes\\x07\\u2066[redacted]',
    },
  },
  {
    name: 'a message that would be cut inside the key',
    headers: [json],
    text: JSON.stringify({ message: `${words}${CANARY} ${words}` }),
    fields: { message: `${words}[redacted]…` },
  },
  {
    name: 'a page',
    headers: [`Content-Type: text/html\u009b2J${CANARY}; charset=utf-8`],
    text: `<html>\u001b[2J${CANARY}`,
    fields: { message: 'no error message from http://service/… (text/html\u009b2J[redacted])' },
    shown: { message: 'no error message from http://service/… (text/html\\x9b2J[redacted])' },
  },
  {
    name: 'an empty body',
    headers: [],
    text: '',
    fields: { message: 'no error message from http://service/… (no content type)' },
  },
  {
    name: 'JSON of the wrong shape',
    headers: [json],
    text: JSON.stringify({ id: 1, name: ['\u001b[2J'], message: { message: CANARY }, details: 1 }),
    fields: { message: 'no error message from http://service/… (application/json)' },
  },
]

/** The same status with each kind of body. */
export const forbidden = errorBodies.map((body) => refusal(noPermission, body))

/** Responses that are not the specified success. */
export const responses: readonly Fault[] = [
  ...successes,
  ...redirects,
  ...statuses.map((status) => refusal(status, specified)),
  ...forbidden,
  {
    ...refusal(failed(503, 3), specified),
    name: 'a service that is unavailable',
    everyOperation: true,
  },
]
