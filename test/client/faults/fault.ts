import type { Operation } from './operations.ts'

/** A run that fails, with the service's address as `http://service` and a request's as `http://service/…`. */
export interface Failure {
  exitCode: number
  kind: string
  /** The text form's line, after `error: ` and the subject. */
  line: string
  /** What the JSON form says instead. */
  json: { status?: number; name?: string; id?: string; message: string }
  hint?: string
  attempts: number
}

/** How a run ends. */
export type Ending = 'done' | Failure

/** Where the fault is, and what belongs to it. */
export interface Served {
  url: string
  /** How many connections the service has had; not known of one that does not exist. */
  connections?: () => number
  /** Files in the user's world. */
  files?: Record<string, string>
}

/** A row of the matrix. */
export interface Fault {
  name: string
  serve: () => Promise<Served>
  /** Further arguments. */
  argv?: readonly string[]
  ends: Record<Operation, Ending>
}

/** The same ending of both operations. */
export function both(ending: Ending): Record<Operation, Ending> {
  return { 'project settings set': ending, 'feature usage': ending }
}

/** The failure of a run that has no usable answer to show. */
export function unavailable(message: string, hint: string, attempts = 1): Failure {
  return { exitCode: 8, kind: 'unavailable', line: message, json: { message }, hint, attempts }
}
