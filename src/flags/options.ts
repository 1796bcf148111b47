import { unknownValue } from '../input/spelling.ts'
import type { ListOptions } from '../projects/options.ts'
import type { ProjectOptions } from '../projects/selection.ts'

export const flagSortKeys = ['name', 'type', 'created', 'last-seen'] as const
export type FlagSortKey = (typeof flagSortKeys)[number]

/** The options of `feature list`. In a pattern, `*` matches any text. */
export interface FlagListOptions extends ProjectOptions, ListOptions<FlagSortKey> {
  unknown?: true | undefined
  name?: string[] | undefined
  type?: string[] | undefined
  /** The environments to show and, for when a flag was seen, to consider. */
  environment?: string[] | undefined
  stale?: true | undefined
  neverSeen?: true | undefined
  /** In milliseconds. */
  notSeenFor?: number | undefined
  breaksRule?: true | undefined
}

/** The types of flags that Unleash has; a service may have others. */
export const flagTypes = ['release', 'experiment', 'operational', 'kill-switch', 'permission']

export const referenceSortKeys = ['name', 'references'] as const

/** The problems for which `feature references` can fail. */
export const referenceProblems = ['unresolved', 'unknown', 'unreferenced'] as const
export type ReferenceProblem = (typeof referenceProblems)[number]

/**
 * The values of `--fail-on`, which may be lists.
 * @throws a usage error for an unknown one
 */
export function problemsIn(lists: readonly string[] = []): ReferenceProblem[] {
  return lists
    .flatMap((list) => list.split(','))
    .map((value) => {
      const problem = referenceProblems.find((one) => one === value)
      if (problem) return problem
      throw unknownValue('--fail-on', value, referenceProblems)
    })
}
