import type { Define } from '../cli/context.ts'
import { timeOf } from '../input/time.ts'
import { collect, count, refuseWithJson, sortOption, withExamples } from '../cli/options.ts'
import type { RowField } from '../output/fields.ts'
import { orderBy } from '../output/order.ts'
import { firstRows, printRows, rowFormats } from '../output/rows.ts'
import { connect } from '../profile/connection.ts'
import { operations } from '../service/operations.ts'
import type { ProjectList } from '../service/schema.ts'
import { matchingProjects, unlistedProjects } from './projects.ts'

type Project = ProjectList['projects'][number]

const fields: readonly RowField<Project>[] = [
  { name: 'id', title: 'Project', value: ({ id }) => id, kind: 'key' },
  { name: 'name', title: 'Name', value: ({ name }) => name || undefined, kind: 'name' },
  { name: 'mode', title: 'Mode', value: ({ mode }) => mode, isOptional: true },
  { name: 'featureCount', title: 'Flags', value: (one) => one.featureCount, kind: 'number' },
  {
    name: 'lastReportedFlagUsage',
    title: 'Last used',
    kind: 'time',
    isOptional: true,
    value: (project) => project.lastReportedFlagUsage,
  },
]

/** Text by code unit, counts from the largest down, times from the oldest up. */
const orders = {
  id: ({ id }: Project) => id,
  name: ({ name }: Project) => name,
  mode: ({ mode }: Project) => mode,
  flags: ({ featureCount }: Project) => -(featureCount ?? 0),
  'last-usage': ({ lastReportedFlagUsage }: Project) => timeOf(lastReportedFlagUsage) ?? 0,
}

export const define: Define = (command, context) => {
  const format = context.formats(command, rowFormats)
  return withExamples(command, [
    'flagadm project list -p sandbox',
    'flagadm project list --sort flags --limit 10 -p sandbox',
    "flagadm project list --project 'm*' -p sandbox",
    'flagadm project list -o names -p sandbox',
  ])
    .option('--project <id>', "only this project; '*' matches any text", collect)
    .optionsGroup('View:')
    .addOption(sortOption(orders))
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n projects', count('--limit'))
    .action(async ({ project, sort, ...view }, self) => {
      const { out, messages, options } = context
      refuseWithJson(format(), self)
      const { service, clock } = await connect(context)
      const { data, json } = await service.read(operations.projects, {})
      const ids = data.projects.map(({ id }) => id)
      const unlisted = await unlistedProjects(service, ids)
      for (const { message } of unlisted) messages.warn(`${message}; pass the ids of others`)
      if (format() === 'json') return out.jsonText(json)
      const chosen = project?.flatMap((pattern) => matchingProjects(pattern, ids)) ?? ids
      const rows = data.projects.filter(({ id }) => chosen.includes(id))
      const order = orderBy(orders[sort], orders.id)
      const report = {
        fields,
        now: options.verbose ? undefined : clock.now(),
        marker: 'project list',
        nothing: 'No projects.',
        incomplete: unlisted,
      }
      printRows(format(), { ...report, ...firstRows(rows, order, view) }, out)
    })
}
