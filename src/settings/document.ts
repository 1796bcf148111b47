import * as v from 'valibot'
import { isObject } from '../input/json.ts'
import { projectModes } from '../service/modes.ts'
import type { ProjectSettings } from '../service/schema.ts'
import type { StoredSettings } from './stored.ts'

/** An object with these fields and no others; valibot's own object schemas accept arrays, too. */
function exactObject<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(v.unknown(), v.check(isObject, 'expected an object'), v.strictObject(entries))
}

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

function ruleOf({ pattern, example, description }: RuleDocument) {
  return {
    ...(pattern !== undefined && { pattern: pattern ?? '' }),
    ...(example !== undefined && { example: example ?? '' }),
    ...(description !== undefined && { description: description ?? '' }),
  }
}

function linkOf({ title, urlTemplate }: { title?: string | null; urlTemplate: string }) {
  return title == null ? { urlTemplate } : { title, urlTemplate }
}

/** What to request for a document: an empty string or list for each field that is null. */
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

/** Stored settings as a document, without the fields that are not set. */
export function documentOf({ mode, featureNaming, linkTemplates }: StoredSettings) {
  const { pattern, example, description } = featureNaming
  const rule = {
    ...(pattern !== '' && { pattern }),
    ...(example !== '' && { example }),
    ...(description !== '' && { description }),
  }
  return {
    mode,
    ...(Object.keys(rule).length > 0 && { featureNaming: rule }),
    ...(linkTemplates.length > 0 && { linkTemplates }),
  } satisfies SettingsDocument
}

/** Stored settings as a document that restores them: null for the fields that are not set. */
export function undoDocumentOf({ mode, featureNaming, linkTemplates }: StoredSettings) {
  const { pattern, example, description } = featureNaming
  return {
    mode,
    featureNaming: {
      pattern: pattern || null,
      example: example || null,
      description: description || null,
    },
    linkTemplates: linkTemplates.length > 0 ? linkTemplates : null,
  } satisfies SettingsDocument
}

/** Documents of several projects: the form that `plan` and `apply` accept. */
export interface ProjectsDocument {
  projects: Record<string, SettingsDocument>
}

/** The document of several projects, in this order. */
export function projectsDocument(
  projects: readonly (readonly [id: string, settings: SettingsDocument])[],
): ProjectsDocument {
  return { projects: Object.fromEntries(projects) }
}
