import { readdirSync, readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { isObject } from '../../src/input/json.ts'
import { type Operation, operations } from '../../src/service/operations.ts'
import type { Excerpt } from '../service/excerpt.ts'

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
const UNDOCUMENTED = {
  // For example {"pattern":"[a-z]+","example":"a","description":null}.
  createFeatureNamingPatternSchema: { example: { type: 'string', nullable: true } },
  // For an admin token, for example {"username":"ci","permissions":["ADMIN"],"environment":"*","type":"admin",
  // "secret":"*:*.0123","projects":["*"],"internalAdminTokenUserId":-42}.
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

const excerpt: Excerpt = read('openapi.json')
for (const [name, properties] of Object.entries(UNDOCUMENTED)) {
  Object.assign(excerpt.components.schemas[name]?.properties ?? {}, properties)
}
const ajv = addFormats.default(new Ajv({ strict: false })).addSchema(excerpt, 'openapi')

/** Whether a path is one of an operation, whose path has names for its parameters. */
function isPathOf(operation: string, path: string): boolean {
  const pattern = operation.replace(/\?.*/, '').replaceAll(/:\w+|\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(path)
}

/** The entry of the operation that a request calls. */
function operationOf(method: string, path: string) {
  return Object.entries<Operation>(operations).find(
    ([, operation]) => operation.method === method && isPathOf(operation.path, path),
  )
}

/** The check of a document of Unleash 8.2; undefined if there is none. */
function documentedAt(method: string, path: string, status: number) {
  const entry = Object.entries(excerpt.operations).find(([name]) =>
    isPathOf(name, `${method} ${path}`),
  )
  if (!entry?.[1][status]) return undefined
  return ajv.getSchema(`openapi#/operations/${encodeURIComponent(entry[0])}/${status}`)
}

/** A schema of values like these: an object has only the properties that one of them has. */
function schemaOf(values: readonly unknown[]): object | false {
  if (values.length === 0) return false
  const objects = values.filter(isObject)
  const names = new Set(objects.flatMap(Object.keys))
  const typeOf = (value: unknown) =>
    Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  return {
    type: [...new Set(values.map(typeOf))],
    properties: Object.fromEntries(
      [...names].map((name) => {
        return [name, schemaOf(objects.filter((of) => name in of).map((of) => of[name]))]
      }),
    ),
    additionalProperties: false,
    items: schemaOf(values.filter(Array.isArray).flat()),
  }
}

/** The check of the documents of an older version, which are recorded; undefined if there are none. */
function recordedAt(version: string, method: string, path: string): ValidateFunction | undefined {
  const [name] = operationOf(method, path) ?? []
  const key = `${version}/${name}`
  const known = ajv.getSchema(key)
  if (known) return known
  const recorded = `versions/${version}/`
  const files = readdirSync(new URL(recorded, folder)).filter((file) => {
    return file === `${name}.json` || file.startsWith(`${name}-`)
  })
  if (files.length === 0) return undefined
  const documents = files.map((file) => read(`${recorded}${file}`))
  return ajv.addSchema(schemaOf(documents) || {}, key).getSchema(key)
}

/**
 * Checks that Unleash sends such a document: that it has these fields, with values of these types. Fields may be missing,
 * because a test states only those that it is about. The two operations of the specification are not checked, because
 * other servers may send more.
 * @param version an older version than 8.2, whose documents are in `test/service/versions`
 * @throws an error that has the first difference
 */
export function checkDocument({ method, url, status, document }: Success, version?: string): void {
  const path = new URL(url, 'http://service').pathname
  if (operationOf(method, path)?.[1].section !== undefined) return
  const unleash = `${method} ${path}: Unleash ${version ?? excerpt.version}`
  const isValid = version ? recordedAt(version, method, path) : documentedAt(method, path, status)
  if (!isValid) throw new Error(`${unleash} has no document with the status ${status}`)
  if (isValid(document)) return
  const [error] = isValid.errors ?? []
  const { instancePath = '', keyword, message, params } = error ?? {}
  throw new Error(
    keyword === 'additionalProperties'
      ? `${unleash} has no ${instancePath}/${params?.additionalProperty}`
      : `${unleash} has another ${instancePath}: ${message}`,
  )
}
