import * as v from 'valibot'

/** Where data breaks its schema and how: never what stands there, which may be a secret. */
export interface Problem {
  /** Dotted path of the field (`featureNaming.patern`); empty for the whole document. */
  path: string
  /** For example `unknown field`, `missing`, `expected string`. */
  message: string
}

/** Whether a value is an object other than an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function pathOf(issue: v.BaseIssue<unknown>): string {
  let path = ''
  for (const { key } of issue.path ?? []) {
    // In YAML's braces `apiKey:secret`, which lacks a blank, is a name.
    const name = String(key).replace(/[^\w.-].*/s, '…')
    path += typeof key === 'number' ? `[${key}]` : `${path && '.'}${name}`
  }
  return path
}

function messageOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === 'validation' || issue.type === 'custom') return issue.message
  if (issue.type === 'strict_object' && issue.expected === 'never') return 'unknown field'
  if (issue.received === 'undefined') return 'missing'
  return `expected ${issue.expected === 'Object' ? 'an object' : issue.expected}`
}

/** Checks data against a schema: the typed data, or the first problem. */
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
  return { problem: { path: pathOf(issue), message: messageOf(issue) } }
}
