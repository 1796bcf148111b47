import type { Context } from './context.ts'
import { failureOf, FlagadmError, problemText, withHints } from './errors.ts'
import type { Line } from './output/text.ts'
import { type Change, confirm } from './prompts/confirmation.ts'
import type { Connection } from './service/connection.ts'
import { type Operation, type ParametersOf, requestOf } from './service/operations.ts'

/** One request of a write. `State` is what reading returns. */
export interface Step<Path extends string, State> {
  parameters: ParametersOf<Path>
  body: object
  /** What was stored when the change was decided, and what should be after it; undefined if it cannot be read. */
  states?: { before: State; after: State; read: () => Promise<State> } | undefined
}

/** A write to the service. */
export interface Write<Path extends string, State> {
  operation: Operation & { path: Path; response?: never }
  steps: readonly Step<Path, State>[]
  /** The fields or names in which two states differ, for errors; empty if they are the same. */
  differences: (from: State, to: State) => readonly string[]
  /** What is stored, in the plural: `settings`. */
  noun: string
  /** The question to ask first; without one, nothing is asked. */
  question?: Change | undefined
  /** Whether to read again before sending, because someone may have changed something since the decision. */
  check: boolean
  /** How the user can find out what is stored. */
  findOut: string
  /** Explains an error of the request, such as a 404. */
  explain?: (error: FlagadmError, step: Step<Path, State>) => Promise<FlagadmError>
}

/**
 * The result of a step. `changed` was confirmed by reading back, if it can be read; after `failed`, nothing was changed
 * or something else is stored; `unknown` may be stored; `skipped` was not sent because of a signal.
 */
export interface Written<Path extends string, State> {
  step: Step<Path, State>
  status: 'changed' | 'unchanged' | 'failed' | 'unknown' | 'skipped'
  /** What is stored, if it was read. */
  now?: State
  error?: FlagadmError
  /** Why the change was read back although the service did not confirm it. */
  warning?: string
}

const PAUSE_MS = 1000
const FOREIGN =
  'someone else may have changed them at the same time; otherwise look for a database error in the log of the service'

async function perform<Path extends string, State>(
  { host: { clock } }: Context,
  { service }: Connection,
  { operation, differences, noun, check, findOut, explain }: Write<Path, State>,
  step: Step<Path, State>,
): Promise<Written<Path, State>> {
  const { states, parameters, body } = step
  const failed = (error: FlagadmError, parts: { now?: State } = {}): Written<Path, State> => {
    return { step, status: 'failed', error, ...parts }
  }
  const own = (kind: 'checkFailed' | 'unavailable', what: string, hint: string) =>
    new FlagadmError(kind, what, { ...parameters, hint })
  const unknown = (error: FlagadmError): Written<Path, State> => {
    return {
      step,
      status: 'unknown',
      error: withHints(error, 'the change may have been made', findOut),
    }
  }
  if (states && check) {
    const now = await states.read()
    if (differences(now, states.after).length === 0) return { step, status: 'unchanged', now }
    const changed = differences(states.before, now).join(', ')
    const what = `someone else has changed the ${noun}: ${changed}`
    if (changed) return failed(own('checkFailed', what, 'run it again'))
  }
  let failure: FlagadmError | undefined
  try {
    await service.send(operation, parameters, body)
  } catch (error) {
    failure = failureOf(error)
    if (explain) failure = await explain(failure, step)
    const mayBeStored = failure.kind === 'unavailable' && failure.service?.status !== 429
    if (!mayBeStored) return failed(failure)
  }
  if (!states) return failure ? unknown(failure) : { step, status: 'changed' }
  const { before, after, read } = states
  const problem = failure && problemText(failure)
  try {
    let now = await read()
    // Without an answer, the service may still be storing the change.
    for (let pause = 0; failure && pause < 2 && differences(before, now).length === 0; pause++) {
      await clock.sleep(PAUSE_MS)
      now = await read()
    }
    const differs = differences(after, now).join(', ')
    if (!differs) {
      const warning = `${problem}; but the ${noun} are stored`
      return { step, status: 'changed', now, ...(problem !== undefined && { warning }) }
    }
    if (failure && differences(before, now).length === 0) {
      return failed(withHints(failure, `the ${noun} are still the same`), { now })
    }
    const cause = problem ?? 'the service accepted the request'
    const what = `${cause}, but the ${noun} are not as expected: ${differs}`
    return failed(own('unavailable', what, FOREIGN), { now })
  } catch (error) {
    const { message, hint, service } = failureOf(error)
    const what = `the ${noun} were sent, but could not be read back: ${message}`
    const parts = { ...parameters, hint, service, cause: error }
    return unknown(failure ?? new FlagadmError('unavailable', what, parts))
  }
}

/**
 * Makes a change: asks, and for each step checks that nothing changed meanwhile, sends and reads back. The steps are one
 * after the other; a failure does not end them. After a signal, the current step is finished and the others are skipped;
 * a second signal ends the process. Print the results, then call `finishWrite`.
 * @throws the error of a connection that must not write; an error unless the question is answered with yes
 */
export async function* runWrite<Path extends string, State>(
  context: Context,
  connection: Connection,
  write: Write<Path, State>,
): AsyncGenerator<Written<Path, State>> {
  if (connection.refusal) throw connection.refusal
  if (write.question) await confirm(context, write.question, `on ${connection.target}`)
  const { host } = context
  const release = host.holdSignals()
  try {
    for (const step of write.steps) {
      if (host.signal.aborted) yield { step, status: 'skipped' }
      else {
        yield await perform(context, connection, write, step).catch((error: unknown) => {
          return { step, status: 'failed', error: failureOf(error) }
        })
      }
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
export function dryRun<Path extends string>(
  operation: Operation & { path: Path },
  { parameters, body }: Pick<Step<Path, unknown>, 'parameters' | 'body'>,
  baseUrl: string,
) {
  const { method, path } = requestOf(operation, parameters, body)
  const url = baseUrl + path
  const text: Line[] = JSON.stringify(body, null, 2)
    .split('\n')
    .map((line) => [line])
  const lines: Line[] = [[{ bold: method }, ` ${url}`], ...text]
  return { json: { method, url, body }, lines }
}
