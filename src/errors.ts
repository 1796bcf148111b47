/** Every way a run can end, its exit code and what the code means: help and README print this table. */
export const endings = {
  done: [0, 'done'],
  unexpected: [
    1,
    'unexpected failure: a bug (with its stack), or output that could not be written',
  ],
  usage: [2, 'wrong command line or input file'],
  configuration: [3, 'configuration missing, unreadable or refused'],
  unauthenticated: [4, 'not authenticated (401)'],
  forbidden: [5, 'permission missing (403)'],
  notFound: [6, 'not found (404)'],
  rejected: [7, 'the service rejected the request (400, 415, other 4xx)'],
  unavailable: [8, 'the service could not be reached or gave no usable answer'],
  checkFailed: [9, 'a check did not hold'],
  partial: [10, 'some of several targets failed'],
  interrupted: [130, 'interrupted'],
} as const satisfies Record<string, readonly [number, string]>

export type Ending = keyof typeof endings
export type ErrorKind = Exclude<Ending, 'done'>

/** What the service said of a failure: section "Errors" of the specification; any part may be missing. */
export interface ServiceFailure {
  status: number
  name?: string | undefined
  id?: string | undefined
  details?: string[] | undefined
}

interface ErrorParts {
  /** The next step, as one sentence without a full stop. */
  hint?: string | undefined
  /** The service's answer, when the failure is one. */
  service?: ServiceFailure | undefined
  /** The flag that this failure belongs to, when several were asked for. */
  featureName?: string | undefined
  cause?: unknown
}

/** The one error for what a user can mend. Anything else that is thrown is a bug of ours. */
export class FlagadmError extends Error {
  readonly kind: ErrorKind
  readonly hint: string | undefined
  readonly service: ServiceFailure | undefined
  readonly featureName: string | undefined

  constructor(kind: ErrorKind, message: string, parts: ErrorParts = {}) {
    super(message, { cause: parts.cause })
    this.kind = kind
    this.hint = parts.hint
    this.service = parts.service
    this.featureName = parts.featureName
  }

  get exitCode(): number {
    return endings[this.kind][0]
  }
}

/** The error with the flag's name added, for a run that asks for several flags. */
export function aboutFeature(error: FlagadmError, featureName: string): FlagadmError {
  const { kind, message, hint, service, cause } = error
  return new FlagadmError(kind, message, { featureName, cause, hint, service })
}

/** What went wrong, on one line without flag and hint. Not yet made printable. */
export function problemText({ service, message }: FlagadmError): string {
  const head = service ? [service.status, service.name].filter(Boolean).join(' ') : ''
  const details = service?.details?.length ? ` (${service.details.join('; ')})` : ''
  const id = service?.id ? ` (id ${service.id})` : ''
  return `${head ? `${head}: ` : ''}${message}${details}${id}`
}

/** The lines that a terminal shows: the problem, then the hint if there is one. Not yet made printable. */
export function errorLines(error: FlagadmError): string[] {
  const about = error.featureName === undefined ? '' : `${error.featureName}: `
  const line = `error: ${about}${problemText(error)}`
  return error.hint ? [line, `hint: ${error.hint}`] : [line]
}

/** The same as JSON data; absent parts are left out. */
export function errorJson(error: FlagadmError): object {
  const { kind, exitCode, featureName, message, hint, service } = error
  const { status, name, id, details } = service ?? {}
  return { error: { kind, exitCode, featureName, status, name, id, message, details, hint } }
}

/**
 * The error of a run that could not read some or all of several flags: of the kind that all failures
 * share, `partial` otherwise. The only failure of a single flag is returned as it is.
 */
export function failureOfAll(failures: readonly FlagadmError[], requested: number): FlagadmError {
  const [first] = failures
  if (first && requested === 1) return first
  const alike = failures.length === requested && failures.every(({ kind }) => kind === first?.kind)
  const kind = alike && first ? first.kind : 'partial'
  return new FlagadmError(kind, `${failures.length} of ${requested} flags could not be read`)
}
