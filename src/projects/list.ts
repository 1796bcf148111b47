import { connect } from '../profile/connection.ts'
import type { Context } from '../context.ts'
import { formats } from '../output/formats.ts'
import { serviceDocument } from '../output/json.ts'
import { nothingMissing } from './missing.ts'
import { renderProjects } from './report/list.ts'
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
  const projects = data.projects.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const missing = { ...nothingMissing, unlistedProjects }
  await context.write(renderProjects(format, projects, missing, context.printer))
}
