import { timeOf } from '../input/time.ts'
import { connect } from '../profile/connection.ts'
import type { Context } from '../old/context.ts'
import { writeReport } from '../old/output/file.ts'
import { formats, refuseWithJson } from '../old/output/formats.ts'
import { serviceDocument } from '../old/output/json.ts'
import { byCodeUnit } from '../old/output/order.ts'
import { firstRows } from '../old/output/rows.ts'
import { safe } from '../old/output/text.ts'
import { nothingMissing } from './missing.ts'
import { projectFields, projectRow } from './report/list.ts'
import { renderRows } from './report/rows.ts'
import type { ListOptions, projectSortKeys } from './options.ts'
import { matching } from './selection.ts'
import { warnOfUnlisted } from './reading.ts'
import { operations } from '../service/operations.ts'

type SortKey = (typeof projectSortKeys)[number]
type Row = ReturnType<typeof projectRow>

/** Text by code unit, counts from the largest down, times from the oldest up. */
const orders: Record<SortKey, (a: Row, b: Row) => number> = {
  id: () => 0,
  name: (a, b) => byCodeUnit(a.name ?? '', b.name ?? ''),
  mode: (a, b) => byCodeUnit(a.mode ?? '', b.mode ?? ''),
  flags: (a, b) => (b.featureCount ?? 0) - (a.featureCount ?? 0),
  'last-usage': (a, b) => usedAt(a) - usedAt(b),
}

function usedAt({ lastReportedFlagUsage }: Row): number {
  return timeOf(lastReportedFlagUsage) ?? 0
}

interface ProjectListOptions extends ListOptions<SortKey> {
  /** Ids; in one, `*` matches any text. */
  project?: string[] | undefined
}

/**
 * Lists the projects of the service.
 * @throws `notFound` for an id or a pattern that matches none of them
 */
export async function listProjects(
  context: Context,
  { outputFile, ...view }: ProjectListOptions,
): Promise<void> {
  const format = context.format(formats.projects)
  if (format === 'json') refuseWithJson(view)
  const { service } = await connect(context)
  const { data, json } = await service.read(operations.projects, {})
  const ids = data.projects.map(({ id }) => id)
  const unlistedProjects = await warnOfUnlisted(context, service, ids)
  await writeReport(context, outputFile, (printer) => {
    if (format === 'json') return [serviceDocument(json, false, printer)]
    const order = orders[view.sort ?? 'id']
    const byKey = (a: Row, b: Row) => order(a, b) || byCodeUnit(a.id, b.id)
    const selected = new Set(view.project?.flatMap((id) => matching(id, ids)) ?? ids)
    const rows = data.projects.filter(({ id }) => selected.has(id)).map(projectRow)
    const list = {
      ...firstRows(rows, byKey, view),
      fields: projectFields,
      nothing: safe`No projects.`,
      missing: { ...nothingMissing, unlistedProjects },
    }
    return renderRows(format, list, printer)
  })
}
