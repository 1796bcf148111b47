import pMap, { pMapIterable } from 'p-map'
import type { Context } from '../old/context.ts'
import { FlagadmError, interrupted, interruptedAfter, withParts } from '../errors.ts'
import { failureOfOne } from '../old/failures.ts'
import type { FeatureUsage } from '../service/schema.ts'

/** Reads the usage of flags, several at the same time. */
export interface FlagReader<Document> {
  concurrency: number
  /** Aborts when the user interrupts; then no further flag is read. */
  signal: AbortSignal
  /** @throws `notFound` for a name that is known to belong to no flag */
  read(name: string): Promise<Document>
}

/** One flag as it was read: the result or the error, or neither if the run was interrupted. */
export interface Reading<Result> {
  name: string
  result?: Result
  error?: FlagadmError
}

/**
 * @param digest extracts the result from the document; if it throws, the reading fails with its error
 * @param total how many flags are read
 * @param isRepeated whether an unavailable service may be back in the next reading
 */
async function readFlag<Document, Result>(
  reader: FlagReader<Document>,
  name: string,
  digest: (document: Document, name: string) => Result,
  total: number,
  isRepeated = false,
): Promise<Reading<Result>> {
  if (reader.signal.aborted) return { name }
  try {
    const document = await reader.read(name)
    // Parsing a large document takes a while, so let signals arrive before the next step.
    await new Promise(setImmediate)
    return { name, result: digest(document, name) }
  } catch (error) {
    if (error instanceof FlagadmError && error.kind === 'interrupted') return { name }
    const mayRecover = isRepeated && error instanceof FlagadmError && error.kind === 'unavailable'
    const failure = mayRecover ? error : failureOfOne(error, total)
    return { name, error: total > 1 ? withParts(failure, { featureName: name }) : failure }
  }
}

/**
 * @param read how many flags were read
 * @throws `interrupted` after the user has interrupted the readings
 */
export function refuseInterrupted({ host, messages }: Context, read: number, total: number): void {
  if (!host.signal.aborted) return
  if (total > 1) messages.fail(interruptedAfter(read, total, 'flags'))
  throw interrupted()
}

/** @throws an `unavailable` error if a usage document, or a record in it, is about another flag */
export function refuseOtherFlag({ featureName, lastHourUsage }: FeatureUsage, name: string): void {
  const names = [featureName, ...lastHourUsage.map((record) => record.featureName)]
  const other = names.find((one) => one && one !== name)
  if (!other) return
  const problem = `the service returned the usage of the flag '${other}'`
  throw new FlagadmError('unavailable', problem, { featureName: name })
}

/**
 * Reads flags with limited concurrency; yields the readings in the order of the names.
 * @param digest extracts the result from a usage document
 */
export function readInOrder<Document, Result>(
  reader: FlagReader<Document>,
  names: readonly string[],
  digest: (document: Document, name: string) => Result,
  onRead: () => void,
): AsyncIterable<Reading<Result>> {
  const readOne = async (name: string) => {
    const reading = await readFlag(reader, name, digest, names.length)
    onRead()
    return reading
  }
  return pMapIterable(names, readOne, { concurrency: reader.concurrency })
}

/**
 * Reads flags with limited concurrency and waits for all.
 * @param digest extracts the result from a usage document: many whole ones would not fit into memory
 * @param isRepeated whether an unavailable service may be back in the next reading
 */
export function readAll<Document, Result>(
  reader: FlagReader<Document>,
  names: readonly string[],
  digest: (document: Document, name: string) => Result,
  isRepeated = false,
): Promise<Reading<Result>[]> {
  const readOne = (name: string) => readFlag(reader, name, digest, names.length, isRepeated)
  return pMap(names, readOne, { concurrency: reader.concurrency })
}
