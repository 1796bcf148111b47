// The types of flags that a service has.
import { Option } from '@commander-js/extra-typings'
import { collect } from '../command/options.ts'
import { unknownValue } from '../input/spelling.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { Flag } from './flag.ts'

export type FlagTypes = ReadonlySet<string>

/** The types of Unleash 8.2, for a service that does not list its own. */
const defaultTypes: FlagTypes = new Set([
  'release',
  'experiment',
  'operational',
  'kill-switch',
  'permission',
  'sunset',
])

async function readTypes(service: Service): Promise<FlagTypes> {
  const document = await unlessMissing(service.read(operations.featureTypes, {}))
  if (!document) return defaultTypes
  return new Set(document.data.types.map(({ id }) => id))
}

/**
 * The types of a service.
 * @throws a usage error for a wanted type that the service does not have
 */
export async function readFlagTypes(
  service: Service,
  wanted: readonly string[] = [],
): Promise<FlagTypes> {
  const types = await readTypes(service)
  for (const type of wanted) {
    if (!types.has(type)) throw unknownValue('--type', type, [...types])
  }
  return types
}

/** The option that selects types, whose names only the service knows. */
export function typeOption() {
  const option = new Option('--type <type>', 'only this type')
  return option.argParser((text: string, collected: string[] = []) =>
    text.split(',').reduce((all, word) => collect(word, all), collected),
  )
}

/** Whether a flag has, or may have, one of the types, if there are any. A name that is not a flag always passes. */
export function isOfType(flag: Flag | undefined, types?: readonly string[]): boolean {
  return !flag?.type || types === undefined || types.includes(flag.type)
}
