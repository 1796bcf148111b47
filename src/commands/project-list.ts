import { connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { type FormatOf, formats } from '../formats.ts'
import { serviceDocument } from '../output/json.ts'
import type { Project } from '../output/projects.ts'

/** Lists the projects of the service. */
export async function listProjects(context: Context): Promise<void> {
  const format = context.format(formats.projects)
  const { service } = await connect(context)
  const { data, json } = await service.projects()
  if (format === 'json') {
    await context.write(serviceDocument(json, false, context.redactor))
    return
  }
  const sorted = data.projects.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const projects = context.redactor.redactAll(sorted)
  await context.write(await render(context, format, projects))
}

async function render(
  context: Context,
  format: Exclude<FormatOf<'projects'>, 'json'>,
  projects: readonly Project[],
): Promise<string> {
  const output = await import('../output/projects.ts')
  switch (format) {
    case 'table':
      if (projects.length === 0) return 'No projects.\n'
      return output.projectTable(projects, context.width, await context.style())
    case 'jsonl':
      return output.projectJsonl(projects)
    case 'csv':
      return output.projectCsv(projects)
    case 'names':
      return output.projectNames(projects)
  }
}
