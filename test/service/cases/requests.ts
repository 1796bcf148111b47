import type { Expected } from './target.ts'

interface ErrorResponse {
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
  expected: Expected<ErrorResponse>
}

const settings = '/api/admin/projects/default/settings'
const usage = '/api/admin/client-metrics/features/a'
const invalid: ErrorResponse = { status: 400, name: 'ValidationError', id: true }
const invalidThere: ErrorResponse = { status: 400, name: 'BadDataError', id: true }
const wrongType: Expected<ErrorResponse> = {
  service: { status: 415, name: 'ContentTypeError', id: true },
  sandbox: { status: 415, name: 'ContentTypeerror', id: true },
  because: 'the specification spells it with a lower-case error',
}
const validation = 'the specification calls it ValidationError'

function unauthenticated(name: string, method: 'GET' | 'PUT', path: string): BareRequest {
  const expected = { status: 401, name: 'AuthenticationRequired', id: true }
  const headers = { Authorization: null }
  return { name, method, path, headers, ...(method === 'PUT' && { body: '{}' }), expected }
}

/** Requests that flagadm never sends, and what a target returns. */
export const requests: readonly BareRequest[] = [
  unauthenticated('settings without a key', 'PUT', settings),
  unauthenticated('usage without a key', 'GET', usage),
  {
    name: 'settings as plain text',
    method: 'PUT',
    path: settings,
    headers: { 'Content-Type': 'text/plain' },
    body: '{}',
    expected: wrongType,
  },
  {
    name: 'settings without a content type',
    method: 'PUT',
    path: settings,
    headers: { 'Content-Type': null },
    expected: wrongType,
  },
  {
    name: 'settings that are not JSON',
    method: 'PUT',
    path: settings,
    body: '{',
    expected: {
      service: { status: 400, id: false },
      sandbox: invalid,
      because: 'the service returns only a message; the specification has all parts',
    },
  },
  {
    name: 'settings with an unknown mode',
    method: 'PUT',
    path: settings,
    body: '{"mode":"closed"}',
    expected: { service: invalidThere, sandbox: invalid, because: validation },
  },
  {
    name: 'settings that are a list',
    method: 'PUT',
    path: settings,
    body: '[]',
    expected: { service: invalidThere, sandbox: invalid, because: validation },
  },
  {
    name: 'a naming rule that is null',
    method: 'PUT',
    path: settings,
    body: '{"featureNaming":null}',
    expected: { service: invalidThere, sandbox: invalid, because: validation },
  },
  {
    name: 'a path that does not exist',
    method: 'GET',
    path: '/api/admin/client-metrics/no-such-thing',
    expected: { status: 404, name: 'NotFoundError', id: true },
  },
]
