import type { FeatureNaming, LinkTemplate, ProjectSettings } from '../service/schema.ts'
import { plainTemplates, type StoredSettings } from './stored.ts'

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

/** The values of fields; undefined for those that settings leave out. */
export function valuesOf(
  settings: ProjectSettings,
): Record<SettingsField, SettingsValue | undefined> {
  const { mode, featureNaming = {}, linkTemplates } = settings
  return {
    mode,
    'featureNaming.pattern': featureNaming.pattern,
    'featureNaming.example': featureNaming.example,
    'featureNaming.description': featureNaming.description,
    linkTemplates,
  }
}

/** The fields that differ between two states. */
export function changesBetween(before: StoredSettings, after: StoredSettings): FieldChange[] {
  const [old, now] = [valuesOf(before), valuesOf(after)]
  return settingsFields
    .map((field) => ({ field, from: old[field] ?? '', to: now[field] ?? '' }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
}

/** The settings that a request leads to if the service keeps everything else. */
export function withSettings(stored: StoredSettings, wanted: ProjectSettings): StoredSettings {
  const { mode, featureNaming, linkTemplates } = wanted
  return {
    mode: mode ?? stored.mode,
    featureNaming: { ...stored.featureNaming, ...featureNaming },
    linkTemplates: linkTemplates ? plainTemplates(linkTemplates) : stored.linkTemplates,
  }
}

/**
 * A rule with the stored parts that the service would clear or require: a pattern replaces the whole
 * rule, and an example or a description is refused without a pattern.
 */
function wholeRule(stored: Required<FeatureNaming>, wanted: FeatureNaming): FeatureNaming {
  const { pattern, example, description } = wanted
  if (!pattern && !example && !description) return wanted
  const kept = {
    ...(stored.pattern !== '' && { pattern: stored.pattern }),
    ...(stored.example !== '' && { example: stored.example }),
    ...(stored.description !== '' && { description: stored.description }),
  }
  const isComplete = Object.keys(kept).every((field) => field in wanted)
  return isComplete ? wanted : { ...kept, ...wanted }
}

/** The body to send: the wanted settings, and those that the service would otherwise clear. */
export function requestBody(stored: StoredSettings, wanted: ProjectSettings): ProjectSettings {
  const { mode, featureNaming, linkTemplates: wantedTemplates } = wanted
  const kept = stored.linkTemplates.length > 0 ? stored.linkTemplates : undefined
  const linkTemplates = wantedTemplates ?? kept
  return {
    ...(mode !== undefined && { mode }),
    ...(featureNaming && { featureNaming: wholeRule(stored.featureNaming, featureNaming) }),
    ...(linkTemplates && { linkTemplates }),
  }
}

/** The fields that settings have. */
export function declaredFields(settings: ProjectSettings): SettingsField[] {
  const values = valuesOf(settings)
  return settingsFields.filter((field) => values[field] !== undefined)
}

/** The fields that the service has and the wanted settings leave out. */
export function undeclaredFields(stored: StoredSettings, wanted: ProjectSettings): SettingsField[] {
  const declared = declaredFields(wanted)
  const values = valuesOf(stored)
  return settingsFields.filter((field) => values[field]?.length && !declared.includes(field))
}

/** Whether wanted settings declare all that the service has, and nothing else. */
export function declaresExactly(wanted: ProjectSettings, stored: StoredSettings): boolean {
  const changes = changesBetween(stored, withSettings(stored, wanted))
  return changes.length === 0 && undeclaredFields(stored, wanted).length === 0
}
