export const groupings = [
  'application',
  'environment',
  'flag',
  'variant',
  'project',
  'none',
] as const
export type Grouping = (typeof groupings)[number]

export const sortKeys = ['enabled', 'disabled', 'total', 'share', 'name'] as const
export type SortKey = (typeof sortKeys)[number]

/** The length of time that a row of hourly usage is about. */
export const bucketSizes = ['hour', 'day'] as const
export type BucketSize = (typeof bucketSizes)[number]

/** A section for each flag, or one table for all. */
export const layouts = ['sections', 'table'] as const
export type Layout = (typeof layouts)[number]

export const expectations = ['used', 'unused'] as const
export type Expectation = (typeof expectations)[number]

/** The options for selecting rows; by default, all are kept. In a pattern, `*` matches any text. */
export interface UsageFilter {
  app?: string[] | undefined
  environment?: string[] | undefined
}

/** The options for selecting and arranging rows. */
export interface UsageView extends UsageFilter {
  used?: true | undefined
  unused?: true | undefined
  groupBy?: Grouping | undefined
  /** Whether hourly usage has a row for each hour or day; undefined for rows over the whole span. */
  by?: BucketSize | undefined
  /** Undefined for the given order; groups other than flags are then sorted by name. */
  sort?: SortKey | undefined
  reverse?: true | undefined
  limit?: number | undefined
}
