import type { ChalkInstance } from 'chalk'
import type { ProjectList } from '../service/schema.ts'
import { timeOf } from '../usage/time.ts'
import { csvCell, csvTable } from './csv.ts'
import type { Column } from './layout.ts'
import { jsonLinesReport } from './json.ts'
import { renderTable } from './table.ts'
import { safeText } from './text.ts'

export type Project = ProjectList['projects'][number]

const NOTHING = '—'

function shown(text: string | null | undefined): string {
  return text ? safeText(text) : NOTHING
}

/** `2026-11-20 16:00Z`; text that is not a date is kept. */
function shownTime(text: string | null | undefined): string {
  const time = timeOf(text ?? '')
  return time === undefined
    ? shown(text)
    : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}Z`
}

function column(title: string, cells: readonly string[], align: Column['align'] = 'left'): Column {
  return { align, elastic: align === 'left', forms: [{ title, cells: () => [...cells] }] }
}

/** Projects as a table for people. */
export function projectTable(
  projects: readonly Project[],
  width: number | undefined,
  style: ChalkInstance,
): string {
  const columns = [
    column(
      'Project',
      projects.map(({ id }) => safeText(id)),
    ),
    column(
      'Name',
      projects.map(({ name }) => shown(name)),
    ),
    column(
      'Mode',
      projects.map(({ mode }) => shown(mode)),
    ),
    column(
      'Flags',
      projects.map(({ featureCount }) => `${featureCount ?? NOTHING}`),
      'right',
    ),
    column(
      'Last usage',
      projects.map((project) => shownTime(project.lastReportedFlagUsage)),
    ),
  ]
  return `${renderTable({ columns, hasTotals: false }, width, style.dim)}\n`
}

function fieldsOf({ id, name, mode, featureCount, lastReportedFlagUsage }: Project) {
  return { id, name, mode, featureCount, lastReportedFlagUsage }
}

/** Projects as JSON Lines. */
export function projectJsonl(projects: readonly Project[]): string {
  return jsonLinesReport(projects.map(fieldsOf))
}

/** Projects as CSV. */
export function projectCsv(projects: readonly Project[]): string {
  const columns = ['id', 'name', 'mode', 'featureCount', 'lastReportedFlagUsage']
  const rows = projects.map(({ id, name, mode, featureCount, lastReportedFlagUsage }) => [
    csvCell(id),
    csvCell(name),
    csvCell(mode),
    featureCount ?? '',
    csvCell(lastReportedFlagUsage),
  ])
  return csvTable(columns, rows)
}

/** The ids of projects, one per line. */
export function projectNames(projects: readonly Project[]): string {
  return projects.map(({ id }) => `${safeText(id)}\n`).join('')
}
