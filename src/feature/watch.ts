import type { Context } from '../context.ts'
import type { RowField } from '../output/fields.ts'
import { printRows } from '../output/rows.ts'
import { timeText } from '../output/time.ts'
import { throwFailures, unread } from '../project/reading.ts'
import type { Connection } from '../service/connection.ts'
import { objectFields, type RowFacts, tableFields } from './columns.ts'
import { arrange, type UsageRow } from './figures.ts'
import { readUsages, type UsageRequest } from './hours.ts'
import type { Selection } from './selection.ts'

// Moves to the top left and clears the screen.
const CLEAR = '\u001b[H\u001b[2J\u001b[3J'

/**
 * Reads usage again and again: redraws a table on a terminal, elsewhere appends JSON Lines.
 * @throws the failures of a reading that the next one would have as well (401, 403)
 */
export async function watchUsage(
  context: Context,
  connection: Connection,
  selection: Selection,
  options: UsageRequest & { interval?: number | undefined },
  facts: RowFacts,
): Promise<void> {
  const { host, out, signal } = context
  while (!out.isClosed) {
    const { results, failures } = await readUsages(connection, selection, options)
    const { names } = selection
    const figures = arrange(results, options)
    const now = connection.clock.now()
    const incomplete = unread(failures, names.length, 'flags')
    const report = { ...figures, incomplete, nothing: 'No usage.' }
    if (out.width === undefined) {
      const value = () => new Date(now).toISOString()
      const readAt: RowField<UsageRow> = { name: 'readAt', value, kind: 'time' }
      printRows('jsonl', { ...report, fields: [readAt, ...objectFields(facts, options)] }, out)
    } else {
      const fields = tableFields(figures, facts, options, failures.size === 0)
      const about = facts.isSingle ? ` of ${names[0]}` : ''
      const caption = `Usage${about} on ${connection.target} at ${timeText(now)}`
      out.raw(CLEAR)
      printRows('table', { ...report, fields, caption }, out)
    }
    if ([...failures.values()].some(({ exitCode }) => exitCode === 4 || exitCode === 5)) {
      return throwFailures(context, failures, names.length, 'flags')
    }
    await host.clock.sleep(options.interval ?? 10_000, signal)
  }
}
