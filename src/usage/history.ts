/** How often rows were evaluated in an hour. Times are in milliseconds since the epoch. */
export interface HourTotal {
  time: number
  total: bigint
}

/** When a row with hourly usage was evaluated. Times are in milliseconds since the epoch. */
export interface RowHistory {
  /** What the span covers: the start of its first hour, if it is known, and when the service was read. */
  from: number | undefined
  to: number
  /** The start of the hour or day that the row is about; undefined for the whole span. */
  bucket: number | undefined
  /** The start of the last hour with usage. */
  lastUsed: number | undefined
  /** The hours of the span, the oldest first; empty for a row that is about an hour or day. */
  hours: readonly HourTotal[]
}

/** The latest of some times. */
export function latest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined)
}

/** The totals of each hour in any of the lists. */
export function sumHours(lists: readonly (readonly HourTotal[])[]): HourTotal[] {
  const totals = new Map<number, bigint>()
  for (const { time, total } of lists.flat()) totals.set(time, (totals.get(time) ?? 0n) + total)
  return Array.from(totals, ([time, total]) => ({ time, total })).sort((a, b) => a.time - b.time)
}

/** The history of rows that are added up, all about the same hour, day or span. */
export function mergeHistories(histories: readonly RowHistory[]): RowHistory | undefined {
  const [first] = histories
  if (!first) return undefined
  const starts = histories.flatMap(({ from }) => from ?? [])
  return {
    from: starts.length > 0 ? Math.min(...starts) : undefined,
    to: Math.max(...histories.map(({ to }) => to)),
    bucket: first.bucket,
    lastUsed: latest(histories.map(({ lastUsed }) => lastUsed)),
    hours: sumHours(histories.map(({ hours }) => hours)),
  }
}
