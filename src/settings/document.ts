import type { SettingsDocument } from '../service/settings-document.ts'
import type { StoredSettings } from './stored.ts'

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
