import { wholeText } from '../../output/blocks.ts'
import type { Column } from '../../output/layout.ts'
import type { Printer } from '../../output/printer.ts'
import { renderTable } from '../../output/table.ts'
import { joined, linesOf, type Safe, safe } from '../../output/text.ts'
import type { StoredProject } from '../selection.ts'
import { valuesOf } from '../changes.ts'
import { fieldsText, shownPart } from './changes.ts'

const noProjects = linesOf([safe`No projects.`])

function block({ projectId, settings }: StoredProject, printer: Printer): Safe {
  const fields = fieldsText(valuesOf(settings), undefined, printer)
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

/**
 * The settings of projects as a table.
 * @param verdicts the result of linting each rule
 */
export function settingsTable(
  projects: readonly StoredProject[],
  verdicts: readonly string[],
  { text, style, width }: Printer,
): Safe {
  if (projects.length === 0) return noProjects
  const rows = projects.map(({ projectId, settings }, index) => [
    projectId,
    settings.mode,
    shownPart(settings.featureNaming.pattern),
    verdicts[index],
  ])
  const titles = [safe`Project`, safe`Mode`, safe`Pattern`, safe`Lint`]
  const columns = titles.map((title, index): Column => {
    const cell = (row: number) => text(rows[row]?.[index] || '—')
    return { align: 'left', elastic: true, forms: [{ title, cell }] }
  })
  return wholeText(renderTable({ columns, rows: rows.length, width, hasTotals: false }, style.dim))
}
