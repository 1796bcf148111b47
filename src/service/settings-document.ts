import * as v from 'valibot'
import { FlagadmError } from '../errors.ts'
import { checkShape, describeProblem, exactObject } from '../input/shape.ts'
import { projectModes } from './modes.ts'
import type { FeatureNaming, ProjectSettings } from './schema.ts'

const text = v.exactOptional(v.nullable(v.string()))

/** The settings of a project in a file; null unsets a field. */
export const settingsDocumentSchema = exactObject({
  // Any text, because --no-verify sends unknown modes as well; editors offer the examples.
  mode: v.exactOptional(v.pipe(v.string(), v.examples([...projectModes]))),
  featureNaming: v.exactOptional(
    v.nullable(exactObject({ pattern: text, example: text, description: text })),
  ),
  linkTemplates: v.exactOptional(
    v.nullable(v.array(exactObject({ title: text, urlTemplate: v.string() }))),
  ),
})

export type SettingsDocument = v.InferOutput<typeof settingsDocumentSchema>
type RuleDocument = NonNullable<SettingsDocument['featureNaming']>

const noRule = { pattern: '', example: '', description: '' }

/** The rule to request: an empty string for each field that is null. */
function ruleOf(rule: RuleDocument): FeatureNaming {
  return Object.fromEntries(Object.entries(rule).map(([field, value]) => [field, value ?? '']))
}

function linkOf({ title, urlTemplate }: { title?: string | null; urlTemplate: string }) {
  return title == null ? { urlTemplate } : { title, urlTemplate }
}

/** The settings to request for a document: an empty string or list for each field that is null. */
export function settingsOf(document: SettingsDocument): ProjectSettings {
  const { mode, featureNaming, linkTemplates } = document
  return {
    ...(mode !== undefined && { mode }),
    ...(featureNaming !== undefined && {
      featureNaming: featureNaming === null ? noRule : ruleOf(featureNaming),
    }),
    ...(linkTemplates !== undefined && { linkTemplates: (linkTemplates ?? []).map(linkOf) }),
  }
}

/** The fields of a settings document. */
export const settingsHint =
  'the fields are mode, featureNaming with pattern, example, description, and linkTemplates with title, urlTemplate'

/**
 * The settings in a document.
 * @param name what to call the document in errors
 * @throws a usage error with the field that is wrong
 */
export function settingsIn(data: unknown, name: string): ProjectSettings {
  const { data: document, problem } = checkShape(settingsDocumentSchema, data)
  if (document) return settingsOf(document)
  const what = `${name}: ${describeProblem(problem)}`
  throw new FlagadmError('usage', what, { hint: settingsHint })
}
