import pMap, { pMapIterable } from 'p-map'
import { aboutFeature, FlagadmError } from '../errors.ts'
import type { UsageDocument } from './document.ts'
import type { FeatureUsage } from '../service/schema.ts'
import type { UsageSource } from './source.ts'

/** The result of reading one flag; it has neither an answer nor an error if the run was interrupted. */
export interface Reading<Answer = UsageDocument> {
  name: string
  answer?: Answer
  error?: FlagadmError
}

/** @param digest extracts what to keep of the document; if it throws, the reading fails with its error */
async function read<Answer>(
  source: UsageSource,
  name: string,
  digest: (document: UsageDocument) => Answer,
): Promise<Reading<Answer>> {
  try {
    const document = await source.read(name)
    // Parsing a large document takes a while, so let signals arrive before the next step.
    await new Promise(setImmediate)
    return { name, answer: digest(document) }
  } catch (error) {
    if (!(error instanceof FlagadmError)) throw error
    return error.kind === 'interrupted' ? { name } : { name, error }
  }
}

/** @throws an `unavailable` error if a usage document, or a record in it, is about another flag */
export function refuseOther({ featureName, lastHourUsage }: FeatureUsage, name: string): void {
  const names = [featureName, ...lastHourUsage.map((record) => record.featureName)]
  const other = names.find((one) => one && one !== name)
  if (!other) return
  const problem = `the service returned the usage of the flag '${other}'`
  throw aboutFeature(new FlagadmError('unavailable', problem), name)
}

/**
 * Reads flags with limited concurrency; yields the readings in the order of the names.
 * @param check throws an error for a document that cannot be used
 */
export function readInOrder(
  source: UsageSource,
  check: (usage: FeatureUsage, name: string) => void,
  onRead: () => void,
): AsyncIterable<Reading> {
  const readOne = async (name: string) => {
    const reading = await read(source, name, (document) => {
      check(document.data, name)
      return document
    })
    onRead()
    return reading
  }
  return pMapIterable(source.names, readOne, { concurrency: source.concurrency })
}

/**
 * Reads flags with limited concurrency and waits for all.
 * @param digest extracts what to keep of a usage document: many whole ones would not fit into memory
 */
export async function readAll<Digest>(
  source: UsageSource,
  names: readonly string[],
  digest: (document: UsageDocument, name: string) => Digest,
): Promise<Reading<Digest>[]> {
  const readOne = (name: string) => read(source, name, (document) => digest(document, name))
  return pMap(names, readOne, { concurrency: source.concurrency })
}
