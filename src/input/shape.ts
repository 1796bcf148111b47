import * as v from 'valibot'
import { isObject } from './json.ts'

/** Accepts objects only: valibot's own object schemas accept arrays, too. */
export const anObject = v.check(isObject, 'expected an object')

/** An object with these fields and no others. */
export function exactObject<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(v.unknown(), anObject, v.strictObject(entries))
}

/** Where and how data violates its schema. Never contains the value, which may be secret. */
export interface Problem {
  /** Dotted path of the field (`featureNaming.patern`); empty for the whole document. */
  path: string
  /** For example `unknown field`, `missing`, `expected string`. */
  message: string
}

/** A problem as one line of text: `featureNaming.patern: unknown field`. */
export function describeProblem({ path, message }: Problem): string {
  return path ? `${path}: ${message}` : message
}

/** The keys and indices that lead to a value. */
export type Path = readonly (string | number)[]

/** A path as text: `linkTemplates[0].title`. */
export function pathText(path: Path): string {
  let text = ''
  for (const key of path) {
    // In YAML, `{apiKey:secret}` without a space is a field whose name contains the secret.
    const name = String(key).replace(/[^\w.-].*/s, '…')
    text += typeof key === 'number' ? `[${key}]` : `${text && '.'}${name}`
  }
  return text
}

function pathOf(issue: v.BaseIssue<unknown>): Path {
  return (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))
}

function messageOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === 'validation' || issue.type === 'custom') return issue.message
  if (issue.type === 'strict_object' && issue.expected === 'never') return 'unknown field'
  if (issue.received === 'undefined') return 'missing'
  return `expected ${issue.expected === 'Object' ? 'an object' : issue.expected}`
}

/** Checks data against a schema; returns the typed data or the first problem. */
export function checkShape<Schema extends v.GenericSchema>(
  schema: Schema,
  data: unknown,
): { data: v.InferOutput<Schema>; problem?: never } | { data?: never; problem: Problem } {
  if (Array.isArray(data) && schema.type.endsWith('object')) {
    return { problem: { path: '', message: 'expected an object' } }
  }
  const result = v.safeParse(schema, data, { abortEarly: true })
  if (result.success) return { data: result.output }
  const [issue] = result.issues
  return { problem: { path: pathText(pathOf(issue)), message: messageOf(issue) } }
}

/** Checks data against a schema; returns the typed data or all problems. */
export function checkWholeShape<Schema extends v.GenericSchema>(schema: Schema, data: unknown) {
  const result = v.safeParse(schema, data)
  if (result.success) return { data: result.output }
  return {
    problems: result.issues.map((issue) => ({ path: pathOf(issue), message: messageOf(issue) })),
  }
}
