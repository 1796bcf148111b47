import type { UsageRow } from './rows.ts'

/** The most changes that are kept, which a column of a terminal has room for. */
export const TREND_LENGTH = 12

/** How the evaluations of rows change from one reading to the next. */
export interface Trend {
  /** Adds the next reading. */
  add(rows: readonly UsageRow[]): void
  /** The last changes of a row, the newest last. */
  changes(row: UsageRow): readonly bigint[]
}

function keyOf({ flag, application, environment, variant }: UsageRow): string {
  return JSON.stringify([flag, application, environment, variant])
}

/** A trend over as many readings as a column can show. */
export function createTrend(): Trend {
  const known = new Map<string, { total: bigint; changes: bigint[] }>()
  return {
    add(rows) {
      for (const row of rows) {
        const key = keyOf(row)
        const total = row.enabled + row.disabled
        const before = known.get(key)
        // After a lower count, the service has started a new hour, so all of the count is new.
        const change = before && total >= before.total ? total - before.total : total
        const changes = before ? [...before.changes, change].slice(-TREND_LENGTH) : []
        known.set(key, { total, changes })
      }
    },
    changes: (row) => known.get(keyOf(row))?.changes ?? [],
  }
}
