import { connect } from '../profile/connection.ts'
import type { Context } from '../context.ts'
import { writeBlocks } from '../output/blocks.ts'
import { formats } from '../output/formats.ts'
import { serviceDocument } from '../output/json.ts'
import { byCodeUnit } from '../output/order.ts'
import { safe } from '../output/text.ts'
import { nothingMissing } from './missing.ts'
import { projectFields, projectRow } from './report/list.ts'
import { renderRows } from './report/rows.ts'
import { warnOfUnlisted } from './selection.ts'

/** Lists the projects of the service. */
export async function listProjects(context: Context): Promise<void> {
  const format = context.format(formats.projects)
  const { service } = await connect(context)
  const { data, json } = await service.projects()
  const ids = data.projects.map(({ id }) => id)
  const unlistedProjects = await warnOfUnlisted(context, service, ids)
  if (format === 'json') {
    await context.write(serviceDocument(json, false, context.printer))
    return
  }
  const rows = data.projects.toSorted((a, b) => byCodeUnit(a.id, b.id)).map(projectRow)
  const list = {
    rows,
    fields: projectFields,
    nothing: safe`No projects.`,
    missing: { ...nothingMissing, unlistedProjects },
  }
  const { printer, write, signal } = context
  await writeBlocks(renderRows(format, list, printer), write, signal)
}
