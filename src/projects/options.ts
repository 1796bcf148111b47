export const projectSortKeys = ['id', 'name', 'mode', 'flags', 'last-usage'] as const

/** The options of lists. */
export interface ListOptions<SortKey extends string> {
  sort?: SortKey | undefined
  reverse?: true | undefined
  limit?: number | undefined
  outputFile?: string | undefined
}
