import { MAX_CHARACTERS } from './document-limits.ts'
import { isObject, parseJson } from './json.ts'
import type { DocumentSource, PlacedDocument } from './yaml.ts'

/** The data without `$schema`, with which a document refers to the schema that editors use. */
export function withoutSchema(data: unknown): unknown {
  if (!isObject(data) || typeof data.$schema !== 'string') return data
  const { $schema: _schema, ...rest } = data
  return rest
}

/** The data of a YAML or JSON document, without `$schema`. @throws an error if it is malformed or too large */
export async function parseDocument(text: string, source: DocumentSource): Promise<unknown> {
  const data = parseJson(text)
  if (data !== null) return withoutSchema(data)
  return (await parsePlaced(text, { ...source, takesLargeJson: true })).data
}

/** Like `parseDocument`, but finds lines and refuses duplicate keys in JSON as well, if YAML may be as large. */
export async function parsePlaced(text: string, source: DocumentSource): Promise<PlacedDocument> {
  const isLarge = source.takesLargeJson && text.length > MAX_CHARACTERS
  const large = isLarge ? parseJson(text) : null
  if (large !== null) {
    const positionOf = () => ({ line: 1, column: 1 })
    return { data: withoutSchema(large), isJson: true, positionOf, placeOf: () => source.name }
  }
  // Loaded only for a document that needs it, because the package is large.
  const { readYaml } = await import('./yaml.ts')
  const document = readYaml(text, source)
  return { ...document, data: withoutSchema(document.data) }
}
