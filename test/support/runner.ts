import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { parse } from 'yaml'
import { ended } from './binary.ts'
import { temporaryFolder } from './flagadm.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folderOfAction = '.github/actions/flagadm'

const environmentSchema = v.record(v.string(), v.string())
const stepSchema = v.strictObject({
  id: v.optional(v.string()),
  name: v.optional(v.string()),
  if: v.optional(v.string()),
  uses: v.optional(v.string()),
  with: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
  run: v.optional(v.string()),
  shell: v.optional(v.literal('bash')),
  env: v.optional(environmentSchema),
})
type Step = v.InferOutput<typeof stepSchema>

const jobSchema = v.object({
  if: v.optional(v.string()),
  env: v.optional(environmentSchema),
  steps: v.array(stepSchema),
})
const workflowSchema = v.object({
  env: v.optional(environmentSchema),
  jobs: v.record(v.string(), jobSchema),
})

/** The metadata of a composite action, as GitHub defines them. */
const actionSchema = v.strictObject({
  name: v.string(),
  description: v.pipe(v.string(), v.maxLength(125)),
  author: v.string(),
  branding: v.strictObject({
    icon: v.string(),
    color: v.picklist([
      'white',
      'black',
      'yellow',
      'blue',
      'green',
      'orange',
      'red',
      'purple',
      'gray-dark',
    ]),
  }),
  inputs: v.record(
    v.pipe(v.string(), v.regex(/^[a-z][a-z-]*$/)),
    v.strictObject({
      description: v.string(),
      required: v.optional(v.boolean()),
      default: v.optional(v.string()),
    }),
  ),
  outputs: v.record(v.string(), v.strictObject({ description: v.string(), value: v.string() })),
  runs: v.strictObject({
    using: v.literal('composite'),
    steps: v.array(v.required(stepSchema, ['id', 'run', 'shell'])),
  }),
})

/** The action of this repository. */
export const action = v.parse(
  actionSchema,
  parse(readFileSync(join(root, folderOfAction, 'action.yml'), 'utf8')),
)

type Contexts = Record<string, unknown>

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function lookUp(path: string, contexts: Contexts): unknown {
  let value: unknown = contexts
  for (const key of path.split('.')) value = isObject(value) ? value[key] : undefined
  return value
}

const COMPARISON = /^([a-z][\w.-]*)(?: == (?:'([^']*)'|([a-z][\w.-]*)))?$/

/** A part of an expression: a path, or its comparison with a text or another path. */
function operand(text: string, contexts: Contexts): unknown {
  if (text === '!cancelled()' || text === 'always()') return true
  const [, path, literal, other] = COMPARISON.exec(text) ?? []
  if (path === undefined) throw new Error(`unknown expression: ${text}`)
  const value = lookUp(path, contexts)
  if (other !== undefined) return value === lookUp(other, contexts)
  return literal === undefined ? value : (value ?? '') === literal
}

/** The value of an expression: operands joined by `&&`. */
function evaluate(expression: string, contexts: Contexts): unknown {
  let value: unknown
  for (const part of expression.split(' && ')) {
    value = operand(part, contexts)
    if (!value) break
  }
  return value
}

function interpolate(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => {
    const value = evaluate(expression, contexts) ?? ''
    if (typeof value === 'object') throw new Error(`not a text: ${expression}`)
    return String(value)
  })
}

function interpolateAll(values: Record<string, unknown>, contexts: Contexts) {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, interpolate(String(value), contexts)]),
  )
}

function runsAfterFailure(condition: string): boolean {
  return /\b(?:always|cancelled|failure)\(\)/.test(condition)
}

function holds(condition: string | undefined, isFailed: boolean, contexts: Contexts): boolean {
  if (isFailed && !(condition && runsAfterFailure(condition))) return false
  const expression = condition?.replace(/^\$\{\{ (.+) \}\}$/, '$1')
  return expression === undefined || Boolean(evaluate(expression, contexts))
}

/** What starts a run. */
export interface Trigger {
  event?: string
  /** The branch of this push. */
  ref?: string
  /** Parts of the event's payload beside the repository. */
  payload?: Record<string, unknown>
  secrets?: Record<string, string>
  /** Environment variables of the runner. */
  env?: Record<string, string>
  /** The workspace, by default an empty folder. */
  workspace?: string
  /** The checkout that contains the action. */
  checkout?: string
}

/** What a run left behind. */
export interface Run {
  /** The exit code of the first step that failed, otherwise 0. */
  code: number
  /** Everything that the steps printed, but for keys that they asked to mask. */
  log: string
  summary: string
  outputs: Record<string, string>
}

/** A job under way. */
interface Job extends Run {
  env: Record<string, string>
  workspace: string
  checkout: string
  /** The folder for the files of the runner. */
  temporary: string
  /** How many scripts were run, to number their files. */
  scripts: number
}

function outputsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

/** Runs a script as the runner does, and returns its exit code and the outputs that it set. */
async function runScript(job: Job, script: string, env: Record<string, string>) {
  const file = join(job.temporary, `script-${job.scripts++}.sh`)
  const [outputFile, summaryFile] = [`${file}.output`, `${file}.summary`]
  await Promise.all([
    writeFile(file, script),
    writeFile(outputFile, ''),
    writeFile(summaryFile, ''),
  ])
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], {
    cwd: job.workspace,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 110_000,
    killSignal: 'SIGKILL',
    env: { ...job.env, ...env, GITHUB_OUTPUT: outputFile, GITHUB_STEP_SUMMARY: summaryFile },
  })
  const { code, stdout, stderr } = await ended(child)
  job.log += stdout.replaceAll(/^::add-mask::.+$/gm, '::add-mask::***') + stderr
  job.summary += await readFile(summaryFile, 'utf8')
  return { code: code ?? 137, outputs: outputsIn(await readFile(outputFile, 'utf8')) }
}

async function runAction(job: Job, inputs: Record<string, string>, github: unknown) {
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ''])
  const unknown = Object.keys(inputs).filter((name) => !(name in action.inputs))
  if (unknown.length > 0) throw new Error(`unknown inputs: ${unknown.join(', ')}`)
  const given = { ...interpolateAll(Object.fromEntries(defaults), { github }), ...inputs }
  const contexts = { github, inputs: given, steps: {} }
  const code = await runSteps(job, action.runs.steps, contexts)
  const values = Object.entries(action.outputs).map(([name, { value }]) => [name, value])
  return { code, outputs: interpolateAll(Object.fromEntries(values), contexts) }
}

async function runStep(job: Job, step: Step, contexts: Contexts) {
  const env = interpolateAll(step.env ?? {}, contexts)
  if (step.run !== undefined) return runScript(job, step.run, env)
  if (!step.uses?.startsWith(`flagadm/flagadm/${folderOfAction}@`)) return { code: 0, outputs: {} }
  return runAction(job, interpolateAll(step.with ?? {}, contexts), contexts.github)
}

/** Runs the steps whose conditions hold, and returns the exit code of the first one that failed. */
async function runSteps(job: Job, steps: readonly Step[], contexts: Contexts): Promise<number> {
  let failure = 0
  const done: Record<string, unknown> = {}
  contexts.steps = done
  for (const step of steps) {
    if (!holds(step.if, failure !== 0, contexts)) continue
    const { code, outputs } = await runStep(job, step, contexts)
    if (step.id !== undefined) done[step.id] = { outputs }
    failure ||= code
  }
  return failure
}

const repository = { full_name: 'shop/flags', default_branch: 'main' }

async function startJob(trigger: Trigger) {
  const { event = 'push', ref = 'refs/heads/main', payload = {}, checkout = root } = trigger
  const temporary = await temporaryFolder()
  const workspace = trigger.workspace ?? join(temporary, 'work')
  await mkdir(workspace, { recursive: true })
  await mkdir(join(temporary, 'temp'))
  const env = {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: temporary,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: join(checkout, folderOfAction),
    GITHUB_EVENT_NAME: event,
    GITHUB_REF: ref,
    GITHUB_REPOSITORY: repository.full_name,
    GITHUB_RUN_ID: '7',
    // The only address to which gh sends requests without TLS.
    GITHUB_SERVER_URL: 'http://github.localhost',
    GITHUB_WORKSPACE: workspace,
    RUNNER_TEMP: join(temporary, 'temp'),
    ...trigger.env,
  }
  const job: Job = {
    ...{ code: 0, log: '', summary: '', outputs: {} },
    ...{ env, workspace, checkout, temporary, scripts: 0 },
  }
  const fullPayload = { repository, ...payload }
  const github = {
    ...{ event_name: event, ref, event: fullPayload },
    ...{ token: 'writing-token', repository: repository.full_name },
  }
  return { job, contexts: { github, secrets: trigger.secrets ?? {} } }
}

function resultOf({ log, summary }: Job, code: number, outputs = {}): Run {
  return { code, log, summary, outputs }
}

/** Runs the steps of the action as a runner of GitHub does. */
export async function useAction(
  inputs: Record<string, string>,
  trigger: Trigger = {},
): Promise<Run> {
  const { job, contexts } = await startJob(trigger)
  const { code, outputs } = await runAction(job, inputs, contexts.github)
  return resultOf(job, code, outputs)
}

/** Runs a job of a workflow whose condition holds; actions of others do nothing. */
export async function runJob(workflow: string, name: string, trigger: Trigger): Promise<Run> {
  const { env, jobs } = v.parse(workflowSchema, parse(workflow))
  const { job, contexts } = await startJob(trigger)
  const { steps, ...settings } = jobs[name] ?? { steps: [] }
  if (steps.length === 0 || !holds(settings.if, false, contexts)) {
    throw new Error(`the job ${name} does not run`)
  }
  Object.assign(job.env, interpolateAll({ ...env, ...settings.env, ...trigger.env }, contexts))
  return resultOf(job, await runSteps(job, steps, contexts))
}
