import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../command/context.ts'
import { errorJson, FlagadmError, refuseUsage } from '../errors.ts'
import { collect, withExamples } from '../command/options.ts'
import { counted } from '../output/incomplete.ts'
import type { Line } from '../output/text.ts'
import { connect, connectToWrite } from '../profile/connect.ts'
import { confirm } from '../prompts/terminal.ts'
import { readEach } from '../requests/each.ts'
import type { Connection, WritableConnection } from '../service/connection.ts'
import type { Settings } from '../service/settings-document.ts'
import type { UndoFile } from '../requests/undo-file.ts'
import { finishWrite, runWrite, settledBefore, type Step, type Written } from '../requests/write.ts'
import { changeJson } from './settings-text.ts'
import { changingOf, type PlannedProject } from './comparison.ts'
import { DOCUMENT_HELP, loadPlan, makePlan } from './plan.ts'
import {
  concernsOf,
  countsText,
  failureOfAll,
  openPlanLines,
  type Plan,
  planJson,
  planLines,
  statusLines,
} from './plan-report.ts'
import type { KeptProject } from './plan-file.ts'
import { requestBody } from './settings.ts'
import { updateStep } from './stored.ts'
import { noteUndo, prepareUndo, undoOf } from './undo.ts'

/** The statuses that are counted even if no project has them. */
const statuses = ['changed', 'unchanged', 'failed']
/** The statuses of projects that are not as wanted. */
const unfinished: ReadonlySet<string> = new Set(['failed', 'unknown', 'skipped'])
const AGAIN = 'run apply again; it skips what is done'
const CHANGED_SINCE = 'compare with what is stored, then make a new plan'

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
  return [...statusLines(others), [countsText(results, statuses)]]
}

async function confirmChanges(
  context: Context,
  { projects, target }: Plan,
  details: readonly Line[],
): Promise<void> {
  const changing = changingOf(projects)
  if (changing.length === 0) return
  const what = counted(changing.length, 'project')
  const warnings = concernsOf(changing).map((concern): Line => {
    return [{ magenta: 'warning:' }, ` ${concern}`]
  })
  const question = {
    what: `update ${what}`,
    reason: `${what} would change`,
    details: [...details, ...warnings],
  }
  await confirm(context, question, `on ${target}`)
}

interface ApplyOptions {
  /** What to do if someone else has changed a project. */
  remedy: string | undefined
  undoFile?: UndoFile<KeptProject> | undefined
}

/** The request that changes a project, or the result of one that stays as it is. */
function stepOf(
  connection: Connection,
  project: PlannedProject,
  { remedy, undoFile }: ApplyOptions,
): Step<Settings> | Written<Settings> {
  const { projectId, before, wanted, failure } = project
  if (failure) return { status: 'failed', error: failure }
  if (project.status !== 'changed') return { status: 'unchanged' }
  const body = requestBody(before, wanted)
  const entry = undoOf(project)
  const undo = undoFile && {
    keep: () => undoFile.add([entry]),
    drop: () => undoFile.remove([entry]),
  }
  const update = { projectId, body, states: project, findOut: { hint: AGAIN }, remedy, undo }
  return updateStep(connection.service, update)
}

/**
 * A kept plan as a run would find it: projects whose stored settings are not those of the plan have failed, others are
 * changed already.
 */
async function rehearse(connection: Connection, plan: Plan): Promise<Plan> {
  const rehearsed = new Map<string, Pick<PlannedProject, 'status' | 'failure'>>()
  const changing = new Map(changingOf(plan.projects).map((one) => [one.projectId, one]))
  const ids = [...changing.keys()]
  const { failures } = await readEach('project', ids, connection, async (projectId) => {
    const project = changing.get(projectId)
    const step = project && stepOf(connection, project, { remedy: CHANGED_SINCE })
    const settled = step && 'parameters' in step ? await settledBefore(step) : undefined
    if (settled?.error) throw settled.error
    if (settled) rehearsed.set(projectId, { status: 'unchanged' })
  })
  for (const [projectId, failure] of failures) {
    rehearsed.set(projectId, {
      status: failure.kind === 'notFound' ? 'missing' : 'failed',
      failure,
    })
  }
  const projects = plan.projects.map((project): PlannedProject => {
    const now = rehearsed.get(project.projectId)
    return now ? { ...project, ...now, changes: [] } : project
  })
  return { ...plan, projects }
}

/** Makes the changes of a plan, one project after the other. @returns results in the order of the plan */
async function* applyPlan(
  context: Context,
  connection: WritableConnection,
  { projects }: Plan,
  options: ApplyOptions,
): AsyncGenerator<AppliedProject> {
  const step = (project: PlannedProject) => stepOf(connection, project, options)
  for await (const { item: project, written } of runWrite(context, connection, projects, step, {
    rereadsFirst: true,
  })) {
    const { status, error, warning } = written
    if (warning !== undefined) context.messages.warn(`project ${project.projectId}: ${warning}`)
    yield { ...project, status, failure: error }
  }
}

/** The error of a run; undefined if all projects are as wanted. */
function errorOf(
  results: readonly AppliedProject[],
  remedy: string | undefined,
): FlagadmError | undefined {
  if (results.some(({ status }) => status === 'skipped')) {
    return new FlagadmError('interrupted', `interrupted; ${countsText(results, statuses)}`, {
      hint: AGAIN,
    })
  }
  // Those that are as wanted already are neither a success nor a failure.
  const tried = results.filter(({ status }) => status !== 'unchanged')
  const again = `correct the cause and ${AGAIN}`
  return failureOfAll(
    tried,
    remedy === undefined ? again : `${again}; if someone else has changed it, ${remedy}`,
  )
}

const HELP = `Changes the projects that differ, one after the other, and reads each back. Before that, it shows the plan and asks; without a terminal to ask on, it needs --yes. Ctrl-C finishes the change under way and reports what was changed; run apply again to continue.

--save-before writes a plan that undoes what this run changes. It refuses projects that were changed since.

With --plan, it checks the changes that plan --save has kept like those of a document, sends exactly them, and refuses projects whose stored settings are no longer those of the plan: exit code 10, or 9 if nothing was changed.`

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  const plan = new Option('--plan <file>', 'plan to apply, written by plan --save')
  return withExamples(
    command,
    [
      'flagadm project settings apply -f flags -p sandbox',
      'flagadm project settings apply -f flags --yes --save-before before.yaml',
      'flagadm project settings apply --plan plan.json --yes',
    ],
    `${DOCUMENT_HELP}\n\n${HELP}`,
  )
    .option('-f, --file <path>', "file or folder of files, '-': stdin", collect)
    .addOption(plan.conflicts('file'))
    .option('--save-before <file>', 'write a plan that undoes the changes to a new file')
    .option('--no-verify', 'do not check modes and naming rules')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'only show the plan')
    .action(async ({ file, plan: path, saveBefore: save, verify, yes, dryRun }) => {
      const { out, messages } = context
      const isText = format() === 'text'
      if (file === undefined && path === undefined) {
        refuseUsage('nothing to apply', 'use -f for documents, or --plan for a file of plan --save')
      }
      const writable = dryRun ? undefined : await connectToWrite(context)
      const connection = writable ?? (await connect(context))
      const saves = save !== undefined && !dryRun
      const undoFile = saves ? await prepareUndo(context, save, connection) : undefined
      const kept = path !== undefined && (await loadPlan(context, connection, path, { verify }))
      // Documents are compared anyway.
      const checked = kept && dryRun ? await rehearse(connection, kept) : kept
      const plan = checked || (await makePlan(context, connection, file ?? [], { verify }))
      const lines = dryRun ? planLines(plan) : openPlanLines(plan)
      if (isText) out.lines(lines)
      if (!writable) {
        if (!isText) out.json(planJson(plan))
        const failure = failureOfAll(plan.projects)
        if (failure) throw failure
        return messages.note('dry run: nothing was sent')
      }
      // A terminal has the plan above the question.
      const isAbove = isText && out.width !== undefined
      if (!yes) await confirmChanges(context, plan, isAbove ? [] : lines)
      // As text, the plan says so.
      const concerns = yes && !isText ? concernsOf(plan.projects) : []
      for (const concern of concerns) messages.warn(concern)
      const remedy = path === undefined ? undefined : CHANGED_SINCE
      const results: AppliedProject[] = []
      for await (const result of applyPlan(context, writable, plan, { remedy, undoFile })) {
        results.push(result)
        if (!isText) out.json(appliedJson(result))
      }
      if (isText) out.lines(resultLines(results))
      if (undoFile) await noteUndo(context, undoFile)
      finishWrite(context, errorOf(results, remedy))
    })
}
