import { evaluations, type UsageRow } from './rows.ts'

/** How many changes fit into a column. */
export const TREND_LENGTH = 12

function keyOf({ flag, application, environment, variant }: UsageRow): string {
  return JSON.stringify([flag, application, environment, variant])
}

/** How the evaluations of rows change, over as many readings as a column can show. */
export function createTrend() {
  const known = new Map<string, { total: bigint; changes: bigint[] }>()
  return {
    /** Adds the next reading. */
    add(rows: readonly UsageRow[]): void {
      for (const row of rows) {
        const key = keyOf(row)
        const total = evaluations(row)
        const before = known.get(key)
        // A lower count means that the service has started a new hour, so the whole count is new.
        const change = before && total >= before.total ? total - before.total : total
        const changes = before ? [...before.changes, change].slice(-TREND_LENGTH) : []
        known.set(key, { total, changes })
      }
    },
    /** The last changes of a row, the newest last. */
    changes: (row: UsageRow): readonly bigint[] => known.get(keyOf(row))?.changes ?? [],
  }
}

export type Trend = ReturnType<typeof createTrend>
