import { readFileSync } from 'node:fs'
import { type Operation, operations } from '../../src/service/operations.ts'
import type { Documented } from '../service/openapi.ts'
import { readEntries } from './recording.ts'
import { differenceOf, type Schema, schemaLike } from './json-schema.ts'

/** What a test's service sends in a success. */
export interface Success {
  method: string
  url: string
  status: number
  document: unknown
}

/**
 * Properties that Unleash sends although its document lacks them; without one of them, the test of the real service
 * fails. It also answers `POST …/off` without a body, where the document promises the flag.
 */
const UNDOCUMENTED: Record<string, Record<string, Schema>> = {
  // {"pattern":"[a-z]+","example":"a","description":null}
  createFeatureNamingPatternSchema: { example: { type: 'string', nullable: true } },
  // For an admin token: {"username":"ci","permissions":["ADMIN"],"environment":"*","type":"admin","secret":"*:*.0123",
  // "projects":["*"],"internalAdminTokenUserId":-42}
  userSchema: {
    environment: { type: 'string' },
    type: { type: 'string' },
    secret: { type: 'string' },
    projects: { type: 'array', items: { type: 'string' } },
    internalAdminTokenUserId: { type: 'integer' },
  },
}

const folder = new URL('../service/', import.meta.url)

function read(path: string) {
  return JSON.parse(readFileSync(new URL(path, folder), 'utf8'))
}

const { version: newest, operations: documented, schemas }: Documented = read('openapi.json')
for (const [name, properties] of Object.entries(UNDOCUMENTED)) {
  Object.assign(schemas[name]?.properties ?? {}, properties)
}

/** The paths of an operation, whose own path has names for its parameters. */
function pathsOf(operation: string): RegExp {
  const pattern = operation.replace(/\?.*/, '').replaceAll(/:\w+|\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`)
}

// Each answer of a test's service is compared, so the expressions are made only once.
const called = Object.entries<Operation>(operations).map(([name, operation]) => {
  return { name, operation, paths: pathsOf(operation.path) }
})
const documents = Object.entries(documented)
  // `/features/validate` is not the flag of that name.
  .sort(([one], [other]) => one.split('{').length - other.split('{').length)
  .map(([operation, schemasByStatus]) => ({ paths: pathsOf(operation), schemasByStatus }))

/** The operation that flagadm calls with a request. */
function operationOf(method: string, path: string) {
  return called.find(({ operation, paths }) => operation.method === method && paths.test(path))
}

/** The schema of a document of Unleash 8.2; undefined if it sends none. */
function documentedSchema(request: string, status: number): Schema | undefined {
  const document = documents.find(({ paths }) => paths.test(request))
  return document?.schemasByStatus[status] ?? undefined
}

/** A schema like the recorded documents of an older version; undefined if there are none. */
function recordedSchema(version: string, operation: string | undefined): Schema | undefined {
  const recorded = readEntries(version).flatMap((entry) => {
    if (!('request' in entry) || entry.status !== 200) return []
    const [method = '', url = ''] = entry.request.split(' ')
    const { name } = operationOf(method, new URL(url, 'http://service').pathname) ?? {}
    return name === operation ? [entry.document] : []
  })
  return recorded.length > 0 ? schemaLike(recorded) : undefined
}

/**
 * Checks that Unleash sends such a document: that it has these properties, with values of these types. Properties may be
 * missing, because a test states only those that it is about. The two operations of the specification are not checked,
 * because other servers may send more.
 * @param version an older version than 8.2, whose documents are in `test/service/versions`
 * @throws an error that has the first difference
 */
export function checkDocument({ method, url, status, document }: Success, version?: string): void {
  const path = new URL(url, 'http://service').pathname
  const { name, operation } = operationOf(method, path) ?? {}
  if (operation?.section !== undefined) return
  const source = version ? `versions/${version}` : 'openapi.json'
  const schema = version
    ? recordedSchema(version, name)
    : documentedSchema(`${method} ${path}`, status)
  const difference = schema
    ? differenceOf(document, schema, schemas)
    : `test/service/${source} has no document for the status ${status}`
  if (difference === undefined) return
  throw new Error(
    `not what Unleash ${version ?? newest} sends for ${method} ${path}: ${difference}`,
  )
}
