import * as v from 'valibot'
import { checkShape, describeProblem, exactObject, type Problem } from '../input/shape.ts'
import { Refusal } from './http.ts'
import { mergeNaming, namingProblem, type StoredNaming } from './rule.ts'

/** The refusal of a request whose body has a problem. */
export function invalidRequest(problem: Problem): Refusal {
  return new Refusal(400, `Request validation failed: ${describeProblem(problem)}`)
}

/** The values that `mode` may have. */
export const modeSchema = v.picklist(['open', 'protected', 'private'])

/** A project as the sandbox keeps it. */
export interface SandboxProject {
  id: string
  name: string
  description: string | null
  mode: v.InferOutput<typeof modeSchema>
  featureNaming: StoredNaming
  linkTemplates: v.InferOutput<typeof linkTemplateSchema>[]
}

const specified = {
  mode: v.exactOptional(modeSchema),
  featureNaming: v.exactOptional(
    exactObject({
      pattern: v.exactOptional(v.string()),
      example: v.exactOptional(v.string()),
      description: v.exactOptional(v.string()),
    }),
  ),
}

const linkTemplateSchema = exactObject({
  title: v.exactOptional(v.nullable(v.string())),
  urlTemplate: v.string(),
})

const specifiedSchema = exactObject(specified)
const extendedSchema = exactObject({
  ...specified,
  linkTemplates: v.exactOptional(v.array(linkTemplateSchema)),
})

type Settings = v.InferOutput<typeof extendedSchema>

/**
 * The body of a settings update, or a 400 with the offending property.
 * @param specOnly rejects `linkTemplates`, which is not in the specification
 */
export function parseSettings(body: unknown, specOnly: boolean): Settings {
  const { data, problem } = checkShape(specOnly ? specifiedSchema : extendedSchema, body)
  if (problem) throw invalidRequest(problem)
  return data
}

/** The project after the update; a naming rule that the service rejects is a 400. */
export function updateProject(project: SandboxProject, settings: Settings): SandboxProject {
  // Like the real service, an update that leaves link templates out removes them.
  const { mode = project.mode, featureNaming = {}, linkTemplates = [] } = settings
  const problem = namingProblem(featureNaming)
  if (problem) throw invalidRequest(problem)
  const naming = mergeNaming(project.featureNaming, featureNaming)
  return { ...project, mode, featureNaming: naming, linkTemplates }
}

function values({ mode, featureNaming, linkTemplates }: SandboxProject): Record<string, string> {
  const { pattern, example, description } = featureNaming
  return {
    mode,
    'featureNaming.pattern': pattern || 'none',
    'featureNaming.example': example || 'none',
    'featureNaming.description': description || 'none',
    linkTemplates: linkTemplates.length > 0 ? JSON.stringify(linkTemplates) : 'none',
  }
}

/** The changes of an update, for the log: `mode: open → protected`. */
export function changeTexts(before: SandboxProject, after: SandboxProject): string[] {
  const old = values(before)
  return Object.entries(values(after))
    .filter(([field, value]) => value !== old[field])
    .map(([field, value]) => `${field}: ${old[field]} → ${value}`)
}
