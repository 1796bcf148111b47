import { countsJson, joinJson } from '../../output/json.ts'
import { byCodeUnit } from '../../output/order.ts'
import { groupDigits } from '../../output/phrases.ts'
import type { Printer } from '../../output/printer.ts'
import { firstRows, type RowField } from '../../output/rows.ts'
import { joined, type Safe, safe, type Sanitizer } from '../../output/text.ts'
import { isComplete, type Missing } from '../../projects/missing.ts'
import { missingJsonl } from '../../projects/report/missing.ts'
import { renderRows } from '../../projects/report/rows.ts'
import { countOrders, keepsFlag } from '../arrange.ts'
import { type Counts, isUsed, usageTotals } from '../rows.ts'
import type { FlagProjects } from '../source.ts'
import type { UsageView } from '../view.ts'
import type { Blocks } from '../../output/blocks.ts'
import type { FlagRows } from '../arrange.ts'

/** The flags of a project, or of all, and how often they were evaluated. */
interface ProjectTotals extends Counts {
  /** Undefined for names that are not known to be flags. */
  project: string | undefined
  flags: number
  used: number
  unused: number
  failed: number
}

const fields: readonly RowField<ProjectTotals>[] = [
  { name: 'project', title: safe`Project`, value: ({ project }) => project },
  { name: 'flags', title: safe`Flags`, value: ({ flags }) => flags, kind: 'number' },
  { name: 'used', title: safe`Used`, value: ({ used }) => used, kind: 'number' },
  { name: 'unused', title: safe`Unused`, value: ({ unused }) => unused, kind: 'number' },
  { name: 'failed', title: safe`Failed`, value: ({ failed }) => failed, kind: 'number' },
  { name: 'enabled', value: ({ enabled }) => `${enabled}` },
  { name: 'disabled', value: ({ disabled }) => `${disabled}` },
  { name: 'evaluations', value: (totals) => `${evaluations(totals)}` },
  {
    title: safe`Evaluations`,
    value: (totals) => groupDigits(evaluations(totals)),
    kind: 'number',
  },
]

function evaluations({ enabled, disabled }: Counts): bigint {
  return enabled + disabled
}

function noFlags(project: string | undefined): ProjectTotals {
  return { project, flags: 0, used: 0, unused: 0, failed: 0, enabled: 0n, disabled: 0n }
}

/** Adds up the flags of each project. */
export function createProjectTotals(projects: FlagProjects | undefined, view: UsageView) {
  const totals = new Map<string | undefined, ProjectTotals>()
  const totalsOf = (project: string | undefined) => {
    const known = totals.get(project) ?? noFlags(project)
    totals.set(project, known)
    return known
  }
  for (const project of projects?.ids ?? []) totalsOf(project)
  return {
    add(flag: FlagRows): void {
      if (!keepsFlag(flag, view)) return
      const project = totalsOf(flag.project)
      project.flags++
      project[isUsed(flag.rows) ? 'used' : 'unused']++
      Object.assign(project, usageTotals([project, ...flag.rows]))
    },
    /** The totals of all projects, with the flags that could not be read. */
    end({ flags, notFlags }: Missing): ProjectTotals[] {
      for (const name of [...flags.names, ...notFlags]) {
        const project = totalsOf(projects?.of(name))
        project.flags++
        project.failed++
      }
      return [...totals.values()]
    },
  }
}

function sumOf(all: readonly ProjectTotals[]): ProjectTotals {
  const sum = (part: 'flags' | 'used' | 'unused' | 'failed') =>
    all.reduce((total, one) => total + one[part], 0)
  return {
    project: 'Total',
    flags: sum('flags'),
    used: sum('used'),
    unused: sum('unused'),
    failed: sum('failed'),
    ...usageTotals(all),
  }
}

function totalsJson(totals: ProjectTotals): string {
  const { project = null, flags, used, unused, failed, enabled, disabled } = totals
  const counts = [
    ['enabled', enabled],
    ['disabled', disabled],
    ['evaluations', evaluations(totals)],
  ] as const
  const facts = JSON.stringify({ project, flags, used, unused, failed })
  return `${joinJson(facts, countsJson(counts))}\n`
}

function totalsJsonl(rows: readonly ProjectTotals[], missing: Missing, sanitizer: Sanitizer): Safe {
  const lines = sanitizer.jsonText(rows.map(totalsJson).join(''))
  return joined([lines, missingJsonl(missing, sanitizer)])
}

/** The totals of projects in a format. */
export function renderProjectTotals(
  format: 'table' | 'markdown' | 'csv' | 'jsonl',
  all: readonly ProjectTotals[],
  { view, caption, missing }: { view: UsageView; caption: Safe; missing: Missing },
  printer: Printer,
): Blocks {
  const { sort = 'name', reverse, limit } = view
  const byName = (a: ProjectTotals, b: ProjectTotals) =>
    byCodeUnit(a.project ?? '', b.project ?? '')
  const order = (a: ProjectTotals, b: ProjectTotals) =>
    (sort === 'name' ? 0 : countOrders[sort](a, b)) || byName(a, b)
  const { rows, cut } = firstRows(all, order, { reverse, limit })
  if (format === 'jsonl') return [totalsJsonl(rows, missing, printer)]
  const total = isComplete(missing) ? sumOf(all) : undefined
  const list = { rows, cut, fields, caption, total, nothing: safe`No projects.`, missing }
  return renderRows(format, list, printer)
}
