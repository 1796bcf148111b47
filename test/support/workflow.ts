import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { parse } from 'yaml'

/** The folder of the action in the repository. */
export const ACTION = '.github/actions/flagadm'

const environmentSchema = v.record(v.string(), v.string())
const stepSchema = v.strictObject({
  id: v.optional(v.string()),
  name: v.optional(v.string()),
  if: v.optional(v.string()),
  uses: v.optional(v.string()),
  with: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
  run: v.optional(v.string()),
  shell: v.optional(v.literal('bash')),
  env: v.optional(environmentSchema),
})
export type Step = v.InferOutput<typeof stepSchema>

const jobSchema = v.object({
  if: v.optional(v.string()),
  env: v.optional(environmentSchema),
  outputs: v.optional(environmentSchema, {}),
  // A job that calls another workflow has none.
  steps: v.optional(v.array(stepSchema), []),
})
export const workflowSchema = v.object({
  env: v.optional(environmentSchema),
  jobs: v.record(v.string(), jobSchema),
})

/** The metadata of a composite action, as GitHub defines them. */
const actionSchema = v.strictObject({
  name: v.string(),
  description: v.pipe(v.string(), v.maxLength(125)),
  author: v.string(),
  branding: v.strictObject({
    icon: v.string(),
    color: v.picklist([
      'white',
      'black',
      'yellow',
      'blue',
      'green',
      'orange',
      'red',
      'purple',
      'gray-dark',
    ]),
  }),
  inputs: v.record(
    v.pipe(v.string(), v.regex(/^[a-z][a-z-]*$/)),
    v.strictObject({
      description: v.string(),
      required: v.optional(v.boolean()),
      default: v.optional(v.string()),
    }),
  ),
  outputs: v.record(v.string(), v.strictObject({ description: v.string(), value: v.string() })),
  runs: v.strictObject({
    using: v.literal('composite'),
    steps: v.array(v.required(stepSchema, ['id', 'run', 'shell'])),
  }),
})

/** The action of this repository. */
export const action = v.parse(
  actionSchema,
  parse(
    readFileSync(fileURLToPath(new URL(`../../${ACTION}/action.yml`, import.meta.url)), 'utf8'),
  ),
)

/** The values that expressions can refer to. */
export type Contexts = Record<string, unknown>

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function lookUp(path: string, contexts: Contexts): unknown {
  let value: unknown = contexts
  for (const key of path.split('.')) value = isObject(value) ? value[key] : undefined
  return value
}

const COMPARISON = /^([a-z][\w.-]*)(?: == (?:'([^']*)'|([a-z][\w.-]*)))?$/

/** A part of an expression: a path, or its comparison with a text or another path. */
function operand(text: string, contexts: Contexts): unknown {
  if (text === '!cancelled()' || text === 'always()') return true
  const [, path, literal, other] = COMPARISON.exec(text) ?? []
  if (path === undefined) throw new Error(`unknown expression: ${text}`)
  const value = lookUp(path, contexts)
  if (other !== undefined) return value === lookUp(other, contexts)
  return literal === undefined ? value : (value ?? '') === literal
}

/** The value of an expression: operands joined by `&&`. */
function evaluate(expression: string, contexts: Contexts): unknown {
  let value: unknown
  for (const part of expression.split(' && ')) {
    value = operand(part, contexts)
    if (!value) break
  }
  return value
}

function interpolate(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => {
    const value = evaluate(expression, contexts) ?? ''
    if (typeof value === 'object') throw new Error(`not a text: ${expression}`)
    return String(value)
  })
}

/** Texts with the values of the expressions in them. */
export function interpolateAll(
  values: Record<string, unknown>,
  contexts: Contexts,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, interpolate(String(value), contexts)]),
  )
}

function runsAfterFailure(condition: string): boolean {
  return /\b(?:always|cancelled|failure)\(\)/.test(condition)
}

/** Whether the condition of a step or a job holds. */
export function holds(
  condition: string | undefined,
  isFailed: boolean,
  contexts: Contexts,
): boolean {
  if (isFailed && !(condition && runsAfterFailure(condition))) return false
  const expression = condition?.replace(/^\$\{\{ (.+) \}\}$/, '$1')
  return expression === undefined || Boolean(evaluate(expression, contexts))
}
