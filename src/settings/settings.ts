import type { ProjectOverview } from '../service/schema.ts'
import {
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
const settingsFields = [
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

/** The value of a field; undefined if settings leave it out. */
export function fieldValue(settings: PartialSettings, field: SettingsField) {
  if (field === 'mode' || field === 'linkTemplates') return settings[field]
  const part = ruleFields.find((name) => field.endsWith(name)) ?? 'pattern'
  return settings.featureNaming?.[part]
}

/** The fields that settings have. */
export function fieldsOf(settings: PartialSettings): SettingsField[] {
  return settingsFields.filter((field) => fieldValue(settings, field) !== undefined)
}

/** The fields that differ. */
export function changesBetween(before: Settings, after: Settings): FieldChange[] {
  return settingsFields
    .map((field) => {
      return { field, from: fieldValue(before, field) ?? '', to: fieldValue(after, field) ?? '' }
    })
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
}

/** The names of the fields that differ. */
export function differentFields(before: Settings, after: Settings): string[] {
  return changesBetween(before, after).map(({ field }) => field)
}

/** The fields that are set and that the wanted settings leave out. */
export function undeclaredFields(stored: Settings, wanted: PartialSettings): SettingsField[] {
  const declared = fieldsOf(wanted)
  return settingsFields.filter(
    (field) => fieldValue(stored, field)?.length && !declared.includes(field),
  )
}

/** Settings in which others replace those that they have: what is stored if the service keeps everything else. */
export function withSettings<Base extends PartialSettings>(base: Base, over: PartialSettings) {
  const featureNaming = { ...base.featureNaming, ...over.featureNaming }
  const hasRule = base.featureNaming !== undefined || over.featureNaming !== undefined
  return { ...base, ...over, ...(hasRule && { featureNaming }) }
}

/** What to send for the wanted settings: also those that the service would otherwise clear or require. */
export function requestBody(stored: Settings, wanted: PartialSettings): PartialSettings {
  const { mode, featureNaming } = wanted
  const isCleared = ruleFields.every((field) => !featureNaming?.[field])
  // A pattern replaces the whole rule, and an example or a description is refused without a pattern.
  const rule = ruleFields.flatMap((field) => {
    const kept = isCleared ? '' : stored.featureNaming[field]
    const value = featureNaming?.[field] ?? (kept || undefined)
    return value === undefined ? [] : [[field, value] as const]
  })
  const kept = stored.linkTemplates.length > 0 ? stored.linkTemplates : undefined
  const linkTemplates = wanted.linkTemplates ?? kept
  return {
    ...(mode !== undefined && { mode }),
    ...(featureNaming && { featureNaming: Object.fromEntries(rule) }),
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
