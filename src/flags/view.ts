export const flagSortKeys = ['name', 'type', 'created', 'last-seen'] as const
export type FlagSortKey = (typeof flagSortKeys)[number]

/** Which names to keep; an empty list keeps all. In a pattern, `*` matches any text. */
export interface NameFilter {
  names: readonly string[]
  environments: readonly string[]
}

/** Which flags to keep. The environments are those to show and, for when a flag was seen, to consider. */
export interface FlagFilter extends NameFilter {
  types: readonly string[]
  stale: boolean
  neverSeen: boolean
  /** Keeps flags that were not seen for this number of milliseconds, or never. */
  notSeenForMs: number | undefined
}

/** What `feature references` can fail for. */
export const referenceProblems = ['unresolved', 'unknown', 'unreferenced'] as const
export type ReferenceProblem = (typeof referenceProblems)[number]
