import { lstat } from 'node:fs/promises'
import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../context.ts'
import { commonKind, errorJson, FlagadmError } from '../errors.ts'
import { collect, withExamples } from '../options.ts'
import { confirm } from '../prompts/confirmation.ts'
import { counted } from '../output/incomplete.ts'
import { resolve } from '../paths.ts'
import { connect } from '../profile/connection.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { Settings } from '../service/settings-document.ts'
import { finishWrite, runWrite, type Written } from '../write.ts'
import { changeJson } from './changes.ts'
import { type ComparedProject, isCompared } from './comparison.ts'
import { documentHelp, makePlan, refuseFailures } from './plan.ts'
import { writeFile } from '../output/file.ts'
import { readPlan } from './plan-file.ts'
import { countOf, failureLines, nonZero, type Plan, planJson, planLines } from './report.ts'
import { differentFields, explicitDocumentOf, requestBody } from './settings.ts'
import { explainMissing, readStored } from './stored.ts'

/** The result for a project. */
interface AppliedProject {
  projectId: string
  status: Written<string, Settings>['status']
  changes: ComparedProject['changes']
  failure?: FlagadmError | undefined
}

const styles = {
  changed: 'green',
  unchanged: 'dim',
  failed: 'red',
  unknown: 'red',
  skipped: 'yellow',
} as const

/** `3 projects: 1 changed, 1 unchanged, 1 failed`, with the other statuses if there are any. */
function appliedCounts(results: readonly AppliedProject[]): string {
  const [skipped, unknown] = [countOf(results, 'skipped'), countOf(results, 'unknown')]
  const counts = (['changed', 'unchanged', 'failed'] as const).map(
    (status) => `${countOf(results, status)} ${status}`,
  )
  return `${counted(results.length, 'project')}: ${[...counts, ...nonZero({ skipped, unknown })].join(', ')}`
}

function appliedJson({ projectId, status, changes, failure }: AppliedProject) {
  // The settings were read, and are those declared.
  const verified = status === 'changed' || status === 'unchanged'
  const error = failure && errorJson(failure).error
  return { projectId, status, changes: changes.map(changeJson), verified, error }
}

/** The plan of a file, for the service that it was made for. @throws a usage error for another service */
async function keptPlan(
  context: Context,
  path: string,
): Promise<{ plan: Plan; connection: Connection }> {
  const { service, projects } = await readPlan(context, path)
  const connection = await connect(context)
  const { baseUrl, target } = connection
  if (service === baseUrl) return { plan: { projects, baseUrl, target }, connection }
  throw new FlagadmError('usage', `${path}: the plan is for ${service}, not for ${baseUrl}`, {
    hint: 'use a profile for that service',
  })
}

/** @throws a usage error if the file exists, because it may be needed to undo an interrupted run */
async function refuseExisting({ host }: Context, path: string): Promise<void> {
  // A link without a target exists as well: the file would be created elsewhere.
  const stats = await lstat(resolve(host.cwd, path)).catch(() => undefined)
  if (!stats) return
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

/** The question before the changes, with the plan unless stdout shows it to the user. */
function questionOf(plan: Plan, changing: readonly ComparedProject[], isShown: boolean) {
  const [first, ...others] = changing
  const what =
    first && others.length === 0
      ? `project ${first.projectId}`
      : counted(changing.length, 'project')
  const details = isShown ? [] : [...planLines(plan), ['']]
  return { what: `update ${what}`, reason: `${what} would change`, details }
}

/** Makes changes, one project after the other. */
async function* makeChanges(
  context: Context,
  connection: Connection,
  changing: readonly ComparedProject[],
): AsyncGenerator<AppliedProject> {
  const { service } = connection
  const results = runWrite(context, connection, {
    operation: operations.updateProjectSettings,
    steps: changing.map(({ projectId, before, after, wanted }) => ({
      parameters: { projectId },
      body: requestBody(before, wanted),
      states: { before, after, read: () => readStored(service, projectId) },
    })),
    differences: differentFields,
    noun: 'settings',
    check: true,
    findOut: 'run apply again; it skips what is done',
    explain: (failure, { parameters }) => explainMissing(service, parameters.projectId, failure),
  })
  for await (const { step, status, error, warning } of results) {
    const { projectId } = step.parameters
    if (warning !== undefined) context.messages.warn(`project ${projectId}: ${warning}`)
    const changes = changing.find((one) => one.projectId === projectId)?.changes ?? []
    yield { projectId, status, changes: status === 'unchanged' ? [] : changes, failure: error }
  }
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

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  const examples = withExamples(
    command.summary(),
    'flagadm project settings apply -f flags.yaml -p sandbox',
    'flagadm project settings apply -f flags.yaml --yes --save-before before.yaml -p sandbox',
    'flagadm project settings apply --plan plan.json --yes',
  )
  return command
    .description(
      `${examples}

${documentHelp}

Changes the projects that differ, one after the other, and reads each back. Before that, it shows the plan and asks; without a terminal to ask on, it needs --yes. Ctrl-C finishes the change under way and reports what was changed; run apply again to continue.

With --plan, it sends exactly the changes that plan --save has kept, and refuses projects whose stored settings are no longer those of the plan: exit code 10, or 9 if nothing was changed.`,
    )
    .option('-f, --file <path>', "file or folder of files, '-': stdin", collect)
    .addOption(
      new Option('--plan <file>', 'plan to apply, written by plan --save').conflicts('file'),
    )
    .option('--save-before <file>', 'write the previous settings to a new file, for undo')
    .option('--no-verify', 'do not check modes and naming rules')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'only show the plan')
    .action(async ({ file, plan: path, saveBefore: save, verify, yes, dryRun }) => {
      const { out } = context
      const isText = format() === 'text'
      if (file === undefined && path === undefined) {
        throw new FlagadmError('usage', 'nothing to apply', {
          hint: 'use -f for documents, or --plan for a file of plan --save',
        })
      }
      if (save !== undefined) await refuseExisting(context, save)
      const { plan, connection } =
        path === undefined
          ? await makePlan(context, { file: file ?? [], verify, writes: !dryRun })
          : await keptPlan(context, path)
      const { projects } = plan
      if (isText) out.lines(planLines(plan))
      if (dryRun) {
        if (!isText) out.json(planJson(plan, false))
        refuseFailures(projects)
        return context.messages.note('dry run: nothing was sent')
      }
      const changing = projects.filter(isCompared).filter(({ status }) => status === 'changed')
      if (changing.length > 0 && !yes) {
        const isShown = isText && out.width !== undefined
        await confirm(context, questionOf(plan, changing, isShown), `on ${connection.target}`)
      }
      if (save !== undefined) await saveBefore(context, save, changing)
      const results: AppliedProject[] = []
      const add = (result: AppliedProject) => {
        results.push(result)
        const { projectId, status } = result
        if (!isText) out.json(appliedJson(result))
        else if (status !== 'unchanged' && !result.failure) {
          if (!results.slice(0, -1).some((one) => one.status !== 'unchanged' && !one.failure))
            out.line('')
          out.line({ bold: projectId }, ': ', { [styles[status]]: status })
        }
      }
      const changed = makeChanges(context, connection, changing)
      for (const project of projects) {
        const { projectId, status } = project
        if (!isCompared(project)) {
          add({ projectId, status: 'failed', changes: [], failure: project.failure })
        } else if (status === 'unchanged') add({ projectId, status, changes: [] })
        else {
          const { value } = await changed.next()
          if (value) add(value)
        }
      }
      await changed.return(undefined)
      if (isText) {
        const failed = results.flatMap(({ failure, ...one }) =>
          failure ? [{ ...one, failure }] : [],
        )
        const lines = failureLines(failed)
        out.lines([[''], ...lines, [appliedCounts(results)]])
      }
      finishWrite(context, errorOf(results))
    })
}
