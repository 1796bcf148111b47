import * as v from 'valibot'
import { checkShape, describeProblem, exactObject } from '../input/shape.ts'
import { type RouteCall, Refusal, requireProject } from './state.ts'

function invalid(problem: string): Refusal {
  return new Refusal(400, `Request validation failed: ${problem}`)
}

/**
 * The JSON body of a request.
 * @throws 415 or 400 when it is not acceptable
 */
export function bodyOf<Schema extends v.GenericSchema>(
  schema: Schema,
  { contentType = '', body }: RouteCall,
) {
  const [mediaType = ''] = contentType.split(';')
  if (mediaType.trim().toLowerCase() !== 'application/json') {
    const sent = contentType || 'A body without a content type'
    throw new Refusal(415, `${sent} is not accepted: only application/json is`)
  }
  const { data, problem } = checkShape(schema, parse(body))
  if (problem) throw invalid(describeProblem(problem))
  return data
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new Refusal(400, 'The body is not valid JSON')
  }
}

const optionalText = v.exactOptional(v.string())
const specified = {
  mode: v.exactOptional(v.picklist(['open', 'protected', 'private'])),
  featureNaming: v.exactOptional(
    exactObject({ pattern: optionalText, example: optionalText, description: optionalText }),
  ),
}
const specifiedSchema = exactObject(specified)
const link = exactObject({
  title: v.exactOptional(v.nullable(v.string())),
  urlTemplate: v.string(),
})
const extendedSchema = exactObject({ ...specified, linkTemplates: v.exactOptional(v.array(link)) })
type SentSettings = v.InferOutput<typeof extendedSchema>
type SentRule = NonNullable<SentSettings['featureNaming']>

/** Whether a pattern accepts a name, as the service does it; undefined for a broken pattern. */
export function acceptsName(pattern: string, name: string): boolean | undefined {
  try {
    return RegExp(`^${pattern}$`).test(name)
  } catch {
    return undefined
  }
}

/** Refuses what the service refuses. A broken pattern without an example is accepted, as it is there. */
function checkRule({ pattern, example, description }: SentRule): void {
  if (!pattern && (example || description)) throw invalid('featureNaming: needs a pattern')
  if (/ |\\[tsnrfv]/.test(pattern ?? '')) {
    throw invalid('featureNaming.pattern: must not contain white space')
  }
  if (!pattern || !example || acceptsName(pattern, example)) return
  throw invalid('featureNaming.example: does not match the pattern')
}

/**
 * `PUT /api/admin/projects/:id/settings`, section "1. Update project enterprise settings" of the specification. Like the
 * real service, an update without link templates removes them, and a new pattern replaces the whole rule.
 */
export function updateSettings(call: RouteCall): undefined {
  const { project: id, state } = call
  const settings: SentSettings = bodyOf(state.specOnly ? specifiedSchema : extendedSchema, call)
  const project = requireProject(id, state)
  const { mode = project.mode, featureNaming: sent = {}, linkTemplates = [] } = settings
  checkRule(sent)
  const { pattern, example, description } = sent
  const featureNaming = pattern
    ? { pattern, example: example || null, description: description || null }
    : { ...project.featureNaming, ...sent }
  state.projects.set(id, { ...project, mode, featureNaming, linkTemplates })
}
