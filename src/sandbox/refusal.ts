import { randomUUID } from 'node:crypto'

/** The error name of each status: section "Errors" of the specification, and the real service's for 409. */
const names = {
  400: 'ValidationError',
  401: 'AuthenticationRequired',
  403: 'NoAccessError',
  404: 'NotFoundError',
  408: 'RequestTimeoutError',
  409: 'NameExistsError',
  413: 'PayloadTooLargeError',
  415: 'ContentTypeerror',
  421: 'MisdirectedRequestError',
  431: 'HeadersTooLargeError',
  500: 'InternalError',
} as const

export type RefusalStatus = keyof typeof names

/** The body of an error answer. */
export interface ErrorBody {
  id: string
  name: string
  message: string
}

/** Thrown while a request is worked on: the request is answered with this status and message. */
export class Refusal extends Error {
  readonly status: RefusalStatus

  constructor(status: RefusalStatus, message: string) {
    super(message)
    this.status = status
  }
}

/** The error body for a status; every one has an identifier of its own. */
export function errorBody(status: RefusalStatus, message: string): ErrorBody {
  return { id: randomUUID(), name: names[status], message }
}
