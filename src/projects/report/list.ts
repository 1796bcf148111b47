import type { ChalkInstance } from 'chalk'
import type { ProjectList } from '../../service/schema.ts'
import { wholeText } from '../../output/blocks.ts'
import { csv, csvCell } from '../../output/csv.ts'
import { minuteText } from '../../output/dates.ts'
import type { Column } from '../../output/layout.ts'
import { jsonLinesReport } from '../../output/json.ts'
import { renderTable } from '../../output/table.ts'
import { safeText } from '../../output/escapes.ts'

export type Project = ProjectList['projects'][number]

const NOTHING = '—'

function shown(text: string | null | undefined): string {
  return text ? safeText(text) : NOTHING
}

export function projectTable(
  projects: readonly Project[],
  width: number | undefined,
  style: ChalkInstance,
): string {
  const column = (
    title: string,
    show: (project: Project) => string,
    align: Column['align'] = 'left',
  ): Column => {
    const cell = (row: number) => {
      const project = projects[row]
      return project ? show(project) : ''
    }
    return { align, elastic: align === 'left', forms: [{ title, cell }] }
  }
  const columns = [
    column('Project', ({ id }) => safeText(id)),
    column('Name', ({ name }) => shown(name)),
    column('Mode', ({ mode }) => shown(mode)),
    column('Flags', ({ featureCount }) => `${featureCount ?? NOTHING}`, 'right'),
    column('Last usage', ({ lastReportedFlagUsage }) =>
      lastReportedFlagUsage ? minuteText(lastReportedFlagUsage) : NOTHING,
    ),
  ]
  const content = { columns, rows: projects.length, width, hasTotals: false }
  return wholeText(renderTable(content, style.dim))
}

function fieldsOf({ id, name, mode, featureCount, lastReportedFlagUsage }: Project) {
  return { id, name, mode, featureCount, lastReportedFlagUsage }
}

export function projectJsonl(projects: readonly Project[]): string {
  return jsonLinesReport(projects.map(fieldsOf))
}

export function projectCsv(projects: readonly Project[]): string {
  const columns = ['id', 'name', 'mode', 'featureCount', 'lastReportedFlagUsage']
  const rows = projects.map(({ id, name, mode, featureCount, lastReportedFlagUsage }) => [
    csvCell(id),
    csvCell(name),
    csvCell(mode),
    featureCount ?? '',
    csvCell(lastReportedFlagUsage),
  ])
  return csv([columns, ...rows])
}

/** The ids of projects, one per line. */
export function projectNames(projects: readonly Project[]): string {
  return projects.map(({ id }) => `${safeText(id)}\n`).join('')
}
