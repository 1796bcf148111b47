import { shellCommand } from './shell.ts'

/** The exit code of each way a run can end and its meaning; the help and the reference print this table. */
export const exitCodes = {
  done: {
    code: 0,
    meaning: 'done',
  },
  unexpected: {
    code: 1,
    meaning: 'unexpected failure: a bug (with its stack), or output that could not be written',
  },
  usage: {
    code: 2,
    meaning: 'invalid command line or input file',
  },
  configuration: {
    code: 3,
    meaning: 'configuration missing, unreadable or refused',
  },
  unauthenticated: {
    code: 4,
    meaning: 'not authenticated (401)',
  },
  forbidden: {
    code: 5,
    meaning: 'permission denied (403)',
  },
  notFound: {
    code: 6,
    meaning: 'not found (404)',
  },
  rejected: {
    code: 7,
    meaning: 'the service rejected the request (400, 415, other 4xx)',
  },
  unavailable: {
    code: 8,
    meaning: 'service unreachable, its response unusable, or a write not confirmed',
  },
  checkFailed: {
    code: 9,
    meaning:
      'a check failed, is inconclusive or had nothing to check, or --fail-on-change found a change',
  },
  partial: {
    code: 10,
    meaning: 'some of several targets failed',
  },
  interrupted: {
    code: 130,
    meaning: 'interrupted, or declined at a question',
  },
} as const satisfies Record<string, { code: number; meaning: string }>

export type ErrorKind = Exclude<keyof typeof exitCodes, 'done'>

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

export interface NextStep {
  /** The next step, without a full stop. */
  hint?: string | undefined
  /** The words of a command to copy, which the hint introduces. */
  command?: readonly string[] | undefined
}

interface ErrorParts extends Subject, NextStep {
  /** The service's error response, if it sent one. */
  service?: ServiceFailure | undefined
  /** Whether other requests of the run probably fail for the same reason. */
  isGeneral?: boolean | undefined
  /** Whether the version or the edition of the service does not have what was asked for. */
  isLacking?: boolean | undefined
  /** The flags or projects that failed for this reason, if there are several. */
  names?: readonly string[] | undefined
  cause?: unknown
}

/** The error type for problems the user can fix. Anything else that is thrown is a bug in flagadm. */
export class FlagadmError extends Error {
  readonly kind: ErrorKind
  readonly hint: string | undefined
  readonly command: readonly string[] | undefined
  readonly isGeneral: boolean
  readonly isLacking: boolean
  readonly names: readonly string[] | undefined
  readonly service: ServiceFailure | undefined
  readonly projectId: string | undefined
  readonly featureName: string | undefined

  constructor(kind: ErrorKind, message: string, parts: ErrorParts = {}) {
    super(message, { cause: parts.cause })
    this.kind = kind
    this.hint = parts.hint
    this.command = parts.command
    this.isGeneral = parts.isGeneral === true
    this.isLacking = parts.isLacking === true
    this.names = parts.names
    this.service = parts.service
    this.projectId = parts.projectId
    this.featureName = parts.featureName
  }

  get exitCode(): number {
    return exitCodes[this.kind].code
  }
}

/** The failure of a step after which the run goes on. Throws what ends the run: an interrupt or a bug. */
export function failureOf(error: unknown): FlagadmError {
  if (error instanceof FlagadmError && error.kind !== 'interrupted') return error
  throw error
}

export function interrupted(): FlagadmError {
  return new FlagadmError('interrupted', 'interrupted')
}

/** The answer No to a question, which ends a run without being a failure. */
export class Declined extends FlagadmError {
  constructor() {
    // Of the kind of an interrupt, because the user stops the run.
    super('interrupted', 'nothing was changed')
  }
}

/** The error with other parts, such as the project or flag that it concerns. */
export function withParts(error: FlagadmError, parts: ErrorParts): FlagadmError {
  const { kind, message, cause } = error
  return new FlagadmError(kind, message, { ...error, cause, ...parts })
}

/** The error with further hints after its own. */
export function withHints(error: FlagadmError, ...hints: readonly string[]): FlagadmError {
  return withParts(error, { hint: [error.hint, ...hints].filter(Boolean).join('; ') })
}

function subjectText({ projectId, featureName, message, service }: FlagadmError): string {
  const hasProject = projectId === undefined || message.includes(`'${projectId}'`)
  const project = hasProject ? '' : `project ${projectId}: `
  const isNamed =
    !featureName || (service?.status === 404 && message.split(' ').includes(featureName))
  return project + (isNamed ? '' : `${featureName}: `)
}

/** The problem without the id of the service's error, which differs between requests. Not yet made printable. */
export function causeText({ service, message }: FlagadmError): string {
  const head = service ? [service.status, service.name].filter(Boolean).join(' ') : ''
  const details = service?.details?.length ? ` (${service.details.join('; ')})` : ''
  return `${head ? `${head}: ` : ''}${message}${details}`
}

/** The problem on one line, without subject and hint. Not yet made printable. */
export function problemText(error: FlagadmError): string {
  const { service } = error
  // The log of the service has no entry for a wrong name.
  const id = service?.id && service.status !== 404 ? ` (id ${service.id})` : ''
  return causeText(error) + id
}

/** The problem and the project or flag that it concerns. Not yet made printable. */
export function errorText(error: FlagadmError): string {
  return subjectText(error) + problemText(error)
}

/** A text and the command that it introduces, on one line. */
export function withCommand(text: string, command: readonly string[] | undefined): string {
  return command === undefined ? text : `${text} ${shellCommand(command)}`
}

/** The error as JSON data, without absent parts. */
export function errorJson(error: FlagadmError): { error: object } {
  const { kind, exitCode, projectId, featureName, names, message, service } = error
  const hint = error.hint && withCommand(error.hint, error.command)
  const { status, name, id, details } = service ?? {}
  const identity = { kind, exitCode, projectId, featureName, names, status, name, id }
  return { error: { ...identity, message, details, hint } }
}

/** The kind that all failures of a run share if nothing succeeded, otherwise `partial`. */
export function commonKind(failures: readonly FlagadmError[], requested: number): ErrorKind {
  const [first] = failures
  const alike = failures.length === requested && failures.every(({ kind }) => kind === first?.kind)
  return alike && first ? first.kind : 'partial'
}

const fileReasons: Record<string, string> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EEXIST: 'a file with this name exists',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
}

/** The code of a system error, such as `ENOENT`; undefined for other errors. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}

const absent: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR'])

/** Whether an operation failed because the file, or a folder of its path, does not exist. */
export function isAbsent(error: unknown): boolean {
  return absent.has(systemCode(error))
}

const forbidden: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM'])

/** Whether an operation failed because of permissions. */
export function isForbidden(error: unknown): boolean {
  return forbidden.has(systemCode(error))
}

/** @throws a configuration error */
export function refuse(what: string, hint: string): never {
  throw new FlagadmError('configuration', what, { hint })
}

/** @throws a usage error */
export function refuseUsage(what: string, hint: string): never {
  throw new FlagadmError('usage', what, { hint })
}

/** Why a file operation failed, in a few words. */
export function fileReason(error: unknown): string {
  const code = systemCode(error) ?? 'unknown reason'
  return fileReasons[code] ?? code
}

const full: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT'])

/** What to do after writing to a file or creating a folder failed. */
export function writeHint(error: unknown): string {
  return full.has(systemCode(error))
    ? 'free some space, or use another path'
    : 'check the path and its permissions'
}
