/** Every way a run can end, its exit code and what the code means: help and docs/reference.md print this table. */
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

/** The service's own error: section "Errors" of the specification; any part may be missing. */
export interface ServiceFailure {
  status: number
  name?: string | undefined
  id?: string | undefined
  details?: string[] | undefined
}

/** The project or flag that an error concerns. */
export interface Subject {
  projectId?: string | undefined
  featureName?: string | undefined
}

interface ErrorParts extends Subject {
  /** The next step, as one sentence without a full stop. */
  hint?: string | undefined
  /** The service's answer, when the failure is one. */
  service?: ServiceFailure | undefined
  cause?: unknown
}

/** The error type for problems the user can fix. Anything else that is thrown is a bug in flagadm. */
export class FlagadmError extends Error {
  readonly kind: ErrorKind
  readonly hint: string | undefined
  readonly service: ServiceFailure | undefined
  readonly projectId: string | undefined
  readonly featureName: string | undefined

  constructor(kind: ErrorKind, message: string, parts: ErrorParts = {}) {
    super(message, { cause: parts.cause })
    this.kind = kind
    this.hint = parts.hint
    this.service = parts.service
    this.projectId = parts.projectId
    this.featureName = parts.featureName
  }

  get exitCode(): number {
    return endings[this.kind][0]
  }
}

/** The error with the project or flag that it concerns. */
export function about(error: FlagadmError, subject: Subject): FlagadmError {
  const { kind, message, hint, service, projectId, featureName, cause } = error
  return new FlagadmError(kind, message, {
    projectId,
    featureName,
    cause,
    hint,
    service,
    ...subject,
  })
}

/** The error with the name of the flag that it concerns. */
export function aboutFeature(error: FlagadmError, featureName: string): FlagadmError {
  return about(error, { featureName })
}

function subjectText({ projectId, featureName }: Subject): string {
  const project = projectId === undefined ? '' : `project ${projectId}: `
  return project + (featureName === undefined ? '' : `${featureName}: `)
}

/** What went wrong, on one line without subject and hint. Not yet made printable. */
export function problemText({ service, message }: FlagadmError): string {
  const head = service ? [service.status, service.name].filter(Boolean).join(' ') : ''
  const details = service?.details?.length ? ` (${service.details.join('; ')})` : ''
  const id = service?.id ? ` (id ${service.id})` : ''
  return `${head ? `${head}: ` : ''}${message}${details}${id}`
}

/** The error line and, if there is a hint, a second line with it. Not yet made printable. */
export function errorLines(error: FlagadmError): string[] {
  const line = `error: ${subjectText(error)}${problemText(error)}`
  return error.hint ? [line, `hint: ${error.hint}`] : [line]
}

/** The same as JSON data; absent parts are left out. */
export function errorJson(error: FlagadmError): object {
  const { kind, exitCode, projectId, featureName, message, hint, service } = error
  const { status, name, id, details } = service ?? {}
  return {
    error: { kind, exitCode, projectId, featureName, status, name, id, message, details, hint },
  }
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
