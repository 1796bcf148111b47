import type { RowField } from '../../old/output/rows.ts'
import { safe } from '../../old/output/text.ts'
import type { ProjectList } from '../../service/schema.ts'

type Project = ProjectList['projects'][number]

/** A project as `project list` shows it. */
export function projectRow(project: Project) {
  const { id, name, mode, featureCount, lastReportedFlagUsage } = project
  return { id, name, mode, featureCount, lastReportedFlagUsage }
}

export const projectFields: readonly RowField<ReturnType<typeof projectRow>>[] = [
  { name: 'id', title: safe`Project`, value: ({ id }) => id },
  { name: 'name', title: safe`Name`, value: ({ name }) => name || undefined },
  { name: 'mode', title: safe`Mode`, value: ({ mode }) => mode, kind: 'word' },
  {
    name: 'featureCount',
    title: safe`Flags`,
    value: ({ featureCount }) => featureCount,
    kind: 'number',
  },
  {
    name: 'lastReportedFlagUsage',
    title: safe`Last usage`,
    value: ({ lastReportedFlagUsage }) => lastReportedFlagUsage,
    kind: 'date',
  },
]
