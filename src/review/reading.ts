import type { Context } from '../context.ts'
import { interrupted, interruptedAfter } from '../errors.ts'
import { createProgress } from '../output/terminal.ts'
import type { Connection } from '../service/connection.ts'
import { readAll, refuseOtherFlag } from '../usage/reading.ts'
import { hourlyReader } from '../usage/source.ts'
import { type Evidence, reviewedUsage } from './evidence.ts'
import type { ReviewOptions } from './options.ts'

/**
 * Reads the usage of flags, and shows the progress on a terminal.
 * @returns the usage of each flag by name, or why it could not be read
 * @throws `interrupted` if the user ends the run before all were read
 */
export async function readUsage(
  { host, stderr, messages, options: { quiet } }: Context,
  connection: Connection,
  names: readonly string[],
  { since, concurrency = connection.concurrency }: ReviewOptions,
): Promise<ReadonlyMap<string, Evidence['usage']>> {
  const progress = createProgress(stderr, names.length, host.clock, !quiet)
  const readOne = hourlyReader(connection, since)
  const read = (name: string) => readOne(name).finally(progress.tick)
  const readings = await readAll({ read, concurrency }, names, (document, name) => {
    refuseOtherFlag(document.data, name)
    return reviewedUsage(document, name)
  })
  progress.clear()
  if (host.signal.aborted) {
    const read = readings.filter(({ answer }) => answer !== undefined).length
    if (names.length > 1) messages.fail(interruptedAfter(read, names.length, 'flags'))
    throw interrupted()
  }
  return new Map(
    readings.flatMap(({ name, answer, error }) => {
      const usage = answer ?? error
      return usage ? [[name, usage]] : []
    }),
  )
}
