import * as v from 'valibot'
import { checkShape, describeProblem, exactObject } from '../input/shape.ts'
import { Refusal, type SandboxProject } from './state.ts'

/** @throws a 400 with the offending property */
export function parseBody<Schema extends v.GenericSchema>(schema: Schema, body: unknown) {
  const { data, problem } = checkShape(schema, body)
  if (problem) throw invalid(describeProblem(problem))
  return data
}

function invalid(problem: string): Refusal {
  return new Refusal(400, `Request validation failed: ${problem}`)
}

const optionalText = v.exactOptional(v.string())
const specified = {
  mode: v.exactOptional(v.picklist(['open', 'protected', 'private'])),
  featureNaming: v.exactOptional(
    exactObject({ pattern: optionalText, example: optionalText, description: optionalText }),
  ),
}
const specifiedSchema = exactObject(specified)
const extendedSchema = exactObject({
  ...specified,
  linkTemplates: v.exactOptional(
    v.array(
      exactObject({ title: v.exactOptional(v.nullable(v.string())), urlTemplate: v.string() }),
    ),
  ),
})
type Settings = v.InferOutput<typeof extendedSchema>

/** Whether a pattern matches a name, as the service does it; undefined for a broken pattern. */
function matches(pattern: string, name: string): boolean | undefined {
  try {
    return RegExp(`^${pattern}$`).test(name)
  } catch {
    return undefined
  }
}

/** Why the service would refuse a new flag name. A broken pattern accepts every name, as it does there. */
export function ruleViolation({ featureNaming: { pattern } }: SandboxProject, name: string) {
  return pattern && matches(pattern, name) === false
    ? `The name "${name}" does not match the project's naming pattern "${pattern}"`
    : undefined
}

const whitespace = [' ', '\\t', '\\s', '\\n', '\\r', '\\f', '\\v']

/** Refuses what the service refuses. A broken pattern without an example is accepted, as it is there. */
function checkRule({ pattern, example, description }: Settings['featureNaming'] & object): void {
  if (!pattern) {
    const [field] = Object.entries({ example, description }).find(([, text]) => text) ?? []
    if (field !== undefined) throw invalid(`featureNaming.${field}: needs a pattern`)
    return
  }
  if (whitespace.some((text) => pattern.includes(text))) {
    const list = whitespace.slice(1).join(' ')
    throw invalid(`featureNaming.pattern: must not contain a space or ${list}`)
  }
  if (!example || matches(pattern, example)) return
  throw invalid('featureNaming.example: does not match the pattern')
}

/**
 * The project after an update: section "1. Update project enterprise settings" of the specification. Like the real
 * service, an update without link templates removes them, and a new pattern replaces the whole rule.
 */
export function updated(project: SandboxProject, body: unknown, specOnly: boolean): SandboxProject {
  const settings: Settings = parseBody(specOnly ? specifiedSchema : extendedSchema, body)
  const { mode = project.mode, featureNaming: sent = {}, linkTemplates = [] } = settings
  checkRule(sent)
  const { pattern, example, description } = sent
  const featureNaming = pattern
    ? { pattern, example: example || null, description: description || null }
    : { ...project.featureNaming, ...sent }
  return { ...project, mode, featureNaming, linkTemplates }
}
