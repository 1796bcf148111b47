import type { Context } from '../context.ts'
import { type FlagadmError, interrupted, interruptedAfter } from '../errors.ts'
import { createProgress } from '../output/terminal.ts'
import type { Connection } from '../service/connection.ts'
import { readAll, refuseOtherFlag } from '../usage/reading.ts'
import { hourlyReader } from '../usage/source.ts'
import { type ReviewedUsage, reviewedUsage } from './evidence.ts'
import type { ReviewOptions } from './options.ts'

/** The usage of flags, by name. */
export interface ReadUsage {
  usages: ReadonlyMap<string, ReviewedUsage>
  /** Why the usage of the others could not be read. */
  failures: ReadonlyMap<string, FlagadmError>
}

/**
 * Reads the usage of flags, and shows the progress on a terminal.
 * @throws `interrupted` if the user ends the run before all were read
 */
export async function readUsage(
  { host, stderr, messages, options: { quiet } }: Context,
  connection: Connection,
  names: readonly string[],
  { since, concurrency = connection.concurrency }: ReviewOptions,
): Promise<ReadUsage> {
  const progress = createProgress(stderr, names.length, host.clock, !quiet)
  const readOne = hourlyReader(connection, since)
  const read = (name: string) => readOne(name).finally(progress.tick)
  const readings = await readAll({ read, concurrency }, names, (document, name) => {
    refuseOtherFlag(document.data, name)
    return reviewedUsage(document, name)
  })
  progress.clear()
  const usages = new Map<string, ReviewedUsage>()
  const failures = new Map<string, FlagadmError>()
  for (const { name, answer, error } of readings) {
    if (answer) usages.set(name, answer)
    if (error) failures.set(name, error)
  }
  if (!host.signal.aborted) return { usages, failures }
  if (names.length > 1) messages.fail(interruptedAfter(usages.size, names.length, 'flags'))
  throw interrupted()
}
