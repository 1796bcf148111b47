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
export interface Reading {
  name: string
  answer?: UsageAnswer
  error?: FlagadmError
}

async function read(service: Service, name: string): Promise<Reading> {
  try {
    const { data: usage, json } = await service.featureUsage(name)
    return { name, answer: { usage, json } }
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
    const reading = await read(service, name)
    onRead()
    return reading
  }
  return pMapIterable(names, readOne, { concurrency })
}

/** Reads flags with limited concurrency and waits for all. */
export async function readAll(
  service: Service,
  names: readonly string[],
  concurrency: number,
): Promise<Reading[]> {
  return pMap(names, (name) => read(service, name), { concurrency })
}
