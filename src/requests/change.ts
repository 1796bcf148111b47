// What all changes of the service share: the question, the dry run, the requests, the report and the exit code.
import type { Context } from '../command/context.ts'
import { commonKind, FlagadmError, interrupted } from '../errors.ts'
import { counted } from '../output/incomplete.ts'
import type { Line } from '../output/text.ts'
import { confirm, type Confirmation } from '../prompts/terminal.ts'
import type { ShownService, WritableConnection } from '../service/connection.ts'
import { requestOf } from '../service/operations.ts'
import { finishWrite, runWrite, type Step, type WriteRequest, type Written } from './write.ts'

export interface ShownRequest {
  method: string
  url: string
  body?: object | undefined
}

export interface Outcome<State> {
  isDryRun: boolean
  /** The requests that a dry run does not send. */
  requests: readonly ShownRequest[]
  /** The result of each step; none if nothing was sent. */
  results: readonly Written<State>[]
  error: FlagadmError | undefined
}

/** What a command prints about a change: the JSON data or the lines; nothing if there is only an error. */
export interface ChangeReport {
  warnings?: readonly string[]
  json?: object
  lines?: readonly Line[]
}

export interface ProposedChange<State> {
  /** The service, as shown to the user; the same one as that of the connection. */
  target: ShownService
  /** The connection to send with; undefined makes it a dry run. */
  connection: WritableConnection | undefined
  format: 'text' | 'json'
  /** The requests, one after the other; none if there is nothing to do. */
  steps: readonly Step<State>[]
  refusal?: FlagadmError | undefined
  question?: Confirmation | undefined
  /** What to consider, as sentences: the question shows them; a run that does not ask warns of them. */
  concerns?: readonly string[]
  /** Whether to read again before sending, because someone may have changed something since the decision. */
  rereadsFirst: boolean
  /** The error of a run whose requests succeed although it leaves something undone. */
  shortfall?: ((results: readonly Written<State>[]) => FlagadmError | undefined) | undefined
  report: (outcome: Outcome<State>) => ChangeReport
}

export function shownRequest(
  { operation, parameters, body }: WriteRequest,
  { baseUrl }: ShownService,
): ShownRequest {
  const { method, path } = requestOf(operation, parameters, body)
  return { method, url: baseUrl + path, body }
}

function requestLines({ method, url, body }: ShownRequest): Line[] {
  const text = body === undefined ? [] : JSON.stringify(body, null, 2).split('\n')
  return [[''], [{ bold: method }, ` ${url}`], ...text.map((line) => [{ copy: line }])]
}

/** Asks, and performs the steps. @throws an error unless the question is answered with yes */
async function send<State>(
  context: Context,
  connection: WritableConnection,
  { steps, question, concerns = [], rereadsFirst }: ProposedChange<State>,
): Promise<Written<State>[]> {
  if (steps.length === 0) return []
  if (question) {
    const warnings = concerns.map((concern): Line => [{ magenta: 'warning:' }, ` ${concern}`])
    const details = [...(question.details ?? []), ...warnings]
    await confirm(context, { ...question, details }, `on ${connection.target}`)
  }
  const results: Written<State>[] = []
  const writes = runWrite(context, connection, steps, (step) => step, { rereadsFirst })
  for await (const { written } of writes) results.push(written)
  return results
}

/** The error of the only step, otherwise one for all steps that failed; undefined if none did. */
function changeError(results: readonly Written<unknown>[]): FlagadmError | undefined {
  if (results.some(({ status }) => status === 'skipped')) return interrupted()
  const failures = results.flatMap(({ error }) => error ?? [])
  const [first] = failures
  if (!first || results.length === 1) return first
  // Those that change nothing are neither a success nor a failure.
  const tried = results.filter(({ status }) => status !== 'unchanged').length
  const what = `${failures.length} of ${counted(results.length, 'request')} failed`
  return new FlagadmError(commonKind(failures, tried), what)
}

/**
 * Makes a change, or shows it if it is a dry run, and reports it as a whole. `project settings apply` calls `runWrite`
 * itself, because it reports each of many projects on its own.
 * @throws the error of the change
 */
export async function makeChange<State>(
  context: Context,
  change: ProposedChange<State>,
): Promise<void> {
  const { target, connection, format, steps, refusal, concerns = [], shortfall, report } = change
  const { out, messages } = context
  const isDryRun = connection === undefined
  const isShown = isDryRun || (!refusal && change.question === undefined)
  for (const concern of isShown ? concerns : []) messages.warn(concern)
  const results = connection && !refusal ? await send(context, connection, change) : []
  const requests = isDryRun && !refusal ? steps.map((step) => shownRequest(step, target)) : []
  const error = refusal ?? changeError(results) ?? shortfall?.(results)
  const { warnings = [], json, lines = [] } = report({ isDryRun, requests, results, error })
  for (const warning of warnings) messages.warn(warning)
  if (format === 'json') {
    if (json) out.json(json)
  } else out.lines([...lines, ...requests.flatMap(requestLines)])
  if (!isDryRun) return finishWrite(context, error)
  messages.note('dry run: nothing was sent')
  if (error) throw error
}
