import * as v from 'valibot'
import { checkShape } from '../input/shape.ts'
import { exactObject, problemText } from './object.ts'
import { Refusal } from './refusal.ts'
import { mergeNaming, namingProblem, type StoredNaming } from './rule.ts'

/** The values that `mode` may have. */
export const modeSchema = v.picklist(['open', 'protected', 'private'])

/** A project as the sandbox keeps it. */
export interface SandboxProject {
  id: string
  mode: v.InferOutput<typeof modeSchema>
  featureNaming: StoredNaming
}

const settingsSchema = exactObject({
  mode: v.exactOptional(modeSchema),
  featureNaming: v.exactOptional(
    exactObject({
      pattern: v.exactOptional(v.string()),
      example: v.exactOptional(v.string()),
      description: v.exactOptional(v.string()),
    }),
  ),
})

type Settings = v.InferOutput<typeof settingsSchema>

/** The body of a settings update, or a 400 that names the offending property. */
export function parseSettings(body: unknown): Settings {
  const { data, problem } = checkShape(settingsSchema, body)
  if (problem) throw new Refusal(400, `Request validation failed: ${problemText(problem)}`)
  return data
}

/** The project after the update; a naming rule that the service would not take is a 400. */
export function updateProject(project: SandboxProject, settings: Settings): SandboxProject {
  const { mode = project.mode, featureNaming = {} } = settings
  const problem = namingProblem(featureNaming)
  if (problem) throw new Refusal(400, `Request validation failed: ${problemText(problem)}`)
  return { ...project, mode, featureNaming: mergeNaming(project.featureNaming, featureNaming) }
}

function values({ mode, featureNaming }: SandboxProject): Record<string, string | null> {
  return {
    mode,
    'featureNaming.pattern': featureNaming.pattern,
    'featureNaming.example': featureNaming.example,
    'featureNaming.description': featureNaming.description,
  }
}

/** What an update changed, for the log: `mode: open → protected`. */
export function changes(before: SandboxProject, after: SandboxProject): string[] {
  const old = values(before)
  return Object.entries(values(after))
    .filter(([field, value]) => value !== old[field])
    .map(([field, value]) => `${field}: ${old[field] ?? 'none'} → ${value ?? 'none'}`)
}
