export const projectSortKeys = ['id', 'name', 'mode', 'flags', 'last-usage'] as const

/** The sort keys of `project settings get`. */
export const settingsSortKeys = ['id', 'mode', 'pattern'] as const

/** The options of lists. */
export interface ListOptions<SortKey extends string> {
  sort?: SortKey | undefined
  reverse?: true | undefined
  limit?: number | undefined
  outputFile?: string | undefined
}
