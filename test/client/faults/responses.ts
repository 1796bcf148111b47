import { gzipSync } from 'node:zlib'
import { CANARY } from '../../support/flagadm.ts'
import { someUsage } from '../../support/server.ts'
import { type Failure, type Fault, floods, head, response, sends, unavailable } from './fault.ts'

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

/** A success with another status than that of the operation. */
export function otherSuccess(status: number, success = 200): Fault {
  const failure = unusable(`${status} instead of ${success}`)
  return { name: `the status ${status}`, serve: sends(head(status)), ...failure }
}

const tooLarge = unavailable('http://service: the response is larger than 32 MiB', checkService)
const megabyte = gzipSync(Buffer.alloc(1024 * 1024))
// 64 MiB in 64 KiB.
const bomb = Buffer.concat(Array.from({ length: 64 }, () => megabyte))
const hostileUsage = JSON.stringify({ lastHourUsage: { '\u001b[2J': CANARY } })
const chunked = 'Transfer-Encoding: chunked'
const lengthOf = (difference: number) => `Content-Length: ${usage.length + difference}`

const successes: readonly (readonly [name: string, serve: Fault['serve'], Failure])[] = [
  [
    'chunked garbage',
    sends(head(200, [json, chunked]), 'garbage\r\n'),
    unavailable('http://service: the response is malformed (HPE_INVALID_CHUNK_SIZE)', checkService),
  ],
  [
    'a Content-Length that is too long',
    sends(head(200, [json, lengthOf(1)]), usage),
    unavailable(
      'http://service: the connection was closed before the response was complete, 3 attempts',
      'check the address and that the service is up',
      3,
    ),
  ],
  // These two are endless, so the reader has to stop early to report them.
  ['an endless body', floods(head(200, [json]), Buffer.alloc(64 * 1024, ' ')), tooLarge],
  ['a gzip bomb', floods(head(200, [json, gzip]), bomb), tooLarge],
  ['an empty body', sends(response(200, [json], '')), unusable('an empty body')],
  [
    'a page',
    sends(response(200, ['Content-Type: text/html\u009b2J'], '<html>\u001b[2J')),
    unusable('text/html\\x9b2J instead of JSON'),
  ],
  [
    'a document of the wrong shape',
    sends(response(200, [json], hostileUsage)),
    unusable('JSON of the wrong shape (lastHourUsage: expected Array)'),
  ],
]

function redirect(
  status: number,
  location: string | undefined,
  target: string,
  hint = 'set the base URL to the address of the service itself',
): Fault {
  const message = `http://service/… redirects to ${target}, which is not followed`
  return {
    name: `a redirect ${status} to ${location ?? 'nowhere'}`,
    serve: sends(response(status, location === undefined ? [] : [`Location: ${location}`], '')),
    exitCode: 8,
    kind: 'unavailable',
    line: `${status}: ${message}`,
    json: { status, message },
    hint,
    attempts: 1,
  }
}

const LOGIN_HINT =
  'the service, or a proxy in front of it, asks for a login there: use an address that takes API keys'
const elsewhere = 'https://elsewhere.test'
const longTarget = `${`${elsewhere}/`.padEnd(2000, 'a')}…`

const redirects: readonly Fault[] = [
  ...[301, 399].map((status) => redirect(status, `${elsewhere}/a?b#c`, `${elsewhere}/a`)),
  redirect(302, `https://${CANARY}@elsewhere.test/${CANARY}`, `${elsewhere}/[redacted]`),
  redirect(302, '/login', 'the login page http://service/login', LOGIN_HINT),
  redirect(302, 'javascript:alert(1)', 'javascript:'),
  redirect(302, undefined, 'an invalid address'),
  {
    ...redirect(302, `${elsewhere}/${'a'.repeat(9_000)}`, longTarget),
    name: 'a redirect to a long address',
  },
]

interface ErrorFields {
  name?: string
  id?: string
  message: string
}

/** A body of an error: its headers and text, and its fields in the JSON form and, where it differs, the text form. */
type ErrorBody = [
  name: string,
  headers: string[],
  text: string,
  fields: ErrorFields,
  shown?: ErrorFields,
]

/** A status, how flagadm ends after it, and the number of attempts. */
type Status = [status: number, kind: string, exitCode: number, attempts: number, hint?: string]

function refusal([status, kind, exitCode, attempts, hint]: Status, body: ErrorBody): Fault {
  const [bodyName, headers, text, fields, shown = fields] = body
  const note = attempts > 1 ? `, ${attempts} attempts` : ''
  const name = shown.name === undefined ? '' : ` ${shown.name}`
  const id = shown.id === undefined || status === 404 ? '' : ` (id ${shown.id})`
  return {
    name: `the status ${status} with ${bodyName}`,
    serve: sends(response(status, headers, text)),
    kind,
    exitCode,
    attempts,
    ...(hint !== undefined && { hint }),
    line: `${status}${name}: ${shown.message}${note}${id}`,
    json: { ...fields, status, message: `${fields.message}${note}` },
  }
}

const later = 'try again later'
const noPermission: Status = [403, 'forbidden', 5, 1, 'use a key that has this permission']
const missing =
  'check the name and the address; project list and feature list --all-projects show the names'

const statuses: readonly Status[] = [
  [
    401,
    'unauthenticated',
    4,
    1,
    'check the API key, which must be an admin, service account or personal access token; --verbose shows where it comes from',
  ],
  [404, 'notFound', 6, 1, missing],
  ...[400, 499].map((status): Status => [status, 'rejected', 7, 1]),
  [429, 'unavailable', 8, 3, 'raise --retries, or try again later'],
  ...[408, 500, 503].map((status): Status => [status, 'unavailable', 8, 3, later]),
  [501, 'unavailable', 8, 1, later],
]

const id = '4f6c1d0a-0000-4000-8000-000000000000'
// The name belongs to another status, and must not affect the exit code.
const fields = { id, name: 'ContentTypeerror', message: 'no' }
const specified: ErrorBody = ['an error as specified', [json], JSON.stringify(fields), fields]

// As long as a message may be, with the mask.
const words = 'word '.repeat(398)
const none = 'no error message from http://service/…'

/** The same status with each kind of body. */
export const forbidden = [
  specified,
  ...([
    [
      'hostile text',
      [json],
      JSON.stringify({
        id: `1\n2${CANARY}`,
        name: '\u001b[31mOops\u202e',
        message: `no\r\nerror: yes\u0007\u2066${CANARY}`,
      }),
      {
        id: '1\n2[redacted]',
        name: '\u001b[31mOops\u202e',
        message: 'no\r\nerror: yes\u0007\u2066[redacted]',
      },
      {
        id: '1\\x0a2[redacted]',
        name: '\\x1b[31mOops\\u202e',
        message: 'no\\x0d\\x0aerror: yes\\x07\\u2066[redacted]',
      },
    ],
    [
      'a message that would be cut inside the key',
      [json],
      JSON.stringify({ message: `${words}${CANARY} ${words}` }),
      { message: `${words}[redacted]…` },
    ],
    [
      'a page',
      [`Content-Type: text/html\u009b2J${CANARY}; charset=utf-8`],
      `<html>\u001b[2J${CANARY}`,
      { message: `${none} (text/html\u009b2J[redacted])` },
      { message: `${none} (text/html\\x9b2J[redacted])` },
    ],
    ['an empty body', [], '', { message: `${none} (no content type)` }],
    [
      'JSON of the wrong shape',
      [json],
      JSON.stringify({ id: 1, name: ['\u001b[2J'], message: { message: CANARY }, details: 1 }),
      { message: `${none} (application/json)` },
    ],
  ] satisfies ErrorBody[]),
].map((body) => refusal(noPermission, body))

/** Responses that are not the specified success. */
export const responses: readonly Fault[] = [
  ...successes.map(([name, serve, failure]) => ({ name, serve, ...failure })),
  ...[201, 204, 304].map((status) => otherSuccess(status)),
  ...redirects,
  ...statuses.map((status) => refusal(status, specified)),
  ...forbidden,
  {
    ...refusal([503, 'unavailable', 8, 3, later], specified),
    name: 'a service that is unavailable',
    everyOperation: true,
  },
]
