import { connect } from '../profile/connection.ts'
import type { Context } from '../context.ts'
import { type FormatOf, formats } from '../output/formats.ts'
import { serviceDocument } from '../output/json.ts'
import { missingJsonl, missingLine } from './report/missing.ts'
import { joined, linesOf, type Safe, safe } from '../output/text.ts'
import type { Project } from './report/list.ts'
import { type Missing, nothingMissing } from './missing.ts'
import { warnOfUnlisted } from './flags.ts'

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
  await context.write(await render(context, format, projects, missing))
}

async function render(
  { printer }: Context,
  format: Exclude<FormatOf<'projects'>, 'json'>,
  projects: readonly Project[],
  missing: Missing,
): Promise<Safe> {
  const output = await import('./report/list.ts')
  switch (format) {
    case 'table':
      if (projects.length === 0) return linesOf([safe`No projects.`])
      return joined([output.projectTable(projects, printer), missingLine(missing, printer.text)])
    case 'jsonl':
      return joined([output.projectJsonl(projects, printer), missingJsonl(missing, printer)])
    case 'csv':
      return output.projectCsv(projects, printer)
    case 'names':
      return output.projectNames(projects, printer)
  }
}
