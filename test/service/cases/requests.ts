import type { Expected } from './target.ts'

interface ErrorResponse {
  status: number
  name?: string
  id: boolean
}

interface BareRequest {
  name: string
  path: string
  /** Sent with PUT besides or instead of the key and the content type; null leaves one out. */
  headers?: Record<string, string | null>
  /** The body of a PUT; without one, the request is a GET. */
  body?: string
  expected: Expected<ErrorResponse>
}

const path = '/api/admin/projects/default/settings'
const wrongType: Expected<ErrorResponse> = {
  service: { status: 415, name: 'ContentTypeError', id: true },
  sandbox: { status: 415, name: 'ContentTypeerror', id: true },
  because: 'the specification spells it with a lower-case error',
}
const valid = { status: 400, name: 'ValidationError', id: true }
const invalid: Expected<ErrorResponse> = {
  service: { ...valid, name: 'BadDataError' },
  sandbox: valid,
  because: 'the specification calls it ValidationError',
}

/** Requests that flagadm never sends, and what a target returns. */
export const requests: readonly BareRequest[] = [
  {
    name: 'plain text',
    path,
    headers: { 'Content-Type': 'text/plain' },
    body: '{}',
    expected: wrongType,
  },
  {
    name: 'no JSON',
    path,
    body: '{',
    expected: {
      service: { status: 400, id: false },
      sandbox: valid,
      because: 'the service returns only a message; the specification has all parts',
    },
  },
  { name: 'a naming rule that is null', path, body: '{"featureNaming":null}', expected: invalid },
  {
    name: 'a path that does not exist',
    path: '/api/admin/client-metrics/no-such-thing',
    expected: { status: 404, name: 'NotFoundError', id: true },
  },
]
