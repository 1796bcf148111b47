import * as v from 'valibot'
import { isObject } from './json.ts'
import { timeOf } from './time.ts'

/** Accepts objects only: valibot's own object schemas accept arrays, too. */
export const anObject = v.check(isObject, 'expected an object')

export function exactObject<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(v.unknown(), anObject, v.strictObject(entries))
}

export const timestamp = v.pipe(
  v.string(),
  v.check((text) => timeOf(text) !== undefined, 'expected a time'),
)

function hasUser(address: string): boolean {
  if (!URL.canParse(address)) {
    const start = address.indexOf('//')
    return start >= 0 && address.includes('@', start)
  }
  const { username, password } = new URL(address)
  return username + password !== ''
}

/** The address of a service or repository in a file; messages show it. */
export const plainAddress = v.pipe(
  v.string(),
  v.check((text) => !hasUser(text), 'expected an address without a user or password'),
)

export type Path = readonly (string | number)[]

/** A place in text: line and column from 1, lines as they end in `\n`, columns in UTF-16 units. */
export interface Position {
  line: number
  column: number
}

/** Where and how data violates its schema. Never contains the value, which may be secret. */
export interface ShapeProblem {
  /** Empty for the whole document. */
  path: Path
  /** For example `unknown field`, `missing`, `expected string`. */
  message: string
}

/** A path as text: `linkTemplates[0].title`. */
export function pathText(path: Path): string {
  // In YAML, `{apiKey:secret}` without a space is a field whose name contains the secret.
  const names = path.map((key) =>
    typeof key === 'number' ? `[${key}]` : `.${key.replace(/[^\w.-].*/s, '…')}`,
  )
  return names.join('').replace(/^\./, '')
}

/** A problem as one line of text: `featureNaming.patern: unknown field`. */
export function describeProblem({ path, message }: ShapeProblem): string {
  return path.length > 0 ? `${pathText(path)}: ${message}` : message
}

function problemOf(issue: v.BaseIssue<unknown>): ShapeProblem {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))
  const { kind, type, expected, received } = issue
  if (kind === 'validation' || type === 'custom') return { path, message: issue.message }
  if (type === 'strict_object' && expected === 'never') return { path, message: 'unknown field' }
  if (received === 'undefined') return { path, message: 'missing' }
  // Of several forms, the one that the data has.
  const inner = issue.issues?.map(problemOf).find((problem) => problem.path.length > 0)
  if (inner) return { path: [...path, ...inner.path], message: inner.message }
  const forms = expected?.replace(/^\((.*)\)$/, '$1').split(' | ') ?? []
  const names = forms.map((form) => (form === 'Object' ? 'an object' : form))
  return { path, message: `expected ${names.join(' or ')}` }
}

/** The types of the schemas that accept arrays, too. */
const objectTypes = new Set(['object', 'loose_object', 'strict_object'])

/**
 * Checks data against a schema; returns the typed data, or what is wrong.
 * @param isComplete whether to return all problems; by default, only the first
 */
export function checkShape<Schema extends v.GenericSchema>(
  schema: Schema,
  data: unknown,
  isComplete = false,
):
  | { data: v.InferOutput<Schema>; problem?: never; problems?: never }
  | { data?: never; problem: ShapeProblem; problems: ShapeProblem[] } {
  if (Array.isArray(data) && objectTypes.has(schema.type)) {
    const problem = { path: [], message: 'expected an object' }
    return { problem, problems: [problem] }
  }
  const result = v.safeParse(schema, data, { abortEarly: !isComplete })
  if (result.success) return { data: result.output }
  const [first, ...others] = result.issues
  const problem = problemOf(first)
  return { problem, problems: [problem, ...others.map(problemOf)] }
}
