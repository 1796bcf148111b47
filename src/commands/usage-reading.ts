import pMap, { pMapIterable } from 'p-map'
import { FlagadmError } from '../errors.ts'
import type { Service } from '../service/client.ts'
import type { FeatureUsage } from '../service/schema.ts'

/** A usage document and its JSON text as the service sent it. */
export interface UsageAnswer {
  usage: FeatureUsage
  json: string
}

/** The result of reading one flag; has neither part if the run was interrupted before. */
export interface Reading<Answer = UsageAnswer> {
  name: string
  answer?: Answer
  error?: FlagadmError
}

/** @param digest what to keep of the answer; an error that it throws makes the reading a failed one */
async function read<Answer>(
  service: Service,
  name: string,
  digest: (answer: UsageAnswer) => Answer,
): Promise<Reading<Answer>> {
  try {
    const { data: usage, json } = await service.featureUsage(name)
    return { name, answer: digest({ usage, json }) }
  } catch (error) {
    if (!(error instanceof FlagadmError)) throw error
    return error.kind === 'interrupted' ? { name } : { name, error }
  }
}

/** Reads flags with limited concurrency; yields the readings in the order of the names. */
export function readInOrder(
  service: Service,
  names: readonly string[],
  concurrency: number,
  onRead: () => void,
): AsyncIterable<Reading> {
  const readOne = async (name: string) => {
    const reading = await read(service, name, (answer) => answer)
    onRead()
    return reading
  }
  return pMapIterable(names, readOne, { concurrency })
}

/**
 * Reads flags with limited concurrency and waits for all.
 * @param digest what to keep of a usage document: many whole ones would not fit into memory
 */
export async function readAll<Digest>(
  service: Service,
  names: readonly string[],
  concurrency: number,
  digest: (usage: FeatureUsage, name: string) => Digest,
): Promise<Reading<Digest>[]> {
  const readOne = (name: string) => read(service, name, ({ usage }) => digest(usage, name))
  return pMap(names, readOne, { concurrency })
}
