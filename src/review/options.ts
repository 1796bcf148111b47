import { flagSortKeys } from '../flags/options.ts'
import type { ScanOptions } from '../names/scanning.ts'
import type { ListOptions } from '../projects/options.ts'
import type { ProjectOptions } from '../projects/selection.ts'

export const verdicts = ['removable', 'in use', 'unclear', 'permanent'] as const
export type Verdict = (typeof verdicts)[number]

/** The verdicts as values of `--verdict`, in the same order. */
export const verdictValues = verdicts.map((verdict) => verdict.replace(' ', '-'))

export const reviewSortKeys = ['project', 'verdict', ...flagSortKeys] as const
type ReviewSortKey = (typeof reviewSortKeys)[number]

/** The options of `feature review`. Times are in milliseconds. In a pattern, `*` matches any text. */
export interface ReviewOptions extends ScanOptions, ProjectOptions, ListOptions<ReviewSortKey> {
  since: number
  notSeenFor: number
  includePermanent?: true | undefined
  /** Those of `verdictValues`, or of `verdicts`. */
  verdict?: string[] | undefined
  name?: string[] | undefined
  type?: string[] | undefined
  environment?: string[] | undefined
  failOn?: 'removable' | undefined
}
