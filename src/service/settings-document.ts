import * as v from 'valibot'
import { FlagadmError, refuseUsage } from '../errors.ts'
import { checkShape, describeProblem, exactObject } from '../input/shape.ts'

/** Modes of a project: section "States and transitions" of the specification. */
export const projectModes = ['open', 'protected', 'private'] as const

export interface LinkTemplate {
  title?: string
  urlTemplate: string
}

export interface FeatureNaming {
  pattern: string
  example: string
  description: string
}

/** The settings of a project; an empty string or list means not set. */
export interface Settings {
  // Any text, because --no-verify sends unknown modes as well.
  mode: string
  featureNaming: FeatureNaming
  // Beyond the specification: docs/unleash.md.
  linkTemplates: LinkTemplate[]
}

/** Some of the settings: those that a document declares, or that a request has. */
export interface PartialSettings {
  mode?: string
  featureNaming?: Partial<FeatureNaming>
  linkTemplates?: LinkTemplate[]
}

// A document unsets a text with null; the service sends null for one that was never set.
const text = v.nullish(v.string())
const rule = { pattern: text, example: text, description: text }
const link = { title: text, urlTemplate: v.string() }

export const settingsDocumentSchema = exactObject({
  mode: v.exactOptional(v.pipe(v.string(), v.examples([...projectModes]))),
  featureNaming: v.nullish(exactObject(rule)),
  linkTemplates: v.nullish(v.array(exactObject(link))),
})

export type SettingsDocument = v.InferOutput<typeof settingsDocumentSchema>

/** The settings in a project overview, which has more fields. */
export const storedSettings = v.object({
  mode: text,
  featureNaming: v.nullish(v.object(rule)),
  linkTemplates: v.nullish(v.array(v.object(link))),
})
type StoredSettings = v.InferOutput<typeof storedSettings>

const noRule = { pattern: '', example: '', description: '' }

/** The settings in a document or an overview: an empty string or list for what is null. */
export function settingsOf({
  mode,
  featureNaming,
  linkTemplates,
}: StoredSettings): PartialSettings {
  const fields = Object.entries(featureNaming ?? noRule)
  return {
    ...(mode != null && { mode }),
    ...(featureNaming !== undefined && {
      featureNaming: Object.fromEntries(fields.map(([field, value]) => [field, value ?? ''])),
    }),
    ...(linkTemplates !== undefined && {
      linkTemplates: (linkTemplates ?? []).map(({ title, urlTemplate }) =>
        title ? { title, urlTemplate } : { urlTemplate },
      ),
    }),
  }
}

/** The error for settings that the service leaves out: they may be set nevertheless. */
export class UnreportedSettings extends FlagadmError {}

/** @throws `UnreportedSettings` for those of the fields that an overview leaves out */
export function requireReported(
  overview: StoredSettings,
  projectId: string,
  fields: readonly (keyof StoredSettings)[],
): void {
  // A service that leaves out only link templates has none, as Unleash before 7.
  const hasLinks = overview.linkTemplates !== undefined || overview.featureNaming === undefined
  const missing = fields.filter((field) => {
    return overview[field] === undefined && (field !== 'linkTemplates' || hasLinks)
  })
  if (missing.length === 0) return
  const what = `the service does not report ${missing.join(', ')}`
  throw new UnreportedSettings('unavailable', what, { projectId })
}

export const settingsHint =
  'the fields are mode, featureNaming with pattern, example, description, and linkTemplates with title, urlTemplate'

/**
 * The settings in a document.
 * @param name what to call the document in errors
 * @throws a usage error with the field that is wrong
 */
export function settingsIn(data: unknown, name: string): PartialSettings {
  const { data: document, problem } = checkShape(settingsDocumentSchema, data)
  if (document) return settingsOf(document)
  const what = `${name}: ${describeProblem(problem)}`
  refuseUsage(what, settingsHint)
}
