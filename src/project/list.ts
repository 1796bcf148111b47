import type { Define } from '../command/context.ts'
import { timeOf } from '../input/time.ts'
import { collect, count, refuseWithJson, sortOption, withExamples } from '../command/options.ts'
import { field, type RowField } from '../output/fields.ts'
import { rowFormats } from '../output/formats.ts'
import { orderBy } from '../output/order.ts'
import { printRows } from '../output/print.ts'
import { firstRows } from '../output/rows.ts'
import { connect } from '../profile/connect.ts'
import { operations } from '../service/operations.ts'
import type { ProjectList } from '../service/schema.ts'
import { matchingProjects, warnOfUnlisted } from './projects.ts'

type Project = ProjectList['projects'][number]

export const projectFields: readonly RowField<Project>[] = [
  field.key('id', 'Project', ({ id }) => id),
  field.name('name', 'Name', ({ name }) => name || undefined),
  field.word('mode', 'Mode', ({ mode }) => mode, { dropOrder: 2 }),
  field.number('featureCount', 'Flags', ({ featureCount }) => featureCount),
  field.time('lastReportedFlagUsage', 'Last used', (project) => project.lastReportedFlagUsage, {
    dropOrder: 1,
  }),
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
      const { out, options } = context
      refuseWithJson(format(), self)
      const { service, clock } = await connect(context)
      const { data, json } = await service.read(operations.projects, {})
      const ids = data.projects.map(({ id }) => id)
      const unlisted = await warnOfUnlisted(context, service, ids)
      if (format() === 'json') return out.jsonText(json)
      const chosen = project?.flatMap((pattern) => matchingProjects(pattern, ids)) ?? ids
      const rows = data.projects.filter(({ id }) => chosen.includes(id))
      const order = orderBy(orders[sort], orders.id)
      const report = {
        ...firstRows(rows, order, view),
        noun: 'project',
        fields: projectFields,
        now: options.verbose ? undefined : clock.now(),
        marker: 'project list',
        nothing: 'No projects.',
        incomplete: unlisted,
      }
      await printRows(format(), report, context)
    })
}
