import type { ProjectList } from '../../service/schema.ts'
import { wholeText } from '../../output/blocks.ts'
import { csv, csvCell } from '../../output/csv.ts'
import { minuteText } from '../../output/dates.ts'
import { cellsOf, type Column } from '../../output/layout.ts'
import { jsonLinesReport } from '../../output/json.ts'
import { renderTable } from '../../output/table.ts'
import type { Printer } from '../../output/printer.ts'
import { joined, type Safe, safe } from '../../output/text.ts'

export type Project = ProjectList['projects'][number]

const NOTHING = safe`—`

export function projectTable(projects: readonly Project[], { text, style, width }: Printer): Safe {
  const shown = (value: string | null | undefined) => (value ? text(value) : NOTHING)
  const column = (title: Safe, show: (project: Project) => Safe): Column => {
    return { elastic: true, forms: [{ title, cell: cellsOf(projects, show) }] }
  }
  const count = ({ featureCount }: Project) => safe`${featureCount ?? NOTHING}`
  const columns: Column[] = [
    column(safe`Project`, ({ id }) => text(id)),
    column(safe`Name`, ({ name }) => shown(name)),
    column(safe`Mode`, ({ mode }) => shown(mode)),
    { align: 'right', forms: [{ title: safe`Flags`, cell: cellsOf(projects, count) }] },
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

export function projectJsonl(projects: readonly Project[], printer: Printer): Safe {
  return jsonLinesReport(projects.map(fieldsOf), printer)
}

export function projectCsv(projects: readonly Project[], { text }: Printer): Safe {
  const columns = ['id', 'name', 'mode', 'featureCount', 'lastReportedFlagUsage'].map(text)
  const rows = projects.map((project) =>
    Object.values(fieldsOf(project)).map((value) => csvCell(text(`${value ?? ''}`))),
  )
  return csv([columns, ...rows])
}

/** The ids of projects, one per line. */
export function projectNames(projects: readonly Project[], { text }: Printer): Safe {
  return joined(projects.map(({ id }) => safe`${text(id)}\n`))
}
