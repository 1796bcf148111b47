import { pMapIterable } from 'p-map'
import type { Connection } from '../service/connection.ts'
import { mayHaveWritten } from '../old/commit.ts'
import type { Context } from '../old/context.ts'
import { commonKind, FlagadmError, interrupted } from '../errors.ts'
import { formats } from '../old/output/formats.ts'
import { wholeNumber } from '../input/values.ts'
import {
  appliedCounts,
  appliedJson,
  type AppliedProject,
  appliedSummary,
  appliedText,
} from './report/applied.ts'
import { counted } from '../old/output/phrases.ts'
import { createPrinter } from '../old/output/printer.ts'
import { safe } from '../old/output/text.ts'
import { writeWhole } from '../old/output/file.ts'
import { yamlReport } from '../old/output/yaml.ts'
import { type PlanReport, planText } from './report/plan.ts'
import { changesBetween } from './changes.ts'
import { undoDocumentOf } from './stored.ts'
import {
  type ComparedProject,
  compareProjects,
  isCompared,
  type PlannedProject,
} from './comparison.ts'
import { confirm } from '../prompts/confirmation.ts'
import { readBack, readStoredSettings, refuseChanged, sendSettings } from './write.ts'
import { openDocuments } from './documents.ts'
import { fileKind } from './export-folder.ts'

const MAX_PROJECTS_AT_ONCE = 16

interface ApplyOptions {
  file: string[]
  verify: boolean
  yes?: true | undefined
  concurrency: string
  saveBefore?: string | undefined
  all?: true | undefined
}

/**
 * Changes the settings of projects to match documents, and reads the results back.
 * @throws `partial` if some projects could not be changed, the kind of their failures if none could
 */
export async function applySettings(context: Context, options: ApplyOptions): Promise<void> {
  const format = context.format(formats.textOrJson)
  const { verify, saveBefore, all = false } = options
  const concurrency = wholeNumber('--concurrency', options.concurrency, 1, MAX_PROJECTS_AT_ONCE)
  if (saveBefore !== undefined) await refuseExisting(context, saveBefore)
  const { declared, connection } = await openDocuments(context, options.file, verify)
  const { service, refusal, baseUrl, target } = connection
  // Refuse before the reads, which would be wasted.
  if (refusal) throw refusal
  const projects = await compareProjects(context, service, declared, { verify, concurrency })
  const plan = { projects, baseUrl, target, undeclared: undefined, checkNames: false, all }
  if (format === 'text') await context.write(safe`${planText(plan, context.printer)}\n`)
  const changing = projects.filter(isCompared).filter(({ status }) => status === 'changed')
  if (changing.length > 0 && !options.yes) await confirmPlan(context, plan, changing)
  if (saveBefore !== undefined) await saveSettings(context, saveBefore, changing)
  await applyAll(context, connection, projects, { concurrency, all })
}

/** @throws a usage error if the file exists, because it may be needed to undo an interrupted run */
async function refuseExisting({ host }: Context, path: string): Promise<void> {
  // A link without a target exists as well: the file would be created elsewhere.
  if ((await fileKind(path, host.cwd)) === 'none') return
  throw new FlagadmError('usage', `--save-before: ${path} already exists`, {
    hint: 'use another name; to undo several runs, apply the file of each, most recent first',
  })
}

/** Asks whether to change projects. The plan is shown with the question unless stdout shows it to the user. */
async function confirmPlan(
  context: Context,
  plan: PlanReport,
  changing: readonly ComparedProject[],
): Promise<void> {
  const isShown = context.format(formats.textOrJson) === 'text' && context.stdout.isTTY
  const [first, ...others] = changing
  const what =
    first && others.length === 0
      ? `project ${first.projectId}`
      : counted(changing.length, 'project')
  const change = {
    what: `update ${what}`,
    details: isShown
      ? []
      : planText(plan, createPrinter(context.redactor))
          .split('\n')
          .map((line) => [line]),
    reason: `${what} would change`,
  }
  await confirm(context, change, `on ${plan.target}`)
}

/** Writes the previous settings of projects as a document that restores them. */
async function saveSettings(
  context: Context,
  path: string,
  projects: readonly ComparedProject[],
): Promise<void> {
  const { host, printer } = context
  // Another run may have created the file while the question was open.
  await refuseExisting(context, path)
  const entries = projects.map(({ projectId, before }) => [projectId, undoDocumentOf(before)])
  const document = { projects: Object.fromEntries(entries) }
  await writeWhole(path, host, yamlReport(document, printer))
}

const meanwhile = { when: 'after the plan was made', hint: 'run apply again' }

/** How far a change has come. */
type Progress = 'planned' | 'sent' | 'accepted'

/** Whether a change that failed may have been made: its write was accepted, or failed without a clear answer. */
function isUncertain(progress: Progress, error: FlagadmError): boolean {
  return progress === 'accepted' || (progress === 'sent' && mayHaveWritten(error))
}

/**
 * Changes a project, unless its settings have changed since they were compared. Without `commitWrite`, which is for the
 * only write of a run: an interrupt stops the others, and the exit code depends on all of them.
 */
async function change(
  context: Context,
  { service, timeoutMs }: Connection,
  project: ComparedProject,
): Promise<AppliedProject> {
  const { projectId, before, after, body, changes } = project
  const interruption = context.host.signal
  let progress: Progress = 'planned'
  const write = async () => {
    progress = 'sent'
    await sendSettings(service, projectId, body)
    progress = 'accepted'
    return readBack(service, projectId, after)
  }
  try {
    if (interruption.aborted) throw interrupted()
    const now = await readStoredSettings(service, projectId)
    // Another run may have applied the same documents.
    if (changesBetween(now, after).length === 0) {
      return { projectId, status: 'unchanged', changes: [] }
    }
    refuseChanged(projectId, { before, now }, meanwhile)
    if (interruption.aborted) throw interrupted()
    const { error } = await context.letFinish(write(), timeoutMs)
    if (error) return { projectId, status: 'failed', changes, failure: error }
    return { projectId, status: 'changed', changes }
  } catch (error) {
    if (!(error instanceof FlagadmError)) throw error
    const isSkipped = progress === 'planned' && error.kind === 'interrupted'
    if (isSkipped) return { projectId, status: 'skipped', changes }
    const status = isUncertain(progress, error) ? 'unknown' : 'failed'
    return { projectId, status, changes, failure: error }
  }
}

async function apply(
  context: Context,
  connection: Connection,
  project: PlannedProject,
): Promise<AppliedProject> {
  const { projectId } = project
  if (!isCompared(project)) {
    return { projectId, status: 'failed', changes: [], failure: project.failure }
  }
  if (project.status === 'changed') return change(context, connection, project)
  return { projectId, status: 'unchanged', changes: [] }
}

async function applyAll(
  context: Context,
  connection: Connection,
  projects: readonly PlannedProject[],
  { concurrency, all }: { concurrency: number; all: boolean },
): Promise<void> {
  const { printer, write } = context
  const format = context.format(formats.textOrJson)
  // Text shows failures together at the end, and projects that do not change only with --all.
  const isListed = ({ status, failure }: AppliedProject) =>
    format === 'json' || (!failure && (all || status !== 'unchanged'))
  const render = format === 'json' ? appliedJson : appliedText
  const results: AppliedProject[] = []
  const applied = pMapIterable(projects, (project) => apply(context, connection, project), {
    concurrency,
  })
  for await (const result of applied) {
    results.push(result)
    if (isListed(result)) await write(render(result, printer))
  }
  if (format === 'text') {
    const blank = results.some(isListed) ? safe`\n` : safe``
    await write(safe`${blank}${appliedSummary(results, printer)}`)
  }
  if (context.host.signal.aborted) {
    const what = `interrupted; ${appliedCounts(results)}`
    const hint = 'run apply again; it skips what is done'
    context.messages.fail(new FlagadmError('interrupted', what, { hint }))
    // There is nothing to throw: the run sets the exit code of an interrupt, and prints no error after it.
    return
  }
  const failures = results.flatMap(({ failure }) => failure ?? [])
  const [first] = failures
  if (!first) return
  if (projects.length === 1) throw first
  const what = `${failures.length} of ${counted(projects.length, 'project')} failed`
  throw new FlagadmError(commonKind(failures, projects.length), what, {
    hint: 'correct the cause and run apply again; it skips what is done',
  })
}
