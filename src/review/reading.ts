import type { Context } from '../old/context.ts'
import { groupBy } from '../groups.ts'
import { inRepository } from '../names/repository.ts'
import { scanCode, type ScannedCode, type ScanRequest } from '../names/scanning.ts'
import { createProgress } from '../old/output/terminal.ts'
import type { Connection } from '../service/connection.ts'
import { readAll, refuseInterrupted, refuseOtherFlag } from '../usage/reading.ts'
import { hourlyReader } from '../usage/source.ts'
import { type CodeEvidence, type Evidence, reviewedUsage } from './evidence.ts'
import type { ReviewOptions } from './options.ts'

/**
 * Reads the usage of flags, and shows the progress on a terminal.
 * @returns the usage of each flag, or why it could not be read, in the order of the names
 * @throws `interrupted` if the user ends the run before all were read
 */
export async function readUsage(
  context: Context,
  connection: Connection,
  names: readonly string[],
  { since }: ReviewOptions,
): Promise<(Evidence['usage'] | undefined)[]> {
  const { host, stderr, options } = context
  const progress = createProgress(stderr, names.length, host.clock, !options.quiet)
  const readOne = hourlyReader(connection, since)
  const read = (name: string) => readOne(name).finally(progress.tick)
  const readings = await readAll(
    { read, concurrency: connection.concurrency, signal: host.signal },
    names,
    (document, name) => {
      refuseOtherFlag(document.data, name)
      return reviewedUsage(document, name)
    },
  )
  progress.clear()
  const done = readings.filter(({ result }) => result !== undefined).length
  refuseInterrupted(context, done, names.length)
  return readings.map(({ result, error }) => result ?? error)
}

/** The evidence about flags in source code. */
export interface ReviewedCode extends Pick<ScannedCode, 'unread'> {
  evidenceOf(name: string): CodeEvidence
}

/**
 * Scans source code for flags.
 * @param format of the report, because some need paths from the root of the repository
 */
export async function reviewCode(
  context: Context,
  request: ScanRequest,
  names: readonly string[],
  format: string,
): Promise<ReviewedCode> {
  const { references, unresolved, unread, unreadFiles } = await scanCode(context, request, names)
  const placed = inRepository(format, context.host.cwd)
  const byName = groupBy(references.map(placed), ({ name }) => name)
  // The candidates of a lookup are literals in the code, so the flags among them have mentions.
  const open = unresolved.filter(({ candidates }) => candidates.length === 0).map(placed)
  return {
    unread,
    evidenceOf: (name) => ({ references: byName.get(name) ?? [], unread: open, unreadFiles }),
  }
}
