import { CANARY } from '../../support/flagadm.ts'
import { both, type Fault } from './fault.ts'
import { answer, sends } from './service.ts'

const json = 'Content-Type: application/json'
const id = '4f6c1d0a-0000-4000-8000-000000000000'

interface Status {
  status: number
  kind: string
  exitCode: number
  hint?: string
  attempts: number
}

function rejected(status: number): Status {
  return { status, kind: 'rejected', exitCode: 7, attempts: 1 }
}

function unavailable(status: number, attempts: number): Status {
  return { status, kind: 'unavailable', exitCode: 8, hint: 'try again later', attempts }
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
  rejected(402),
  {
    status: 403,
    kind: 'forbidden',
    exitCode: 5,
    hint: 'use a key that has this permission',
    attempts: 1,
  },
  {
    status: 404,
    kind: 'notFound',
    exitCode: 6,
    hint: 'check the name and the address (http://service/…); some editions lack some operations',
    attempts: 1,
  },
  rejected(409),
  rejected(410),
  rejected(413),
  rejected(415),
  rejected(418),
  rejected(422),
  unavailable(429, 3),
  unavailable(500, 3),
  unavailable(501, 1),
  unavailable(502, 3),
  unavailable(503, 3),
  unavailable(504, 3),
]

interface Said {
  name?: string
  id?: string
  message: string
}

interface Body {
  name: string
  headers: readonly string[]
  text: string
  said: Said
  /** How the text form shows it, where that differs. */
  shown?: Said
}

// As long as a message may be, with the mask.
const words = 'word '.repeat(398)

const bodies: readonly Body[] = [
  {
    name: 'as specified',
    headers: [json],
    text: JSON.stringify({ id, name: 'AuthenticationRequired', message: 'no' }),
    said: { id, name: 'AuthenticationRequired', message: 'no' },
  },
  {
    name: 'hostile',
    headers: [json],
    text: JSON.stringify({
      id: `1\n2${CANARY}`,
      name: '\u001b[31mOops\u202e',
      message: `no\r\nerror: yes\u0007\u2066${CANARY}`,
    }),
    said: {
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
    name: 'with a message whose end would be inside the key',
    headers: [json],
    text: JSON.stringify({ message: `${words}${CANARY} ${words}` }),
    said: { message: `${words}[redacted]…` },
  },
  {
    name: 'a page',
    headers: [`Content-Type: text/html\u009b2J${CANARY}; charset=utf-8`],
    text: `<html>\u001b[2J${CANARY}`,
    said: { message: 'no error message from http://service/… (text/html\u009b2J[redacted])' },
    shown: { message: 'no error message from http://service/… (text/html\\x9b2J[redacted])' },
  },
  {
    name: 'empty',
    headers: [],
    text: '',
    said: { message: 'no error message from http://service/… (no content type)' },
  },
  {
    name: 'JSON of the wrong shape',
    headers: [json],
    text: JSON.stringify({ id: 1, name: ['\u001b[2J'], message: { message: CANARY }, details: 1 }),
    said: { message: 'no error message from http://service/… (application/json)' },
  },
]

function refusal({ status, attempts, ...ending }: Status, body: Body): Fault {
  const { said, shown = said } = body
  const note = attempts > 1 ? `, ${attempts} attempts` : ''
  const name = shown.name === undefined ? '' : ` ${shown.name}`
  const idNote = shown.id === undefined ? '' : ` (id ${shown.id})`
  return {
    name: `${status}, ${body.name}`,
    serve: sends(answer(status, body.headers, body.text)),
    ends: both({
      ...ending,
      attempts,
      line: `${status}${name}: ${shown.message}${note}${idNote}`,
      json: { ...said, status, message: `${said.message}${note}` },
    }),
  }
}

/** Every status of an error, with each kind of body. */
export const refusals = statuses.flatMap((status) => bodies.map((body) => refusal(status, body)))
