import type { SettingsDocument } from '../service/settings-document.ts'
import type {
  FeatureNaming,
  LinkTemplate,
  ProjectOverview,
  ProjectSettings,
} from '../service/schema.ts'

/** The settings of a project as the service stores them. An empty string or list means not set. */
export interface StoredSettings {
  mode: string
  featureNaming: Required<FeatureNaming>
  linkTemplates: LinkTemplate[]
}

/** A project and its stored settings. */
export interface StoredProject {
  projectId: string
  settings: StoredSettings
}

/** Link templates without titles that are null or empty. */
export function plainTemplates(
  templates: NonNullable<ProjectOverview['linkTemplates']>,
): LinkTemplate[] {
  return templates.map(({ title, urlTemplate }) =>
    title ? { title, urlTemplate } : { urlTemplate },
  )
}

/**
 * The settings in a project overview; undefined if it has no mode, which every project has. A rule that
 * was cleared is empty, one that was never set is null.
 */
export function storedSettings(overview: ProjectOverview): StoredSettings | undefined {
  const { mode, featureNaming, linkTemplates } = overview
  if (mode == null) return undefined
  const { pattern, example, description } = featureNaming ?? {}
  return {
    mode,
    featureNaming: {
      pattern: pattern ?? '',
      example: example ?? '',
      description: description ?? '',
    },
    linkTemplates: plainTemplates(linkTemplates ?? []),
  }
}

const ruleFields = ['pattern', 'example', 'description'] as const

/** The value to declare: undefined if it is inherited or not set, null to unset what is inherited. */
function declaredValue<Value extends string | LinkTemplate[]>(
  value: Value,
  inherited: Value | undefined,
): Value | null | undefined {
  if (JSON.stringify(value) === JSON.stringify(inherited)) return undefined
  if (value.length > 0) return value
  return inherited === undefined ? undefined : null
}

/** Stored settings as a document, without the fields that are inherited or not set. */
export function documentOf(
  settings: StoredSettings,
  inherited: ProjectSettings = {},
): SettingsDocument {
  const mode = declaredValue(settings.mode, inherited.mode)
  const rule = ruleFields.flatMap((field) => {
    const value = declaredValue(settings.featureNaming[field], inherited.featureNaming?.[field])
    return value === undefined ? [] : [[field, value] as const]
  })
  const linkTemplates = declaredValue(settings.linkTemplates, inherited.linkTemplates)
  return {
    ...(mode && { mode }),
    ...(rule.length > 0 && { featureNaming: Object.fromEntries(rule) }),
    ...(linkTemplates !== undefined && { linkTemplates }),
  }
}

/** Stored settings as a document that restores them: null for the fields that are not set. */
export function undoDocumentOf(settings: StoredSettings): SettingsDocument {
  const { featureNaming, linkTemplates = null, ...mode } = documentOf(settings)
  const rule = { pattern: null, example: null, description: null, ...featureNaming }
  return { ...mode, featureNaming: rule, linkTemplates }
}

/** Documents of several projects: the form that `plan` and `apply` accept. */
export interface ProjectsDocument {
  defaults?: SettingsDocument
  projects: Record<string, SettingsDocument>
}

/** The document of several projects, in this order. */
export function projectsDocument(
  projects: readonly StoredProject[],
  settingsOf = ({ settings }: StoredProject) => documentOf(settings),
): ProjectsDocument {
  const entries = projects.map((project) => [project.projectId, settingsOf(project)])
  return { projects: Object.fromEntries(entries) }
}
