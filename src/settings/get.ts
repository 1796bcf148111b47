import type { Context, Define } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { lengthProblem } from '../naming/rule.ts'
import { count, sortOption, withExamples } from '../options.ts'
import type { RowField } from '../output/fields.ts'
import { incompleteLines } from '../output/incomplete.ts'
import { byCodeUnit } from '../output/order.ts'
import { firstRows, printRows } from '../output/rows.ts'
import { connect } from '../profile/connection.ts'
import { readProjects, singleProject, throwFailures } from '../project/reading.ts'
import { settingsLines } from './changes.ts'
import { documentOf, projectsDocument, type StoredProject } from './settings.ts'
import { createReader } from './stored.ts'
import { createRuleCheck } from './verify.ts'

interface LintedProject extends StoredProject {
  /** The codes of the errors in the rule, or `ok`; empty without a rule. */
  lint?: string
}

const fields: readonly RowField<LintedProject>[] = [
  { name: 'project', title: 'Project', value: ({ projectId }) => projectId, kind: 'key' },
  { name: 'mode', title: 'Mode', value: ({ settings }) => settings.mode, kind: 'word' },
  {
    name: 'pattern',
    title: 'Pattern',
    value: ({ settings }) => settings.featureNaming.pattern || undefined,
    kind: 'name',
  },
  { name: 'example', value: ({ settings }) => settings.featureNaming.example, kind: 'name' },
  {
    name: 'description',
    value: ({ settings }) => settings.featureNaming.description,
    kind: 'name',
  },
  {
    name: 'linkTemplates',
    value: ({ settings: { linkTemplates } }) =>
      linkTemplates.length > 0 ? JSON.stringify(linkTemplates) : undefined,
    kind: 'name',
  },
  { title: 'Lint', value: ({ lint }) => lint || undefined, kind: 'word' },
]

const orders = {
  id: () => 0,
  mode: (a: StoredProject, b: StoredProject) => byCodeUnit(a.settings.mode, b.settings.mode),
  pattern: ({ settings: a }: StoredProject, { settings: b }: StoredProject) =>
    byCodeUnit(a.featureNaming.pattern, b.featureNaming.pattern),
}

/**
 * Reads the settings of projects.
 * @param ids in which `*` is any text
 * @throws a usage error unless there are ids or `--all-projects`
 */
export async function readSettings(
  context: Context,
  ids: readonly string[],
  allProjects: true | undefined,
) {
  const refuse = (what: string, hint: string): never => {
    throw new FlagadmError('usage', what, { hint })
  }
  if (allProjects && ids.length > 0) {
    const hint = 'leave out --all-projects or the project ids'
    refuse('--all-projects cannot be combined with project ids', hint)
  }
  if (!allProjects && ids.length === 0) {
    refuse('no project given', 'pass project ids, or use --all-projects')
  }
  const selection = allProjects ? { allProjects } : { project: ids }
  const connection = await connect(context)
  const read = createReader(connection.service)
  const found = await readProjects(context, connection, selection, async (projectId) => ({
    projectId,
    settings: await read(projectId),
  }))
  return { ...found, isSingle: singleProject(selection) !== undefined }
}

/** The projects with the results of linting their rules. */
async function linted(
  projects: readonly StoredProject[],
  signal: AbortSignal,
): Promise<LintedProject[]> {
  const checkRule = createRuleCheck(signal)
  const lint = async ({ settings: { featureNaming } }: StoredProject) => {
    if (!featureNaming.pattern) return ''
    if (lengthProblem(featureNaming) !== undefined) return 'too long to check'
    const codes = new Set((await checkRule(featureNaming)).map(({ code }) => code))
    return [...codes].join(', ') || 'ok'
  }
  const results: LintedProject[] = []
  for (const project of projects) results.push({ ...project, lint: await lint(project) })
  return results
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'table', 'yaml', 'json', 'csv'])
  const examples = withExamples(
    command.summary(),
    'flagadm project settings get checkout -p sandbox',
    'flagadm project settings get checkout -o yaml -p sandbox',
    'flagadm project settings get --all-projects -o table -p sandbox',
  )
  return command
    .description(
      `${examples}\n\nWith one project id, yaml and json are a document for set --file; with several or --all-projects, one for plan and apply.`,
    )
    .argument('[project-id...]', "projects to show; '*': any text")
    .option('--all-projects', 'every project that the service lists')
    .optionsGroup('View:')
    .addOption(sortOption(['id', 'mode', 'pattern']))
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n projects', count('--limit'))
    .action(async (ids, { allProjects, sort, ...view }) => {
      const { out, redactor, signal } = context
      const wanted = format()
      const isDocument = wanted === 'yaml' || wanted === 'json'
      if (isDocument && (view.reverse || view.limit || sort !== 'id')) {
        throw new FlagadmError('usage', `${wanted} is a document without an order`, {
          hint: 'use -o table or -o csv to sort or limit projects',
        })
      }
      const found = await readSettings(context, ids, allProjects)
      const { results, failures, requested, incomplete, isSingle } = found
      const order = (a: StoredProject, b: StoredProject) =>
        orders[sort](a, b) || byCodeUnit(a.projectId, b.projectId)
      const { rows, cut } = firstRows(results, order, view)
      const [first] = results
      const document = isSingle && first ? documentOf(first.settings) : projectsDocument(rows)
      if (results.length > 0 || failures.size === 0) {
        if (wanted === 'yaml') (await import('../output/yaml.ts')).printYaml(document, context)
        else if (wanted === 'json')
          out.jsonText(JSON.stringify(redactor.redactAll(document), null, 2))
        else if (wanted !== 'text') {
          const shown = wanted === 'table' ? await linted(rows, signal) : rows
          const report = { rows: shown, fields, nothing: 'No projects.', cut, incomplete }
          printRows(wanted, report, out)
        } else {
          if (rows.length === 0) out.line('No projects.')
          for (const [index, { projectId, settings }] of rows.entries()) {
            if (index > 0) out.line('')
            out.lines([[{ bold: projectId }], ...settingsLines(settings)])
          }
          out.lines(incompleteLines(incomplete))
        }
      }
      throwFailures(context, failures, requested, 'projects')
    })
}
