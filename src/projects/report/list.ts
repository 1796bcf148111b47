import type { ProjectList } from '../../service/schema.ts'
import { wholeText } from '../../output/blocks.ts'
import { csv, csvCell } from '../../output/csv.ts'
import type { FormatOf } from '../../output/formats.ts'
import { minuteText } from '../../output/dates.ts'
import { cellsOf, type Column } from '../../output/layout.ts'
import { jsonLinesReport } from '../../output/json.ts'
import { renderTable } from '../../output/table.ts'
import type { Printer } from '../../output/printer.ts'
import { joined, linesOf, type Safe, safe } from '../../output/text.ts'
import type { Missing } from '../missing.ts'
import { missingJsonl, missingLine } from './missing.ts'

type Project = ProjectList['projects'][number]

const NOTHING = safe`—`

function projectTable(projects: readonly Project[], { text, style, width }: Printer): Safe {
  const shown = (value: string | null | undefined) => (value ? text(value) : NOTHING)
  const column = (title: Safe, show: (project: Project) => Safe): Column => {
    return { elastic: true, forms: [{ title, cell: cellsOf(projects, show) }] }
  }
  const count = ({ featureCount }: Project) => safe`${featureCount ?? NOTHING}`
  const columns: Column[] = [
    column(safe`Project`, ({ id }) => text(id)),
    column(safe`Name`, ({ name }) => shown(name)),
    column(safe`Mode`, ({ mode }) => shown(mode)),
    {
      align: 'right',
      forms: [{ title: safe`Flags`, cell: cellsOf(projects, count) }],
    },
    column(safe`Last usage`, ({ lastReportedFlagUsage }) =>
      lastReportedFlagUsage ? minuteText(text(lastReportedFlagUsage)) : NOTHING,
    ),
  ]
  const content = { columns, rows: projects.length, width, hasTotals: false }
  return wholeText(renderTable(content, style.dim))
}

function fieldsOf({ id, name, mode, featureCount, lastReportedFlagUsage }: Project) {
  return { id, name, mode, featureCount, lastReportedFlagUsage }
}

function projectCsv(projects: readonly Project[], { text }: Printer): Safe {
  const columns = ['id', 'name', 'mode', 'featureCount', 'lastReportedFlagUsage'].map(text)
  const rows = projects.map((project) =>
    Object.values(fieldsOf(project)).map((value) => csvCell(text(`${value ?? ''}`))),
  )
  return csv([columns, ...rows])
}

/** Projects in a format. */
export function renderProjects(
  format: Exclude<FormatOf<'projects'>, 'json'>,
  projects: readonly Project[],
  missing: Missing,
  printer: Printer,
): Safe {
  switch (format) {
    case 'table':
      if (projects.length === 0) return linesOf([safe`No projects.`])
      return joined([projectTable(projects, printer), missingLine(missing, printer.text)])
    case 'jsonl':
      return joined([
        jsonLinesReport(projects.map(fieldsOf), printer),
        missingJsonl(missing, printer),
      ])
    case 'csv':
      return projectCsv(projects, printer)
    case 'names':
      return joined(projects.map(({ id }) => safe`${printer.text(id)}\n`))
  }
}
