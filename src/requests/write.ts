import type { Context } from '../cli/context.ts'
import { failureOf, FlagadmError, problemText, withHints } from '../errors.ts'
import type { Line } from '../output/text.ts'
import { type Change, confirm } from '../prompts/questions.ts'
import type { Connection } from '../service/connection.ts'
import { type Operation, type Parameters, requestOf } from '../service/operations.ts'

/** One request of a write; `State` is what reading returns. */
export interface Step<State> {
  parameters: Parameters
  body: object
  /** What was stored when the change was decided, and what should be after it; undefined if it cannot be read. */
  states?: { before: State; after: State; read: () => Promise<State> } | undefined
}

/** A write to the service. */
export interface Write<State> {
  operation: Operation & { response?: never }
  steps: readonly Step<State>[]
  /** The fields or names in which two states differ, for errors; empty if they are the same. */
  differences: (from: State, to: State) => readonly string[]
  /** What is stored, in the plural: `settings`. */
  noun: string
  /** The question to ask first, if any. */
  question?: Change | undefined
  /** Whether to read again before sending, because someone may have changed something since the decision. */
  check: boolean
  /** How the user can find out what is stored. */
  findOut: string
}

/** The result of a step: `failed` changed nothing, or something else is stored; `skipped` was not sent after a signal. */
export interface Written<State> {
  status: 'changed' | 'unchanged' | 'failed' | 'unknown' | 'skipped'
  /** What is stored, if it was read. */
  now?: State
  error?: FlagadmError
  /** Why the change was read back although the service did not confirm it. */
  warning?: string
}

async function perform<State>(
  { host: { clock, signal } }: Context,
  { service }: Connection,
  { operation, differences, noun, check, findOut }: Write<State>,
  { states, parameters, body }: Step<State>,
): Promise<Written<State>> {
  if (signal.aborted) return { status: 'skipped' }
  if (states && check) {
    const now = await states.read()
    if (differences(now, states.after).length === 0) return { status: 'unchanged', now }
    const changed = differences(states.before, now).join(', ')
    const what = `someone else has changed the ${noun}: ${changed}`
    const parts = { ...parameters, hint: 'run it again' }
    if (changed) return { status: 'failed', error: new FlagadmError('checkFailed', what, parts) }
  }
  let failure: FlagadmError | undefined
  try {
    await service.send(operation, parameters, body)
  } catch (thrown) {
    failure = failureOf(thrown)
    const isRefused = failure.kind !== 'unavailable' || failure.service?.status === 429
    if (isRefused) return { status: 'failed', error: failure }
  }
  const unknown = (error: FlagadmError): Written<State> => {
    return { status: 'unknown', error: withHints(error, 'the change may have been made', findOut) }
  }
  if (!states) return failure ? unknown(failure) : { status: 'changed' }
  const { before, after, read } = states
  const problem = failure && problemText(failure)
  try {
    let now = await read()
    const isSame = () => differences(before, now).length === 0
    // Without an answer, the service may still be storing the change.
    for (let pause = 0; failure && pause < 2 && isSame(); pause++) {
      await clock.sleep(1000)
      now = await read()
    }
    const differs = differences(after, now).join(', ')
    const warning = problem && { warning: `${problem}; but the ${noun} are stored` }
    if (!differs) return { status: 'changed', now, ...warning }
    const cause = problem ?? 'the service accepted the request'
    const what = `${cause}, but the ${noun} are not as expected: ${differs}`
    const hint =
      'someone else may have changed them at the same time; otherwise look for a database error in the log of the service'
    const error =
      failure && isSame()
        ? withHints(failure, `the ${noun} are still the same`)
        : new FlagadmError('unavailable', what, { ...parameters, hint })
    return { status: 'failed', error, now }
  } catch (cause) {
    const { message, hint, service } = failureOf(cause)
    const what = `the ${noun} were sent, but could not be read back: ${message}`
    const parts = { ...parameters, hint, service, cause }
    return unknown(failure ?? new FlagadmError('unavailable', what, parts))
  }
}

/**
 * Makes a change: asks, and for each step checks that nothing changed meanwhile, sends and reads back. The steps are one
 * after the other; a failure does not end them. After a signal, the current step is finished and the others are skipped;
 * a second signal ends the process. Print the results, then call `finishWrite`.
 * @throws the error of a connection that must not write; an error unless the question is answered with yes
 */
export async function* runWrite<State>(
  context: Context,
  connection: Connection,
  write: Write<State>,
): AsyncGenerator<Written<State>> {
  if (connection.refusal) throw connection.refusal
  if (write.question) await confirm(context, write.question, `on ${connection.target}`)
  const release = context.host.holdSignals()
  try {
    for (const step of write.steps) {
      yield await perform(context, connection, write, step).catch((error: unknown) => {
        return { status: 'failed', error: failureOf(error) } as const
      })
    }
  } finally {
    release()
  }
}

/** Ends a run that writes: after a signal, one that has made its change still succeeds. @throws the error */
export function finishWrite(context: Context, error?: FlagadmError): void {
  context.isCommitted = error === undefined
  // A signal determines the exit code, so the error is not reported at the end of the run.
  if (error && context.host.signal.aborted) context.messages.fail(error)
  if (error) throw error
}

/** The request that a dry run does not send: fields of its JSON report, and lines of text. */
export function dryRun(
  operation: Operation,
  { parameters, body }: Pick<Step<unknown>, 'parameters' | 'body'>,
  baseUrl: string,
) {
  const { method, path } = requestOf(operation, parameters, body)
  const url = baseUrl + path
  const text = JSON.stringify(body, null, 2).split('\n')
  const lines: Line[] = [[{ bold: method }, ` ${url}`], ...text.map((line) => [line])]
  return { json: { method, url, body }, lines }
}
