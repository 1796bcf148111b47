import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../cli/context.ts'
import { errorJson, FlagadmError } from '../errors.ts'
import { collect, withExamples } from '../cli/options.ts'
import { writeFile } from '../output/file.ts'
import { counted } from '../output/incomplete.ts'
import type { Line } from '../output/text.ts'
import { resolve } from '../paths.ts'
import { connect, connectToWrite } from '../profile/connect.ts'
import { confirm } from '../prompts/questions.ts'
import type { WritableConnection } from '../service/connection.ts'
import type { Settings } from '../service/settings-document.ts'
import { finishWrite, runWrite, type Written } from '../requests/write.ts'
import { changeJson } from './changes.ts'
import { changingOf, type PlannedProject } from './comparison.ts'
import { readPlan } from './plan-file.ts'
import { DOCUMENT_HELP, makePlan } from './plan.ts'
import {
  countsText,
  failureOfAll,
  type Plan,
  planJson,
  planLines,
  statusLines,
} from './plan-report.ts'
import { requestBody } from './settings.ts'
import { updateStep } from './stored.ts'

/** The statuses that are counted even if no project has them. */
const statuses = ['changed', 'unchanged', 'failed']
/** The statuses of projects that are not as wanted. */
const unfinished: ReadonlySet<string> = new Set(['failed', 'unknown', 'skipped'])
const AGAIN = 'run apply again; it skips what is done'

/** A project, and what became of its changes. */
type AppliedProject = Omit<PlannedProject, 'status'> & Pick<Written<Settings>, 'status'>

function appliedJson({ projectId, status, changes, failure }: AppliedProject) {
  const error = failure && errorJson(failure).error
  const isUnchanged = status === 'unchanged'
  // The settings were read, and are those declared.
  const verified = status === 'changed' || isUnchanged
  return { projectId, status, changes: isUnchanged ? [] : changes.map(changeJson), verified, error }
}

/** What became of the projects. The plan above shows those that could not be read. */
function resultLines(results: readonly AppliedProject[]): Line[] {
  const others = results.filter(({ status, changes }) => {
    return unfinished.has(status) && changes.length > 0
  })
  return [[''], ...statusLines(others), [countsText(results, statuses)]]
}

/** Asks whether to make the changes of a plan, if there are any. */
async function confirmChanges(
  context: Context,
  { projects, target }: Plan,
  details: readonly Line[],
): Promise<void> {
  const changing = changingOf(projects)
  if (changing.length === 0) return
  const what = counted(changing.length, 'project')
  const question = { what: `update ${what}`, reason: `${what} would change`, details }
  await confirm(context, question, `on ${target}`)
}

/** Writes the previous settings of projects as a document that restores them. */
async function saveBefore(
  { host, redactor }: Context,
  path: string,
  projects: readonly PlannedProject[],
): Promise<void> {
  const entries = projects.map(({ projectId, before }) => [projectId, before])
  const { yamlText } = await import('../output/yaml.ts')
  const text = yamlText({ projects: Object.fromEntries(entries) }, redactor)
  await writeFile(host, resolve(host.cwd, path), text, { shown: path, mode: 0o600 })
}

/** Makes the changes of a plan, one project after the other. @returns results in the order of the plan */
async function* applyPlan(
  context: Context,
  connection: WritableConnection,
  { projects }: Plan,
): AsyncGenerator<AppliedProject> {
  const steps = changingOf(projects).map((project) => {
    const { projectId, before, wanted } = project
    const body = requestBody(before, wanted)
    return updateStep(connection.service, { projectId, body, states: project, findOut: AGAIN })
  })
  const results = runWrite(context, connection, steps, { check: true })
  for (const project of projects) {
    const { projectId, failure } = project
    if (project.status === 'changed') {
      const { status = 'skipped', error, warning } = (await results.next()).value ?? {}
      if (warning !== undefined) context.messages.warn(`project ${projectId}: ${warning}`)
      yield { ...project, status, failure: error }
    } else {
      yield { ...project, status: failure ? 'failed' : 'unchanged' }
    }
  }
  await results.next()
}

/** The error of a run; undefined if all projects are as wanted. */
function errorOf(results: readonly AppliedProject[]): FlagadmError | undefined {
  if (results.some(({ status }) => status === 'skipped')) {
    return new FlagadmError('interrupted', `interrupted; ${countsText(results, statuses)}`, {
      hint: AGAIN,
    })
  }
  // Those that are as wanted already are neither a success nor a failure.
  const tried = results.filter(({ status }) => status !== 'unchanged')
  return failureOfAll(tried, `correct the cause and ${AGAIN}`)
}

const HELP = `Changes the projects that differ, one after the other, and reads each back. Before that, it shows the plan and asks; without a terminal to ask on, it needs --yes. Ctrl-C finishes the change under way and reports what was changed; run apply again to continue.

With --plan, it sends exactly the changes that plan --save has kept, and refuses projects whose stored settings are no longer those of the plan: exit code 10, or 9 if nothing was changed.`

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  const plan = new Option('--plan <file>', 'plan to apply, written by plan --save')
  return withExamples(
    command,
    [
      'flagadm project settings apply -f flags.yaml -p sandbox',
      'flagadm project settings apply -f flags.yaml --yes --save-before before.yaml -p sandbox',
      'flagadm project settings apply --plan plan.json --yes',
    ],
    `${DOCUMENT_HELP}\n\n${HELP}`,
  )
    .option('-f, --file <path>', "file or folder of files, '-': stdin", collect)
    .addOption(plan.conflicts('file'))
    .option('--save-before <file>', 'write the previous settings to a new file, for undo')
    .option('--no-verify', 'do not check modes and naming rules')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'only show the plan')
    .action(async ({ file, plan: path, saveBefore: save, verify, yes, dryRun }) => {
      const { out, messages } = context
      const isText = format() === 'text'
      if (file === undefined && path === undefined) {
        throw new FlagadmError('usage', 'nothing to apply', {
          hint: 'use -f for documents, or --plan for a file of plan --save',
        })
      }
      const writable = dryRun ? undefined : await connectToWrite(context)
      const connection = writable ?? (await connect(context))
      const plan = path
        ? await readPlan(context, path, connection)
        : await makePlan(context, connection, file ?? [], { verify })
      const lines = planLines(plan)
      if (isText) out.lines(lines)
      if (!writable) {
        if (!isText) out.json(planJson(plan))
        const failure = failureOfAll(plan.projects)
        if (failure) throw failure
        return messages.note('dry run: nothing was sent')
      }
      // A terminal has the plan above the question.
      const isAbove = isText && out.width !== undefined
      if (!yes) await confirmChanges(context, plan, isAbove ? [] : [...lines, ['']])
      if (save !== undefined) await saveBefore(context, save, changingOf(plan.projects))
      const results: AppliedProject[] = []
      for await (const result of applyPlan(context, writable, plan)) {
        results.push(result)
        if (!isText) out.json(appliedJson(result))
      }
      if (isText) out.lines(resultLines(results))
      finishWrite(context, errorOf(results))
    })
}
