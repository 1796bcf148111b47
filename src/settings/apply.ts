import { lstat } from 'node:fs/promises'
import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../context.ts'
import { commonKind, errorJson, FlagadmError } from '../errors.ts'
import { collect, withExamples } from '../options.ts'
import { writeFile } from '../output/file.ts'
import { counted } from '../output/incomplete.ts'
import { resolve } from '../paths.ts'
import { connect } from '../profile/connection.ts'
import { confirm } from '../prompts/questions.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { Settings } from '../service/settings-document.ts'
import { finishWrite, runWrite, type Written } from '../write.ts'
import { changeJson } from './changes.ts'
import { changingOf, type ComparedProject, isCompared } from './comparison.ts'
import { documentHelp, makePlan } from './plan.ts'
import { readPlan } from './plan-file.ts'
import {
  countOf,
  countsText,
  failureLines,
  type Plan,
  planJson,
  planLines,
  refuseUnread,
} from './report.ts'
import { differentFields, explicitDocumentOf, requestBody } from './settings.ts'
import { explainMissing, readStored } from './stored.ts'

/** The result for a project. */
interface AppliedProject {
  projectId: string
  status: Written<Settings>['status']
  changes: ComparedProject['changes']
  failure?: FlagadmError | undefined
}

const styles = {
  changed: 'green',
  unchanged: 'dim',
  failed: 'red',
  skipped: 'yellow',
  unknown: 'red',
} as const

/** `3 projects: 1 changed, 1 unchanged, 1 failed`, with the other statuses if there are any. */
function appliedCounts(results: readonly AppliedProject[]): string {
  const words = Object.fromEntries(Object.keys(styles).map((status) => [status, status]))
  return countsText(results, words, ['changed', 'unchanged', 'failed'])
}

function appliedJson({ projectId, status, changes, failure }: AppliedProject) {
  // The settings were read, and are those declared.
  const verified = status === 'changed' || status === 'unchanged'
  const error = failure && errorJson(failure).error
  return { projectId, status, changes: changes.map(changeJson), verified, error }
}

/** The plan of a file. @throws a usage error unless it was made for the service */
async function keptPlan(context: Context, path: string) {
  const { service, projects } = await readPlan(context, path)
  const connection = await connect(context)
  const { baseUrl, target } = connection
  if (service !== baseUrl) {
    throw new FlagadmError('usage', `${path}: the plan is for ${service}, not for ${baseUrl}`, {
      hint: 'use a profile for that service',
    })
  }
  const plan: Plan = { projects, baseUrl, target }
  return { plan, connection }
}

/** @throws a usage error if the file exists, because it may be needed to undo an interrupted run */
async function refuseExisting({ host }: Context, path: string): Promise<void> {
  // A link without a target exists as well: the file would be created elsewhere.
  if (!(await lstat(resolve(host.cwd, path)).catch(() => undefined))) return
  throw new FlagadmError('usage', `--save-before: ${path} already exists`, {
    hint: 'use another name; to undo several runs, apply the file of each, most recent first',
  })
}

/** Writes the previous settings of projects as a document that restores them. */
async function saveBefore(
  { host, redactor }: Context,
  path: string,
  projects: readonly ComparedProject[],
): Promise<void> {
  const entries = projects.map(({ projectId, before }) => [projectId, explicitDocumentOf(before)])
  const { yamlText } = await import('../output/yaml.ts')
  const text = yamlText({ projects: Object.fromEntries(entries) }, redactor)
  await writeFile(resolve(host.cwd, path), text, { shown: path, mode: 0o600 })
}

/** Asks before the changes, with the plan unless stdout shows it to the user. */
async function ask(context: Context, plan: Plan, isShown: boolean): Promise<void> {
  const [first, ...others] = changingOf(plan.projects)
  if (!first) return
  const isSingle = others.length === 0
  const what = isSingle ? `project ${first.projectId}` : counted(others.length + 1, 'project')
  const details = isShown ? [] : [...planLines(plan), ['']]
  const question = { what: `update ${what}`, reason: `${what} would change`, details }
  await confirm(context, question, `on ${plan.target}`)
}

/** Makes the changes of a plan, one project after the other. @returns results in the order of the plan */
async function* applyPlan(
  context: Context,
  connection: Connection,
  { projects }: Plan,
): AsyncGenerator<AppliedProject> {
  const { service } = connection
  const results = runWrite(context, connection, {
    operation: operations.updateProjectSettings,
    steps: changingOf(projects).map(({ projectId, before, after, wanted }) => ({
      parameters: { projectId },
      body: requestBody(before, wanted),
      states: { before, after, read: () => readStored(service, projectId) },
    })),
    differences: differentFields,
    noun: 'settings',
    check: true,
    findOut: 'run apply again; it skips what is done',
  })
  for (const project of projects) {
    const { projectId } = project
    if (!isCompared(project)) {
      yield { projectId, status: 'failed', changes: [], failure: project.failure }
      continue
    }
    const { value } = project.status === 'changed' ? await results.next() : {}
    const { status = 'unchanged', error, warning } = value ?? {}
    const failure = error && (await explainMissing(service, projectId, error))
    if (warning !== undefined) context.messages.warn(`project ${projectId}: ${warning}`)
    yield { projectId, status, changes: status === 'unchanged' ? [] : project.changes, failure }
  }
  await results.next()
}

/** The error of a run; undefined if all projects are as wanted. */
function errorOf(results: readonly AppliedProject[]): FlagadmError | undefined {
  const hint = 'run apply again; it skips what is done'
  if (countOf(results, 'skipped') > 0) {
    return new FlagadmError('interrupted', `interrupted; ${appliedCounts(results)}`, { hint })
  }
  const failures = results.flatMap(({ failure }) => failure ?? [])
  const [first] = failures
  if (!first || results.length === 1) return first
  // If nothing was applied, all refusals are a failed check, even if other projects had the settings before.
  const isRefused =
    countOf(results, 'changed') === 0 && failures.every(({ kind }) => kind === 'checkFailed')
  const kind = isRefused ? 'checkFailed' : commonKind(failures, results.length)
  const what = `${failures.length} of ${counted(results.length, 'project')} failed`
  return new FlagadmError(kind, what, { hint: `correct the cause and ${hint}` })
}

const help = `Changes the projects that differ, one after the other, and reads each back. Before that, it shows the plan and asks; without a terminal to ask on, it needs --yes. Ctrl-C finishes the change under way and reports what was changed; run apply again to continue.

With --plan, it sends exactly the changes that plan --save has kept, and refuses projects whose stored settings are no longer those of the plan: exit code 10, or 9 if nothing was changed.`

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  const examples = withExamples(
    command.summary(),
    'flagadm project settings apply -f flags.yaml -p sandbox',
    'flagadm project settings apply -f flags.yaml --yes --save-before before.yaml -p sandbox',
    'flagadm project settings apply --plan plan.json --yes',
  )
  const plan = new Option('--plan <file>', 'plan to apply, written by plan --save')
  return command
    .description(`${examples}\n\n${documentHelp}\n\n${help}`)
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
      if (save !== undefined) await refuseExisting(context, save)
      const { plan, connection } =
        path === undefined
          ? await makePlan(context, { file: file ?? [], verify }, !dryRun)
          : await keptPlan(context, path)
      if (isText) out.lines(planLines(plan))
      if (dryRun) {
        if (!isText) out.json(planJson(plan))
        refuseUnread(plan.projects)
        return messages.note('dry run: nothing was sent')
      }
      if (!yes) await ask(context, plan, isText && out.width !== undefined)
      if (save !== undefined) await saveBefore(context, save, changingOf(plan.projects))
      const results: AppliedProject[] = []
      let isFirst = true
      for await (const result of applyPlan(context, connection, plan)) {
        results.push(result)
        const { projectId, status, failure } = result
        if (!isText) out.json(appliedJson(result))
        if (!isText || failure || status === 'unchanged') continue
        if (isFirst) out.line('')
        isFirst = false
        out.line({ bold: projectId }, ': ', { [styles[status]]: status })
      }
      const failed = results.flatMap(({ failure, ...one }) => (failure ? { ...one, failure } : []))
      if (isText) out.lines([[''], ...failureLines(failed), [appliedCounts(results)]])
      finishWrite(context, errorOf(results))
    })
}
