import type { Context } from '../context.ts'
import { printRows } from '../output/rows.ts'
import { throwFailures, unread } from '../project/reading.ts'
import type { Connection } from '../service/connection.ts'
import { objectFields, type RowFacts, tableFields } from './columns.ts'
import type { UsageFilter } from './evidence.ts'
import { arrange, type UsageView } from './figures.ts'
import { readUsages } from './hours.ts'
import type { Selection } from './selection.ts'
import { timeText } from './span.ts'

const DEFAULT_INTERVAL_MS = 10_000

// Moves to the top left and clears the screen.
const CLEAR = '\u001b[H\u001b[2J\u001b[3J'

interface WatchOptions extends UsageView, UsageFilter {
  interval?: number | undefined
}

/**
 * Reads usage again and again: redraws a table on a terminal, elsewhere appends JSON Lines.
 * @throws the failures of a reading that the next one would have as well (401, 403)
 */
export async function watchUsage(
  context: Context,
  connection: Connection,
  selection: Selection,
  options: WatchOptions,
  projects: RowFacts['projects'],
): Promise<void> {
  const { host, out } = context
  const isSingle = selection.names.length === 1
  const facts: RowFacts = {
    from: undefined,
    to: 0,
    firstHour: 0,
    isHourly: false,
    projects,
    isSingle,
    isNarrow: true,
  }
  const nothing = 'No usage to show.'
  while (!out.isClosed) {
    const { results, failures } = await readUsages(connection, selection, { view: options })
    const isFinal = [...failures.values()].some(({ exitCode }) => exitCode === 4 || exitCode === 5)
    const figures = arrange(results, options)
    const at = connection.clock.now()
    const incomplete = unread(failures, selection.names.length, 'flags')
    const report = { rows: figures.rows, cut: figures.cut, incomplete, nothing }
    if (out.width === undefined) {
      const time = {
        name: 'readAt',
        value: () => new Date(at).toISOString(),
        kind: 'time' as const,
      }
      printRows('jsonl', { ...report, fields: [time, ...objectFields(facts)] }, out)
    } else {
      const fields = tableFields(figures, options, facts, failures.size === 0)
      const [name] = isSingle ? selection.names : []
      const caption = `Usage${name === undefined ? '' : ` of ${name}`} on ${connection.target} at ${timeText(at)}`
      out.raw(CLEAR)
      printRows('table', { ...report, fields, caption }, out)
    }
    if (isFinal) return throwFailures(context, failures, selection.names.length, 'flags')
    await host.clock.sleep(options.interval ?? DEFAULT_INTERVAL_MS, context.signal)
  }
}
