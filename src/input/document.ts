import type { ErrorKind } from '../errors.ts'
import { hasDistinctKeys, isObject, MAX_CHARACTERS, MAX_LEVELS } from './json.ts'
import type { Path } from './shape.ts'
import type { PlacedDocument, Position } from './yaml.ts'

// Most YAML begins with a letter that begins no JSON; the error that JSON.parse would throw is slow.
const JSON_START = /^\s*["[{\-\dtfn]/

function parseJson(text: string): { data: unknown } | undefined {
  if (!JSON_START.test(text)) return undefined
  try {
    return { data: JSON.parse(text) }
  } catch {
    return undefined
  }
}

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
  const json = parseJson(text)
  if (json) return withoutSchema(json.data)
  const { readYaml } = await import('./yaml.ts')
  return withoutSchema(readYaml(text, { name, kind }, 'make it smaller, or write it as JSON').data)
}

/** The data of a JSON document without duplicate keys; undefined for other text. */
function soundJson(text: string): { data: unknown } | undefined {
  const json = parseJson(text)
  return json && hasDistinctKeys(text, json.data, MAX_LEVELS) ? json : undefined
}

/** Like `parseDocument`, but finds lines and refuses duplicate keys in JSON as well. */
export async function parsePlaced(
  text: string,
  name: string,
  kind: ErrorKind,
): Promise<PlacedDocument> {
  const read = async () => {
    const { readYaml } = await import('./yaml.ts')
    // JSON is checked as YAML, which contains it.
    return readYaml(text, { name, kind }, 'make it smaller, or split it into several files')
  }
  const json = text.length <= MAX_CHARACTERS ? soundJson(text) : undefined
  const document = json
    ? { ...json, lineOf: async (path: Path) => (await read()).lineOf(path) }
    : await read()
  return { ...document, data: withoutSchema(document.data) }
}

/** The position of the value at `path` in a well-formed document; undefined if there is none. */
export async function locate(text: string, path: Path): Promise<Position | undefined> {
  const { positionOf } = await import('./yaml.ts')
  return positionOf(text, path)
}
