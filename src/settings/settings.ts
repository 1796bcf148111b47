import type {
  LinkTemplate,
  PartialSettings,
  Settings,
  SettingsDocument,
} from '../service/settings-document.ts'

export interface StoredProject {
  projectId: string
  settings: Settings
}

/** The fields of settings as documents call them, and their labels in text; those of the naming rule are its own names. */
export const labels = {
  mode: 'mode',
  'featureNaming.pattern': 'pattern',
  'featureNaming.example': 'example',
  'featureNaming.description': 'description',
  linkTemplates: 'links',
} as const

export type SettingsField = keyof typeof labels

export const settingsFields = Object.keys(labels) as SettingsField[]

/** The value of a field; an empty string or list means not set. */
export type SettingsValue = string | LinkTemplate[]

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

export function isRuleField(
  field: SettingsField,
): field is Exclude<SettingsField, 'mode' | 'linkTemplates'> {
  return field !== 'mode' && field !== 'linkTemplates'
}

/** The value of a field; undefined if settings leave it out. */
export function fieldValue(settings: PartialSettings, field: SettingsField) {
  return isRuleField(field) ? settings.featureNaming?.[labels[field]] : settings[field]
}

export function partialSettings(field: SettingsField, value: SettingsValue): PartialSettings {
  return isRuleField(field) ? { featureNaming: { [labels[field]]: value } } : { [field]: value }
}

export function definedFields(settings: PartialSettings): SettingsField[] {
  return settingsFields.filter((field) => fieldValue(settings, field) !== undefined)
}

/** A text without what editors and YAML change when it is copied: its line ends, and those after its last line. */
function copiedText(value: SettingsValue): SettingsValue {
  if (typeof value !== 'string') return value
  return value.replaceAll(/\r\n?/g, '\n').replace(/([^\n])\n+$/, '$1')
}

function isChange({ field, from, to }: FieldChange): boolean {
  // In a pattern or an example, a line end is a character as others are.
  const isProse = field === 'featureNaming.description'
  const [before, after] = isProse ? [copiedText(from), copiedText(to)] : [from, to]
  return JSON.stringify(before) !== JSON.stringify(after)
}

/** The fields that differ; a description does not if only its line ends do. */
export function changesBetween(before: Settings, after: Settings): FieldChange[] {
  return settingsFields
    .map((field): FieldChange => {
      return { field, from: fieldValue(before, field) ?? '', to: fieldValue(after, field) ?? '' }
    })
    .filter(isChange)
}

export function differentFields(before: Settings, after: Settings): string[] {
  return changesBetween(before, after).map(({ field }) => field)
}

/** The fields that are set and that the wanted settings leave out. */
export function undeclaredFields(stored: Settings, wanted: PartialSettings): SettingsField[] {
  return definedFields(stored).filter(
    (field) => fieldValue(stored, field)?.length && fieldValue(wanted, field) === undefined,
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
  const { mode, featureNaming, linkTemplates } = wanted
  const links = linkTemplates ?? stored.linkTemplates
  // A pattern replaces the whole rule, and an example or a description is refused without a pattern.
  const rule = Object.entries({ ...stored.featureNaming, ...featureNaming })
  const sent = rule.filter(([field, text]) => text !== '' || field in (featureNaming ?? {}))
  return {
    ...(mode !== undefined && { mode }),
    ...(featureNaming && { featureNaming: Object.fromEntries(sent) }),
    ...((linkTemplates || links.length > 0) && { linkTemplates: links }),
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

export function projectsDocument(projects: readonly StoredProject[]) {
  const entries = projects.map(({ projectId, settings }) => [projectId, documentOf(settings)])
  return { projects: Object.fromEntries(entries) }
}
