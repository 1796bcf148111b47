import { wholeText } from '../../old/output/blocks.ts'
import type { FormatOf } from '../../old/output/formats.ts'
import type { Printer } from '../../old/output/printer.ts'
import { rowCsv, type RowField } from '../../old/output/rows.ts'
import { rowTable } from '../../old/output/table.ts'
import { joined, linesOf, type Safe, safe } from '../../old/output/text.ts'
import { documentOf, projectsDocument, type StoredProject } from '../settings.ts'
import { fieldsText, shownPart } from './changes.ts'

const noProjects = linesOf([safe`No projects.`])

function block({ projectId, settings }: StoredProject, printer: Printer): Safe {
  const fields = fieldsText(settings, undefined, printer)
  return linesOf([printer.style.bold(printer.text(projectId)), ...fields])
}

/** A project with the result of linting its rule, for a table. */
export interface LintedProject extends StoredProject {
  lint?: string
}

const fields: readonly RowField<LintedProject>[] = [
  { name: 'project', title: safe`Project`, value: ({ projectId }) => projectId },
  { name: 'mode', title: safe`Mode`, value: ({ settings }) => settings.mode },
  { name: 'pattern', value: ({ settings }) => settings.featureNaming.pattern },
  {
    title: safe`Pattern`,
    value: ({ settings }) => shownPart(settings.featureNaming.pattern) || undefined,
  },
  { name: 'example', value: ({ settings }) => settings.featureNaming.example },
  { name: 'description', value: ({ settings }) => settings.featureNaming.description },
  {
    name: 'linkTemplates',
    value: ({ settings: { linkTemplates } }) =>
      linkTemplates.length > 0 ? JSON.stringify(linkTemplates) : undefined,
  },
  { title: safe`Lint`, value: ({ lint }) => lint || undefined },
]

/** The document of a project for `set`, or of several for `plan` and `apply`. */
function documentFor(projects: readonly StoredProject[], isSingle: boolean): object {
  const [first] = projects
  return isSingle && first ? documentOf(first.settings) : projectsDocument(projects)
}

/**
 * The settings of projects in a format. Text has a block for each, without the fields that are not set; CSV has the link
 * templates as JSON.
 */
export async function renderProjects(
  format: FormatOf<'settingsGet'>,
  projects: readonly LintedProject[],
  isSingle: boolean,
  printer: Printer,
): Promise<Safe> {
  switch (format) {
    case 'text': {
      const blocks = projects.map((project) => block(project, printer))
      return blocks.length > 0 ? joined(blocks, '\n') : noProjects
    }
    case 'table':
      return projects.length > 0 ? wholeText(rowTable(projects, fields, printer)) : noProjects
    case 'csv':
      return wholeText(rowCsv(projects, fields, printer))
    case 'yaml': {
      const { yamlReport } = await import('../../old/output/yaml.ts')
      return yamlReport(documentFor(projects, isSingle), printer)
    }
    case 'json': {
      const json = JSON.stringify(documentFor(projects, isSingle), null, 2)
      return safe`${printer.jsonText(json)}\n`
    }
  }
}
