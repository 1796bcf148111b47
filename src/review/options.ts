import type { ScanOptions } from '../names/scanning.ts'
import type { ProjectOptions } from '../projects/selection.ts'

export const verdicts = ['removable', 'in use', 'unclear', 'permanent'] as const
export type Verdict = (typeof verdicts)[number]

/** The options of `feature review`. Times are in milliseconds. In a pattern, `*` matches any text. */
export interface ReviewOptions extends ScanOptions, ProjectOptions {
  since: number
  notSeenFor: number
  includePermanent?: true | undefined
  /** With `in-use` for `in use`. */
  verdict?: string[] | undefined
  name?: string[] | undefined
  type?: string[] | undefined
  environment?: string[] | undefined
  concurrency?: number | undefined
  outputFile?: string | undefined
  failOn?: 'removable' | undefined
}
