import { causeText, commonKind, failureOf, FlagadmError, withParts } from '../errors.ts'
import { groupBy } from '../groups.ts'
import type { Context } from './context.ts'
import { listed } from './output/phrases.ts'

type Plural = 'flags' | 'projects'

/** Names in a message: the first ten and a count, all with `--verbose`. */
export function shownNames(names: readonly string[], { options }: Context): string {
  return options.verbose ? names.join(', ') : listed(names)
}

/** The name of the flag or project that a failure concerns. */
function nameOf({ featureName, projectId }: FlagadmError): string {
  return featureName ?? projectId ?? ''
}

/** The cause of a failure: its text without what differs between flags. */
function causeOf(failure: FlagadmError): string {
  const { kind, service, message } = failure
  if (kind === 'notFound')
    return service ? String(service.status) : (message.split(';', 1)[0] ?? '')
  return causeText(failure).replaceAll(nameOf(failure), '…')
}

type Group = readonly [FlagadmError, ...FlagadmError[]]

function byCause(failures: readonly FlagadmError[]): Group[] {
  return [...groupBy(failures, causeOf).values()]
}

/** One error for failures that have the same cause. */
function combined(group: Group, what: Plural, done: string, context: Context): FlagadmError {
  const [first] = group
  if (group.length === 1) return first
  const names = group.map(nameOf)
  const problem =
    first.kind === 'notFound' ? 'not found' : `could not be ${done}: ${causeOf(first)}`
  const hints = new Set(group.map(({ hint }) => hint))
  const list = what === 'flags' ? 'flagadm feature list --all-projects' : 'flagadm project list'
  const common = hints.size === 1 ? first.hint : undefined
  const hint = first.kind === 'notFound' ? `${list} lists those that exist` : common
  const text = `${names.length} ${what} ${problem}: ${shownNames(names, context)}`
  return new FlagadmError(first.kind, text, { hint, names })
}

/**
 * Reports the failures of some of several flags or projects, those with the same cause in one message.
 * @param done what failed: `could not be read`, `could not be exported`
 */
export function reportByCause(
  context: Context,
  failures: readonly FlagadmError[],
  what: Plural = 'flags',
  done = 'read',
): void {
  for (const group of byCause(failures)) {
    context.messages.fail(combined(group, what, done, context))
  }
}

/**
 * Ends a run with the failures of flags. Reports them first, unless there is only one flag or one cause.
 * @throws the error of the run: the cause that all failures share, otherwise their number
 */
export function throwFailures(
  context: Context,
  failures: readonly FlagadmError[],
  requested: number,
): never {
  const [group, ...others] = byCause(failures)
  if (group && group.length > 1 && others.length === 0) {
    const { message, hint, names } = combined(group, 'flags', 'read', context)
    throw new FlagadmError(commonKind(failures, requested), message, { hint, names })
  }
  if (requested > 1) reportByCause(context, failures)
  throw failureOfRun(failures, requested)
}

/**
 * The failure of one of several flags or projects, after which the run goes on with the others.
 * Throws what ends the run: an interrupt, a bug, or an error that all others would have as well.
 */
export function failureOfOne(error: unknown, total: number): FlagadmError {
  const failure = failureOf(error)
  if (!failure.isGeneral || total === 1) return failure
  throw withParts(failure, { projectId: undefined, featureName: undefined })
}

/**
 * The error of a run that could not read some or all of its flags or projects. Its kind is the one that
 * all failures share, otherwise `partial`. The failure of a single one is returned unchanged.
 * @param done what could not be done with them, if not only read
 */
export function failureOfRun(
  failures: readonly FlagadmError[],
  requested: number,
  what: Plural = 'flags',
  done = 'read',
): FlagadmError {
  const [first] = failures
  if (first && requested === 1) return first
  const kind = commonKind(failures, requested)
  return new FlagadmError(kind, `${failures.length} of ${requested} ${what} could not be ${done}`)
}
