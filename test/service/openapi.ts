import { isObject } from '../../src/input/json.ts'
import { KEYWORDS, type Schema } from '../support/json-schema.ts'

/** The part of Unleash's OpenAPI document that is kept. */
interface OpenApi {
  info: { version: string }
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>
  components: { schemas: Record<string, object> }
}

interface Response {
  content?: { 'application/json'?: { schema: object } }
}

/** What `openapi.json` contains. */
export interface Documented {
  version: string
  /**
   * By method and path, such as `GET /api/admin/projects`: the schema of the document for each status of a success; null if
   * there is no document.
   */
  operations: Record<string, Record<string, Schema | null>>
  schemas: Record<string, Schema>
}

/**
 * A schema with the keywords that the check reads. An object has only the properties that are listed, even where the
 * document leaves that open.
 */
function reduced(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(reduced)
  if (!isObject(schema)) return schema
  const { properties, ...others } = schema
  const kept = Object.entries(others).filter(([keyword]) => KEYWORDS.has(keyword))
  const rest = mapValues(Object.fromEntries(kept), reduced)
  if (!isObject(properties)) return rest
  return { additionalProperties: false, ...rest, properties: mapValues(properties, reduced) }
}

function mapValues<Value, Mapped>(
  record: Record<string, Value>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}

/** The schemas of the responses after a success. */
function successesOf(responses: Record<string, Response>) {
  const successes = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content }]) => [status, content?.['application/json']?.schema ?? null])
  return Object.fromEntries(successes)
}

/** The names of the schemas that a value refers to. */
function namesIn(value: unknown): string[] {
  const references = JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  return Array.from(references, ([, name = '']) => name)
}

/** The documents of all operations, and the schemas that they refer to. */
function reducedDocument({ info, paths, components }: OpenApi) {
  const { schemas } = components
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => {
      return [`${method.toUpperCase()} ${path}`, successesOf(responses)] as const
    }),
  )
  const reached = new Set(namesIn(operations))
  // A set visits what is added meanwhile.
  for (const name of reached) {
    for (const next of namesIn(reduced(schemas[name]))) reached.add(next)
  }
  const kept = [...reached].sort().map((name) => [name, reduced(schemas[name])] as const)
  return { version: info.version, operations, schemas: kept }
}

/** The text of `openapi.json`: a line for each operation and each schema. */
export function documentText(document: OpenApi): string {
  const { version, operations, schemas } = reducedDocument(document)
  const lines = (entries: readonly (readonly [string, unknown])[]) =>
    entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(',\n')
  return `{
"version": ${JSON.stringify(version)},
"operations": {
${lines(operations)}
},
"schemas": {
${lines(schemas)}
}
}
`
}
