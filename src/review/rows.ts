import { groupBy } from '../groups.ts'
import { byCodeUnit } from '../output/order.ts'
import { type Evidence, knownUsage } from './evidence.ts'
import type { Verdict } from './options.ts'

/** A flag with the verdict on it. */
export interface ReviewedRow extends Evidence {
  verdict: Verdict
  /** In the order of their weight. */
  reasons: string[]
  /** Those to show; the verdict is about all. */
  environments: readonly EnvironmentRow[]
}

/** The number of flags, and of those with each verdict. */
export type VerdictCounts = Record<'flags' | Verdict, number>

export interface ProjectVerdicts extends VerdictCounts {
  project: string
}

/** Counts flags by their verdicts. */
export function countsOf(rows: readonly ReviewedRow[]): VerdictCounts {
  const counts = { flags: rows.length, removable: 0, 'in use': 0, unclear: 0, permanent: 0 }
  for (const { verdict } of rows) counts[verdict]++
  return counts
}

/** Counts the flags of each project. */
export function totalsOf(rows: readonly ReviewedRow[]): ProjectVerdicts[] {
  const byProject = groupBy(rows, ({ flag }) => flag.projectId)
  return Array.from(byProject, ([project, some]) => ({ project, ...countsOf(some) }))
}

/** An environment in which a flag is, or was used. */
export interface EnvironmentRow {
  name: string | undefined
  enabled: boolean | undefined
  lastSeenAt: string | null | undefined
  /** In milliseconds since the epoch. */
  lastUsed: number | undefined
  yes: bigint
  no: bigint
}

/** The environments of a flag, by name; usage without an environment is last. */
export function environmentRows(evidence: Evidence): EnvironmentRow[] {
  const { flag } = evidence
  const used = knownUsage(evidence)?.environments ?? new Map<undefined, never>()
  const known = new Map(flag.environments.map((one) => [one.name, one]))
  const names = new Set<string | undefined>([...known.keys(), ...used.keys()])
  const rows = Array.from(names, (name) => {
    const { enabled, lastSeenAt } = known.get(name ?? '') ?? {}
    const { enabled: yes = 0n, disabled: no = 0n, lastUsed } = used.get(name) ?? {}
    return { name, enabled, lastSeenAt, lastUsed, yes, no }
  })
  return rows.sort((a, b) => byCodeUnit(a.name ?? '\uffff', b.name ?? '\uffff'))
}
