import { joinJson } from '../../old/output/json.ts'
import { byCodeUnit } from '../../output/order.ts'
import { groupDigits } from '../../old/output/phrases.ts'
import type { Printer } from '../../old/output/printer.ts'
import { firstRows, type RowField } from '../../old/output/rows.ts'
import { joined, type Safe, safe, type Sanitizer } from '../../old/output/text.ts'
import { isComplete, type Missing } from '../../projects/missing.ts'
import { missingJsonl } from '../../projects/report/missing.ts'
import { renderRows } from '../../projects/report/rows.ts'
import { countOrders, type FlagRows, keepsFlag } from '../arrange.ts'
import { type Counts, evaluations, isUsed, usageTotals } from '../rows.ts'
import type { FlagProjects } from '../source.ts'
import type { UsageView } from '../view.ts'
import type { Blocks } from '../../old/output/blocks.ts'

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

function noFlags(project: string | undefined): ProjectTotals {
  return { project, flags: 0, used: 0, unused: 0, failed: 0, enabled: 0n, disabled: 0n }
}

function plus(totals: ProjectTotals, other: ProjectTotals): ProjectTotals {
  return {
    project: totals.project,
    flags: totals.flags + other.flags,
    used: totals.used + other.used,
    unused: totals.unused + other.unused,
    failed: totals.failed + other.failed,
    ...usageTotals([totals, other]),
  }
}

/** Adds up the flags of each project. */
export function createProjectTotals(projects: FlagProjects | undefined, view: UsageView) {
  const all = new Map<string | undefined, ProjectTotals>(
    projects?.ids.map((id) => [id, noFlags(id)]),
  )
  const add = (project: string | undefined, totals: Partial<ProjectTotals>) => {
    const sum = all.get(project) ?? noFlags(project)
    all.set(project, plus(sum, { ...noFlags(project), flags: 1, ...totals }))
  }
  return {
    add(flag: FlagRows): void {
      if (!keepsFlag(flag, view)) return
      add(flag.project, { [isUsed(flag.rows) ? 'used' : 'unused']: 1, ...usageTotals(flag.rows) })
    },
    /** The totals of all projects, with the flags that could not be read. */
    end({ flags, notFlags }: Missing): ProjectTotals[] {
      for (const name of [...flags.names, ...notFlags])
        add(projects?.projectOf(name), { failed: 1 })
      return [...all.values()]
    },
  }
}

function totalsJson(totals: ProjectTotals): string {
  const { project = null, flags, used, unused, failed, enabled, disabled } = totals
  const facts = JSON.stringify({ project, flags, used, unused, failed })
  const sum = evaluations(totals)
  const counts = `{"enabled":${enabled},"disabled":${disabled},"evaluations":${sum}}`
  return `${joinJson(facts, counts)}\n`
}

function totalsJsonl(rows: readonly ProjectTotals[], missing: Missing, sanitizer: Sanitizer): Safe {
  const lines = sanitizer.jsonText(rows.map(totalsJson).join(''))
  return joined([lines, missingJsonl(missing, sanitizer)])
}

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
  const total = isComplete(missing) ? all.reduce(plus, noFlags('Total')) : undefined
  const list = { rows, cut, fields, caption, total, nothing: safe`No projects.`, missing }
  return renderRows(format, list, printer)
}
