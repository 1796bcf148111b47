import { type ErrorKind, FlagadmError } from '../errors.ts'
import { isObject } from './json.ts'
import type { Position } from './position.ts'
import type { Path } from './shape.ts'
import type { PlacedDocument } from './yaml.ts'

/** The data without `$schema`, with which a document refers to the schema that editors use. */
export function withoutSchema(data: unknown): unknown {
  if (!isObject(data) || typeof data.$schema !== 'string') return data
  const { $schema: _schema, ...rest } = data
  return rest
}

/**
 * The data of a YAML or JSON document, without `$schema`.
 * @param name what to call the document in an error
 * @param kind the kind of error to throw when it is malformed or exceeds a limit
 */
export async function parseDocument(text: string, name: string, kind: ErrorKind): Promise<unknown> {
  try {
    return withoutSchema(JSON.parse(text))
  } catch {
    return (await parsePlaced(text, name, kind)).data
  }
}

/**
 * Like `parseDocument`, but finds lines and refuses duplicate keys in JSON as well.
 * @param example a command that prints a valid document
 */
export async function parsePlaced(
  text: string,
  name: string,
  kind: ErrorKind,
  example?: string,
): Promise<PlacedDocument> {
  // Loaded only for a document that needs it, because the package is large.
  const { readYaml } = await import('./yaml.ts')
  const document = readYaml(text, { name, kind, example })
  return { ...document, data: withoutSchema(document.data) }
}

/** The position of the value at `path`; undefined if there is none, or the document is malformed. */
export async function locate(text: string, path: Path): Promise<Position | undefined> {
  try {
    return (await parsePlaced(text, '', 'usage')).positionOf(path)
  } catch (error) {
    if (error instanceof FlagadmError) return undefined
    throw error
  }
}
