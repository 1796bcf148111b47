import { wholeText } from '../../output/blocks.ts'
import type { Printer } from '../../output/printer.ts'
import { rowCsv, type RowField, rowTable } from '../../output/rows.ts'
import { joined, linesOf, type Safe, safe } from '../../output/text.ts'
import type { StoredProject } from '../stored.ts'
import { fieldsText, shownPart } from './changes.ts'

const noProjects = linesOf([safe`No projects.`])

function block({ projectId, settings }: StoredProject, printer: Printer): Safe {
  const fields = fieldsText(settings, undefined, printer)
  return linesOf([printer.style.bold(printer.text(projectId)), ...fields])
}

/** The settings of projects as text: a block for each, without the fields that are not set. */
export function settingsBlocks(projects: readonly StoredProject[], printer: Printer): Safe {
  if (projects.length === 0) return noProjects
  return joined(
    projects.map((project) => block(project, printer)),
    '\n',
  )
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

/** The settings of projects as CSV, with the link templates as JSON. */
export function settingsCsv(projects: readonly StoredProject[], printer: Printer): Safe {
  return wholeText(rowCsv(projects, fields, printer))
}

/** The settings of projects as a table. */
export function settingsTable(projects: readonly LintedProject[], printer: Printer): Safe {
  if (projects.length === 0) return noProjects
  return wholeText(rowTable(projects, fields, printer))
}
