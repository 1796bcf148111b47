import type { Missing } from '../../projects/missing.ts'
import type { Span } from '../../usage/span.ts'
import type { ProjectVerdicts, ReviewedRow, VerdictCounts } from '../rows.ts'

/** The facts about flags that only some services report. */
export type OptionalPart = 'lifecycle' | 'dependencies'

/** The verdicts on the flags of projects. */
export interface ReviewReport {
  /** The flags to show. */
  rows: readonly ReviewedRow[]
  /** How many more flags there are beyond the limit. */
  cut: number
  /** Of all flags that the filters keep, with any verdict. */
  totals: readonly ProjectVerdicts[]
  /** The sum of the totals. */
  sum: VerdictCounts
  /** Undefined if no usage could be read. */
  span: Span | undefined
  /** The service, as `production, https://flags.example.com`. */
  target: string
  /** `project shop`, `3 projects` */
  scope: string
  withProjects: boolean
  /** Whether a removable flag fails the run. */
  failsOnRemovable: boolean
  notChecked: readonly OptionalPart[]
  missing: Missing
}
