import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { parse } from 'yaml'
import { ended } from './binary.ts'
import { temporaryFolder } from './flagadm.ts'
import {
  ACTION,
  action,
  type Contexts,
  holds,
  interpolateAll,
  type Step,
  workflowSchema,
} from './workflow.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The event that starts a run. */
export interface Trigger {
  event?: string
  /** The branch of this push. */
  ref?: string
  /** Parts of the event's payload beside the repository. */
  payload?: Record<string, unknown>
  secrets?: Record<string, string>
  /** The jobs that were needed, with their outputs. */
  needs?: Record<string, Pick<Run, 'outputs'>>
  /** Environment variables of the runner. */
  env?: Record<string, string>
  /** The workspace, by default an empty folder. */
  workspace?: string
  /** The checkout that contains the action. */
  checkout?: string
}

/** The results of a run. */
export interface Run {
  /** The exit code of the first step that failed, otherwise 0. */
  code: number
  /** Everything that the steps printed, but for keys that they asked to mask. */
  log: string
  summary: string
  outputs: Record<string, string>
}

/** A job under way. */
interface Job {
  env: Record<string, string>
  workspace: string
  /** The folder for the files of the runner. */
  temporary: string
  /** How many scripts were run, to number their files. */
  scripts: number
  log: string
  summary: string
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
  if (!step.uses?.startsWith(`flagadm/flagadm/${ACTION}@`)) return { code: 0, outputs: {} }
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
  const base = event === 'pull_request' ? repository.default_branch : ''
  const temporary = await temporaryFolder()
  const workspace = trigger.workspace ?? join(temporary, 'work')
  await mkdir(workspace, { recursive: true })
  await mkdir(join(temporary, 'temp'))
  const env = {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: temporary,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: join(checkout, ACTION),
    GITHUB_BASE_REF: base,
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
  const job: Job = { env, workspace, temporary, scripts: 0, log: '', summary: '' }
  const github = {
    base_ref: base,
    event_name: event,
    event: { repository, ...payload },
    ref,
    repository: repository.full_name,
    token: 'writing-token',
  }
  return { job, contexts: { github, secrets: trigger.secrets ?? {}, needs: trigger.needs ?? {} } }
}

/** Runs the steps of the action as a runner of GitHub does. */
export async function useAction(
  inputs: Record<string, string>,
  trigger: Trigger = {},
): Promise<Run> {
  const { job, contexts } = await startJob(trigger)
  const { code, outputs } = await runAction(job, inputs, contexts.github)
  return { code, outputs, log: job.log, summary: job.summary }
}

/** Runs a job of a workflow whose condition holds; actions of others do nothing. */
export async function runJob(workflow: string, name: string, trigger: Trigger): Promise<Run> {
  const { env, jobs } = v.parse(workflowSchema, parse(workflow))
  const { job, contexts } = await startJob(trigger)
  const { steps, outputs, ...settings } = jobs[name] ?? { steps: [], outputs: {} }
  if (steps.length === 0 || !holds(settings.if, false, contexts)) {
    throw new Error(`the job ${name} does not run`)
  }
  // The environment of the test wins, so that the recipes reach its servers.
  Object.assign(job.env, interpolateAll({ ...env, ...settings.env }, contexts), trigger.env)
  const code = await runSteps(job, steps, contexts)
  return { code, outputs: interpolateAll(outputs, contexts), log: job.log, summary: job.summary }
}
