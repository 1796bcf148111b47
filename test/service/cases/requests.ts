import type { Expected } from './target.ts'

interface Answer {
  status: number
  name?: string
  id: boolean
}

interface BareRequest {
  name: string
  method: 'GET' | 'PUT'
  path: string
  /** Sent besides or instead of the key and the content type; null leaves one out. */
  headers?: Record<string, string | null>
  body?: string
  answer: Expected<Answer>
}

const settings = '/api/admin/projects/default/settings'
const usage = '/api/admin/client-metrics/features/a'
const invalid: Answer = { status: 400, name: 'ValidationError', id: true }
const invalidThere: Answer = { status: 400, name: 'BadDataError', id: true }
const wrongType: Expected<Answer> = {
  service: { status: 415, name: 'ContentTypeError', id: true },
  sandbox: { status: 415, name: 'ContentTypeerror', id: true },
  because: 'the specification spells it with a lower-case error',
}
const validation = 'the specification calls it ValidationError'

function unauthenticated(name: string, method: 'GET' | 'PUT', path: string): BareRequest {
  const answer = { status: 401, name: 'AuthenticationRequired', id: true }
  const headers = { Authorization: null }
  return { name, method, path, headers, ...(method === 'PUT' && { body: '{}' }), answer }
}

/** Requests that flagadm never sends, and what a target answers. */
export const requests: readonly BareRequest[] = [
  unauthenticated('settings without a key', 'PUT', settings),
  unauthenticated('usage without a key', 'GET', usage),
  {
    name: 'settings as plain text',
    method: 'PUT',
    path: settings,
    headers: { 'Content-Type': 'text/plain' },
    body: '{}',
    answer: wrongType,
  },
  {
    name: 'settings without a content type',
    method: 'PUT',
    path: settings,
    headers: { 'Content-Type': null },
    answer: wrongType,
  },
  {
    name: 'settings that are no JSON',
    method: 'PUT',
    path: settings,
    body: '{',
    answer: {
      service: { status: 400, id: false },
      sandbox: invalid,
      because: 'the service answers with a message only; the specification has all parts',
    },
  },
  {
    name: 'settings with an unknown mode',
    method: 'PUT',
    path: settings,
    body: '{"mode":"closed"}',
    answer: { service: invalidThere, sandbox: invalid, because: validation },
  },
  {
    name: 'settings that are a list',
    method: 'PUT',
    path: settings,
    body: '[]',
    answer: { service: invalidThere, sandbox: invalid, because: validation },
  },
  {
    name: 'a naming rule that is null',
    method: 'PUT',
    path: settings,
    body: '{"featureNaming":null}',
    answer: { service: invalidThere, sandbox: invalid, because: validation },
  },
  {
    name: 'a path that does not exist',
    method: 'GET',
    path: '/api/admin/client-metrics/no-such-thing',
    answer: { status: 404, name: 'NotFoundError', id: true },
  },
]
