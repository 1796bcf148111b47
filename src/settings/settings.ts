import type { ProjectOverview } from '../service/schema.ts'
import {
  type FeatureNaming,
  type LinkTemplate,
  type PartialSettings,
  type Settings,
  type SettingsDocument,
  settingsOf,
} from '../service/settings-document.ts'

/** A project and its settings. */
export interface StoredProject {
  projectId: string
  settings: Settings
}

const ruleFields = ['pattern', 'example', 'description'] as const

/** The fields of settings, as documents call them. */
export const settingsFields = [
  'mode',
  'featureNaming.pattern',
  'featureNaming.example',
  'featureNaming.description',
  'linkTemplates',
] as const

export type SettingsField = (typeof settingsFields)[number]

/** The value of a field; an empty string or list means not set. */
export type SettingsValue = string | LinkTemplate[]

/** A field whose value differs. */
export interface FieldChange {
  field: SettingsField
  from: SettingsValue
  to: SettingsValue
}

export const noSettings: Settings = {
  mode: '',
  featureNaming: { pattern: '', example: '', description: '' },
  linkTemplates: [],
}

/** The settings in a project overview; undefined if it has no mode, which every project has. */
export function overviewSettings(overview: ProjectOverview): Settings | undefined {
  return overview.mode == null ? undefined : withSettings(noSettings, settingsOf(overview))
}

/** The values of fields; undefined for those that settings leave out. */
export function valuesOf({
  mode,
  featureNaming = {},
  linkTemplates,
}: PartialSettings): Record<SettingsField, SettingsValue | undefined> {
  return {
    mode,
    'featureNaming.pattern': featureNaming.pattern,
    'featureNaming.example': featureNaming.example,
    'featureNaming.description': featureNaming.description,
    linkTemplates,
  }
}

/** The fields that differ. */
export function changesBetween(before: Settings, after: Settings): FieldChange[] {
  const [old, now] = [valuesOf(before), valuesOf(after)]
  return settingsFields
    .map((field) => ({ field, from: old[field] ?? '', to: now[field] ?? '' }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
}

/** The names of the fields that differ. */
export function differentFields(before: Settings, after: Settings): string[] {
  return changesBetween(before, after).map(({ field }) => field)
}

/** The fields that settings have. */
export function declaredFields(settings: PartialSettings): SettingsField[] {
  const values = valuesOf(settings)
  return settingsFields.filter((field) => values[field] !== undefined)
}

/** The fields that are set and that the wanted settings leave out. */
export function undeclaredFields(stored: Settings, wanted: PartialSettings): SettingsField[] {
  const declared = declaredFields(wanted)
  const values = valuesOf(stored)
  return settingsFields.filter((field) => values[field]?.length && !declared.includes(field))
}

/** Whether wanted settings declare all that is stored, and nothing else. */
export function declaresExactly(wanted: PartialSettings, stored: Settings): boolean {
  const changes = changesBetween(stored, withSettings(stored, wanted))
  return changes.length === 0 && undeclaredFields(stored, wanted).length === 0
}

/** The settings that a request leads to if the service keeps everything else. */
export function withSettings(stored: Settings, wanted: PartialSettings): Settings {
  return {
    ...stored,
    ...wanted,
    featureNaming: { ...stored.featureNaming, ...wanted.featureNaming },
  }
}

/**
 * A rule with the stored parts that the service would clear or require: a pattern replaces the whole
 * rule, and an example or a description is refused without a pattern.
 */
function wholeRule(stored: FeatureNaming, wanted: Partial<FeatureNaming>) {
  if (ruleFields.every((field) => !wanted[field])) return wanted
  const values = ruleFields.map((field) => [field, wanted[field] ?? (stored[field] || undefined)])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** What to send for the wanted settings: also those that the service would otherwise clear. */
export function requestBody(stored: Settings, wanted: PartialSettings): PartialSettings {
  const { mode, featureNaming } = wanted
  const kept = stored.linkTemplates.length > 0 ? stored.linkTemplates : undefined
  const linkTemplates = wanted.linkTemplates ?? kept
  return {
    ...(mode !== undefined && { mode }),
    ...(featureNaming && { featureNaming: wholeRule(stored.featureNaming, featureNaming) }),
    ...(linkTemplates && { linkTemplates }),
  }
}

/** Settings as a document, without the fields that are not set. */
export function documentOf({ mode, featureNaming, linkTemplates }: Settings): SettingsDocument {
  const rule = Object.entries(featureNaming).filter(([, text]) => text !== '')
  return {
    ...(mode !== '' && { mode }),
    ...(rule.length > 0 && { featureNaming: Object.fromEntries(rule) }),
    ...(linkTemplates.length > 0 && { linkTemplates }),
  }
}

/** Settings as a document with null for what is not set, for example to restore them. */
export function explicitDocumentOf(settings: PartialSettings): SettingsDocument {
  const rule = Object.entries(settings.featureNaming ?? {}).map(([field, text]) => {
    return [field, text || null] as const
  })
  return { ...settings, ...(rule.length > 0 && { featureNaming: Object.fromEntries(rule) }) }
}

/** The document of several projects, in this order. */
export function projectsDocument(projects: readonly StoredProject[]) {
  const entries = projects.map(({ projectId, settings }) => [projectId, documentOf(settings)])
  return { projects: Object.fromEntries(entries) }
}
