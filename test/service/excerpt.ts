import { isObject } from '../../src/input/json.ts'
import { type Operation, operations } from '../../src/service/operations.ts'
import { KEYWORDS, type Schema } from '../support/json-schema.ts'

/** The part of Unleash's OpenAPI document that the excerpt is made from. */
interface OpenApi {
  info: { version: string }
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>
  components: { schemas: Record<string, object> }
}

interface Response {
  content?: { 'application/json': { schema: object } }
}

/** What `openapi.json` contains. */
export interface Excerpt {
  version: string
  /**
   * By method and path, such as `GET /api/admin/projects`: the schema of the document for each status of a success; null if
   * there is no document.
   */
  operations: Record<string, Record<string, Schema | null>>
  schemas: Record<string, Schema>
}

type Called = Pick<Operation, 'method' | 'path' | 'section' | 'until'>

// Operations that flagadm does not call yet.
const planned: readonly Called[] = [
  { method: 'GET', path: '/api/admin/environments' },
  { method: 'POST', path: '/api/admin/projects/:projectId/stale' },
]

// Not the two operations of the specification, which other servers answer in their own way, and none of older versions.
const called = [...Object.values<Called>(operations), ...planned].filter(
  ({ section, until }) => !section && !until,
)

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

/** A path without the names of its parameters and its query. */
function shapeOf(path: string): string {
  return path.replace(/\?.*/, '').replaceAll(/:\w+|\{\w+\}/g, '{}')
}

/** The operation as the document names it, and its responses after a success. */
function successesOf({ paths }: OpenApi, { method, path }: Called) {
  const found = Object.entries(paths).find(([candidate]) => shapeOf(candidate) === shapeOf(path))
  const responses = found?.[1][method.toLowerCase()]?.responses
  if (!responses) throw new Error(`Unleash has no ${method} ${path}`)
  const successes = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content }]) => [status, content?.['application/json'].schema ?? null])
  return [`${method} ${found[0]}`, Object.fromEntries(successes)]
}

/** The names of the schemas that a value refers to. */
function namesIn(value: unknown): string[] {
  const references = JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  return Array.from(references, ([, name = '']) => name)
}

/** The documents of the operations that flagadm calls, and the schemas that they refer to. */
export function excerptOf(document: OpenApi) {
  const { schemas } = document.components
  const responses = Object.fromEntries(called.map((operation) => successesOf(document, operation)))
  const reached = new Set(namesIn(responses))
  // A set visits what is added meanwhile.
  for (const name of reached) {
    for (const next of namesIn(schemas[name])) reached.add(next)
  }
  const kept = [...reached].sort().map((name) => [name, reduced(schemas[name])])
  return {
    version: document.info.version,
    operations: responses,
    schemas: Object.fromEntries(kept),
  }
}
