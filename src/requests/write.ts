// Sends the requests of a change, and reads each back.
import type { Context } from '../command/context.ts'
import {
  failureOf,
  FlagadmError,
  problemText,
  withHints,
  type NextStep,
  withParts,
} from '../errors.ts'
import type { Clock } from '../host.ts'
import type { Service } from '../service/client.ts'
import type { WritableConnection } from '../service/connection.ts'
import { type PathParameters, subjectOf, type WriteOperation } from '../service/operations.ts'

export interface WriteRequest {
  operation: WriteOperation
  parameters: PathParameters
  body?: object | undefined
}

interface Stored<State> {
  /** What it is, in the plural: `settings`. */
  noun: string
  before: State
  after: State
  read: () => Promise<State>
  /** The fields or names in which two states differ, for errors; empty if they are the same. */
  differences: (from: State, to: State) => readonly string[]
  /** What to do if someone else has changed it since the decision; by default, to run the command again. */
  remedy?: string | undefined
}

export interface Undo {
  /** Called before the request, which is not sent if this fails. */
  keep: () => Promise<void>
  /** Called after the request if it has changed nothing. */
  drop: () => Promise<void>
}

/** One request of a write. The steps of a write may have different operations. */
export interface Step<State> extends WriteRequest {
  /** Undefined if the service cannot return what is stored. */
  stored?: Stored<State> | undefined
  findOut: NextStep
  /** Adds to an error what it means for this step. */
  explain?: ((error: FlagadmError) => FlagadmError) | undefined
  undo?: Undo | undefined
  /**
   * Reads what the steps before it have done, immediately before it is sent.
   * @param earlier their results
   * @returns the step as it is to be sent; undefined if nothing is left to do
   */
  prepare?: ((earlier: readonly Written<State>[]) => Promise<Step<State> | undefined>) | undefined
}

/**
 * The result of a step: one that is `unchanged` was not sent, because it would change nothing; after one that `failed`,
 * nothing is changed or something else is stored; one that is `skipped` was not sent after a signal.
 */
export interface Written<State> {
  status: 'changed' | 'unchanged' | 'failed' | 'unknown' | 'skipped'
  now?: State
  error?: FlagadmError
  /** Why the change was read back although the service did not confirm it. */
  warning?: string | undefined
}

const MAX_PAUSES = 2
const PAUSE_MS = 1000

/** Compares the decision with what is stored now. @returns the result of a step that must not be sent */
function settle<State>(
  { noun, before, after, differences, remedy = 'run it again' }: Stored<State>,
  parameters: PathParameters,
  now: State,
): Written<State> | undefined {
  if (differences(now, after).length === 0) return { status: 'unchanged', now }
  const changed = differences(before, now)
  if (changed.length === 0) return undefined
  const what = `someone else has changed the ${noun}: ${changed.join(', ')}`
  const parts = { ...subjectOf(parameters), hint: remedy }
  return { status: 'failed', error: new FlagadmError('checkFailed', what, parts) }
}

/** Sends the request of a step. @returns the failure, if there is one */
function send(service: Service, { operation, parameters, body }: WriteRequest) {
  return service.send(operation, parameters, body).then(() => undefined, failureOf)
}

/** Whether a failure shows that nothing was changed. */
function isRefused({ kind, service }: FlagadmError): boolean {
  return kind !== 'unavailable' || service?.status === 429
}

function doubtful<State>({ findOut }: Step<State>, failure: FlagadmError): Written<State> {
  const { hint = '', command } = findOut
  const error = withParts(withHints(failure, 'the change may have been made', hint), { command })
  return { status: 'unknown', error }
}

/** Reads what is stored; after a failure, several times, because the service may still be storing the change. */
async function readAfter<State>(
  { before, read, differences }: Stored<State>,
  clock: Clock,
  failure: FlagadmError | undefined,
): Promise<State> {
  let now = await read()
  for (let pause = 0; failure && pause < MAX_PAUSES; pause++) {
    if (differences(before, now).length > 0) break
    await clock.sleep(PAUSE_MS)
    now = await read()
  }
  return now
}

/** The error of a request that was sent, if what it changed cannot be read. */
function unreadable(thrown: unknown, noun: string, parameters: PathParameters): FlagadmError {
  const cause = failureOf(thrown)
  const { message, hint, service } = cause
  const what = `the ${noun} were sent, but could not be read back: ${message}`
  const parts = { ...subjectOf(parameters), hint, service, cause }
  return new FlagadmError('unavailable', what, parts)
}

/** The result of a step by what is stored after it. @param failure the failure of its request, if there was one */
function compareAfter<State>(
  { noun, before, after, differences }: Stored<State>,
  parameters: PathParameters,
  now: State,
  failure: FlagadmError | undefined,
): Written<State> {
  const problem = failure && problemText(failure)
  const different = differences(after, now)
  if (different.length === 0) {
    return { status: 'changed', now, warning: problem && `${problem}; but the ${noun} are stored` }
  }
  if (failure && differences(before, now).length === 0) {
    return { status: 'failed', now, error: withHints(failure, `the ${noun} are still the same`) }
  }
  const cause = problem ?? 'the service accepted the request'
  const what = `${cause}, but the ${noun} are not as expected: ${different.join(', ')}`
  const hint =
    'someone else may have changed them at the same time; otherwise look for a database error in the log of the service'
  const parts = { ...subjectOf(parameters), hint }
  return { status: 'failed', now, error: new FlagadmError('unavailable', what, parts) }
}

async function sendAndCompare<State>(
  clock: Clock,
  service: Service,
  step: Step<State>,
): Promise<Written<State>> {
  const { stored, parameters } = step
  const failure = await send(service, step)
  if (failure && isRefused(failure)) return { status: 'failed', error: failure }
  if (!stored) return failure ? doubtful(step, failure) : { status: 'changed' }
  try {
    return compareAfter(stored, parameters, await readAfter(stored, clock, failure), failure)
  } catch (thrown) {
    const error = unreadable(thrown, stored.noun, parameters)
    return doubtful(step, failure ?? error)
  }
}

function isWithoutEffect<State>({ stored }: Step<State>, { status, now }: Written<State>): boolean {
  if (status !== 'failed') return false
  // The service has refused it, or what was stored before is stored afterwards.
  return !stored || now === undefined || stored.differences(stored.before, now).length === 0
}

/** Drops what would undo a step, because it has changed nothing. @returns its result, with the failure of that */
async function dropUndo<State>(
  { undo }: Step<State>,
  written: Written<State>,
): Promise<Written<State>> {
  const failure = await undo?.drop().then(() => undefined, failureOf)
  if (!failure || !written.error) return written
  return { ...written, error: withHints(written.error, problemText(failure)) }
}

/** Compares the decision of a step with what is stored now. @returns its result if it must not be sent */
export async function settledBefore<State>({
  stored,
  parameters,
}: Pick<Step<State>, 'stored' | 'parameters'>): Promise<Written<State> | undefined> {
  return stored && settle(stored, parameters, await stored.read())
}

async function perform<State>(
  { clock }: Context['host'],
  service: Service,
  step: Step<State>,
  { rereadsFirst }: WriteOptions,
): Promise<Written<State>> {
  const { undo } = step
  const settled = rereadsFirst ? await settledBefore(step) : undefined
  if (settled) return settled
  await undo?.keep()
  const written = await sendAndCompare(clock, service, step)
  return isWithoutEffect(step, written) ? dropUndo(step, written) : written
}

/** Performs a step after those before it; one that prepares itself has just read what is stored. */
async function performNext<State>(
  host: Context['host'],
  service: Service,
  step: Step<State>,
  earlier: readonly Written<State>[],
  options: WriteOptions,
): Promise<Written<State>> {
  if (host.interruption.aborted) return { status: 'skipped' }
  if (!step.prepare) return perform(host, service, step, options)
  const prepared = await step.prepare(earlier)
  return prepared
    ? perform(host, service, prepared, { rereadsFirst: false })
    : { status: 'unchanged' }
}

/** Performs a step; its failure is its result. */
async function performSafely<State>(
  host: Context['host'],
  service: Service,
  step: Step<State>,
  earlier: readonly Written<State>[],
  options: WriteOptions,
): Promise<Written<State>> {
  const { explain = (error) => error } = step
  const failed = (error: unknown): Written<State> => {
    return { status: 'failed', error: failureOf(error) }
  }
  const written = await performNext(host, service, step, earlier, options).catch(failed)
  return written.error ? { ...written, error: explain(written.error) } : written
}

interface WriteOptions {
  /** Whether to read again before sending, because someone may have changed something since the decision. */
  rereadsFirst: boolean
}

/**
 * Performs the step of each item, one after the other; a failure does not end them. After a signal, the current step is
 * finished and the others are skipped; a second signal ends the process. Print the results, then call `finishWrite`.
 * @param stepOf the step of an item, or the result of one for which nothing is sent
 */
export async function* runWrite<Item, State>(
  { host }: Context,
  { service }: WritableConnection,
  items: readonly Item[],
  stepOf: (item: Item) => Step<State> | Written<State>,
  options: WriteOptions,
): AsyncGenerator<{ item: Item; written: Written<State> }> {
  const release = host.holdSignals()
  const earlier: Written<State>[] = []
  try {
    for (const item of items) {
      const step = stepOf(item)
      const written =
        'status' in step ? step : await performSafely(host, service, step, earlier, options)
      earlier.push(written)
      yield { item, written }
    }
  } finally {
    release()
  }
}

/** Ends a run that writes: after a signal, one that has made its change still succeeds. @throws the error */
export function finishWrite(context: Context, error?: FlagadmError): void {
  context.isCommitted = error === undefined
  // A signal determines the exit code, so the error is not reported at the end of the run.
  if (error && context.host.interruption.aborted) context.messages.fail(error)
  if (error) throw error
}
