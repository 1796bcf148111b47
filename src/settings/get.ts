import type { Context, Define } from '../command/context.ts'
import { throwFailures } from '../requests/each.ts'
import { refuseUsage } from '../errors.ts'
import { count, sortOption, withExamples } from '../command/options.ts'
import { field } from '../output/fields.ts'
import { recordFormats } from '../output/formats.ts'
import { incompleteLines } from '../output/incomplete.ts'
import { orderBy } from '../output/order.ts'
import { printRows } from '../output/print.ts'
import { firstRows } from '../output/rows.ts'
import { connect } from '../profile/connect.ts'
import { readProjects } from '../project/projects.ts'
import { singleProject } from '../project/selection.ts'
import type { FeatureNaming } from '../service/settings-document.ts'
import { settingsLines } from './settings-text.ts'
import { documentWithDefaults } from './defaults.ts'
import { documentOf, projectsDocument, type StoredProject } from './settings.ts'
import { createReader } from './stored.ts'

const ruleOf = (name: keyof FeatureNaming) => {
  return ({ settings }: StoredProject) => settings.featureNaming[name] || undefined
}

function linksJson({ settings: { linkTemplates } }: StoredProject): string | undefined {
  return linkTemplates.length > 0 ? JSON.stringify(linkTemplates) : undefined
}

const fields = [
  field.key<StoredProject>('project', 'Project', ({ projectId }) => projectId),
  field.word<StoredProject>('mode', 'Mode', ({ settings }) => settings.mode),
  field.name('pattern', 'Pattern', ruleOf('pattern')),
  field.data('example', ruleOf('example')),
  field.data('description', ruleOf('description')),
  field.data('linkTemplates', linksJson),
]

const orders = {
  id: ({ projectId }: StoredProject) => projectId,
  mode: ({ settings }: StoredProject) => settings.mode,
  pattern: ({ settings }: StoredProject) => settings.featureNaming.pattern,
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
  if (allProjects ? ids.length > 0 : ids.length === 0) {
    const what = allProjects ? '--all-projects cannot be combined with ids' : 'no project given'
    refuseUsage(what, 'pass project ids, or use --all-projects')
  }
  const selection = allProjects ? { allProjects } : { project: ids }
  const connection = await connect(context)
  const read = createReader(connection.service)
  const readOne = async (projectId: string) => ({ projectId, settings: await read(projectId) })
  const projects = await readProjects(context, connection, selection, readOne)
  return { ...projects, isSingle: singleProject(selection) !== undefined }
}

/** The document of projects: for `set` that of a single one, for `plan` and `apply` that of several. */
function documentFor(
  projects: readonly StoredProject[],
  { common, isSingle }: { common: true | undefined; isSingle: boolean },
): object {
  if (common) return documentWithDefaults(projects)
  const [first] = projects
  return isSingle && first ? documentOf(first.settings) : projectsDocument(projects)
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'table', 'yaml', 'json', ...recordFormats])
  return withExamples(
    command,
    [
      'flagadm project settings get checkout -p sandbox',
      'flagadm project settings get checkout -o yaml -p sandbox',
      'flagadm project settings get --all-projects -o table -p sandbox',
      'flagadm project settings get --all-projects --common -o yaml -p sandbox',
    ],
    `With one project id, yaml and json are a document for set --file; with several or --all-projects, one for plan and apply.`,
  )
    .argument('[project-id...]', "projects to show; '*' matches any text")
    .option('--all-projects', 'every project that the service lists')
    .option('--common', 'in yaml and json, write once what most of the projects share')
    .optionsGroup('View:')
    .addOption(sortOption(orders))
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n projects', count('--limit'))
    .action(async (ids, { allProjects, common, sort, ...view }) => {
      const { out, redactor } = context
      const wanted = format()
      if (common && wanted !== 'yaml' && wanted !== 'json') {
        refuseUsage('--common is for documents', 'add -o yaml')
      }
      const stored = await readSettings(context, ids, allProjects)
      const { results, failures, requested, incomplete, isSingle } = stored
      const { rows, beyondLimit } = firstRows(results, orderBy(orders[sort], orders.id), view)
      const document = documentFor(rows, { common, isSingle })
      if (results.length > 0 || failures.size === 0) {
        if (wanted === 'yaml') (await import('../output/yaml.ts')).printYaml(document, context)
        else if (wanted === 'json')
          out.jsonText(JSON.stringify(redactor.redactAll(document), null, 2))
        else if (wanted !== 'text') {
          const report = {
            rows,
            beyondLimit,
            noun: 'project',
            fields,
            nothing: 'No projects.',
            incomplete,
          }
          await printRows(wanted, report, context)
        } else {
          if (rows.length === 0) out.line('No projects.')
          for (const [index, { projectId, settings }] of rows.entries()) {
            if (index > 0) out.line('')
            out.lines([[{ bold: projectId }], ...settingsLines(settings)])
          }
          out.lines(incompleteLines(incomplete))
        }
      }
      throwFailures(context, { failures, requested })
    })
}
