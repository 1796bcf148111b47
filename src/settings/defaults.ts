import { escapePattern } from '../input/words.ts'
import type { PartialSettings, SettingsDocument } from '../service/settings-document.ts'
import {
  documentOf,
  fieldValue,
  isRuleField,
  noSettings,
  partialSettings,
  type SettingsField,
  settingsFields,
  type SettingsValue,
  type StoredProject,
  withSettings,
} from './settings.ts'

/** The id of a project as it is in the naming rule: in the pattern, what regular expressions use is escaped. */
export function idIn(field: string, projectId: string): string {
  return field === 'pattern' || field === 'featureNaming.pattern'
    ? escapePattern(projectId)
    : projectId
}

/** The defaults for a project: its id replaces `{project}` in the naming rule, escaped in the pattern. */
export function defaultsFor(
  projectId: string,
  { featureNaming, ...others }: PartialSettings,
): PartialSettings {
  if (!featureNaming) return others
  const rule = Object.entries(featureNaming).map(([field, text]) => {
    return [field, text.replaceAll('{project}', () => idIn(field, projectId))]
  })
  return { ...others, featureNaming: Object.fromEntries(rule) }
}

/** The defaults from which a project would inherit the value of a field: the value itself, and with `{project}` for the id. */
function defaultsGiving(
  field: SettingsField,
  value: SettingsValue,
  projectId: string,
): PartialSettings[] {
  const values = [value]
  if (isRuleField(field) && typeof value === 'string' && projectId !== '') {
    values.push(value.replaceAll(idIn(field, projectId), '{project}'))
  }
  const isEqual = (defaults: PartialSettings) =>
    JSON.stringify(fieldValue(defaultsFor(projectId, defaults), field)) === JSON.stringify(value)
  return values.map((value) => partialSettings(field, value)).filter(isEqual)
}

/** The default of a field that most projects can inherit; none if only one can, or if more projects do not have the field. */
function sharedDefault(
  field: SettingsField,
  projects: readonly StoredProject[],
): PartialSettings | undefined {
  const counts = new Map<string, number>()
  let unset = 0
  for (const { projectId, settings } of projects) {
    const value = fieldValue(settings, field) ?? ''
    if (value.length === 0) {
      unset += 1
      continue
    }
    const keys = defaultsGiving(field, value, projectId).map((defaults) => JSON.stringify(defaults))
    for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const [first] = [...counts].sort(([, a], [, b]) => b - a)
  if (!first) return undefined
  const [defaults, count] = first
  // A project cannot unset a mode that it inherits.
  const isWorthwhile = field === 'mode' ? unset === 0 : count >= unset
  return count > 1 && isWorthwhile ? JSON.parse(defaults) : undefined
}

/** The settings of a project that are not those that it inherits; null unsets one that it does not have. */
function ownSettings({ projectId, settings }: StoredProject, defaults: PartialSettings) {
  const inherited = withSettings(noSettings, defaultsFor(projectId, defaults))
  let differing: PartialSettings = {}
  for (const field of settingsFields) {
    const value = fieldValue(settings, field) ?? ''
    const isInherited = JSON.stringify(value) === JSON.stringify(fieldValue(inherited, field))
    if (!isInherited) differing = withSettings(differing, partialSettings(field, value))
  }
  const { featureNaming, linkTemplates, ...others } = differing
  const rule = Object.entries(featureNaming ?? {}).map(([name, text]) => [name, text || null])
  const document: SettingsDocument = {
    ...others,
    ...(featureNaming && { featureNaming: Object.fromEntries(rule) }),
    ...(linkTemplates && { linkTemplates: linkTemplates.length > 0 ? linkTemplates : null }),
  }
  return document
}

/** The document of several projects, in this order, in which `defaults` has what most of them share. */
export function documentWithDefaults(projects: readonly StoredProject[]) {
  const defaults = settingsFields.reduce<PartialSettings>((shared, field) => {
    return withSettings(shared, sharedDefault(field, projects) ?? {})
  }, {})
  return {
    defaults: documentOf(withSettings(noSettings, defaults)),
    projects: Object.fromEntries(
      projects.map((project) => [project.projectId, ownSettings(project, defaults)]),
    ),
  }
}
