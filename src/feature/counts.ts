import { groupBy } from '../groups.ts'
import { byCodeUnit } from '../output/order.ts'
import { type Row, type Verdict, verdicts } from './verdict.ts'

/** The project of a flag; empty if that is not known. */
export const projectOf = ({ evidence }: Row) => evidence.flag?.projectId ?? ''

/** How many flags there are, and how many with each verdict. */
export type Counts = { flags: number } & Record<Verdict, number>

/** Counts flags by their verdict. */
export function countsOf(rows: readonly Row[]): Counts {
  const none = { removable: 0, 'in use': 0, unclear: 0, permanent: 0, archived: 0, 'not a flag': 0 }
  const counts = { flags: rows.length, ...none }
  for (const { verdict } of rows) counts[verdict]++
  return counts
}

export interface ProjectCounts extends Counts {
  project: string
}

/** The counts of each project, by its id; without names that are not flags. */
export function totalsOf(rows: readonly Row[]): ProjectCounts[] {
  const byProject = groupBy(
    rows.filter(({ evidence }) => evidence.flag),
    projectOf,
  )
  return Array.from(byProject, ([project, own]) => ({ project, ...countsOf(own) })).sort((a, b) =>
    byCodeUnit(a.project, b.project),
  )
}

/** The verdicts to show: names that are not flags only if there are any. */
export function shownVerdicts(counts: Counts): Verdict[] {
  const rare: readonly Verdict[] = ['archived', 'not a flag']
  return verdicts.filter((verdict) => !rare.includes(verdict) || counts[verdict] > 0)
}
