import { groupBy } from '../groups.ts'
import type { FeatureNaming, ProjectSettings } from '../service/schema.ts'
import { settingsOf } from '../service/settings-document.ts'
import { declaredFields, type SettingsField } from './changes.ts'
import {
  documentOf,
  type ProjectsDocument,
  projectsDocument,
  type StoredProject,
} from './stored.ts'

const PLACEHOLDER = '{project}'

/** A project's id as a field of the rule contains it: in a pattern, special characters are escaped. */
function idIn(field: string, projectId: string): string {
  return field === 'pattern' ? projectId.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : projectId
}

/** The defaults for a project: its id replaces `{project}` in the naming rule. */
function defaultsFor(projectId: string, defaults: ProjectSettings): ProjectSettings {
  if (!defaults.featureNaming) return defaults
  const rule = Object.entries(defaults.featureNaming).map(([field, text]) => [
    field,
    text.replaceAll(PLACEHOLDER, () => idIn(field, projectId)),
  ])
  const featureNaming: FeatureNaming = Object.fromEntries(rule)
  return { ...defaults, featureNaming }
}

/** The values that a project declares and inherits, and the fields that it inherits. */
export function inherit(
  projectId: string,
  own: ProjectSettings,
  defaults: ProjectSettings,
): { wanted: ProjectSettings; inherited: SettingsField[] } {
  const filled = defaultsFor(projectId, defaults)
  const featureNaming = { ...filled.featureNaming, ...own.featureNaming }
  const hasRule = Object.keys(featureNaming).length > 0
  const declared = declaredFields(own)
  return {
    wanted: { ...filled, ...own, ...(hasRule && { featureNaming }) },
    inherited: declaredFields(filled).filter((field) => !declared.includes(field)),
  }
}

/** The values from which a project can inherit a text of its rule: the text itself, and one with `{project}`. */
function candidates(field: keyof FeatureNaming, text: string, projectId: string): string[] {
  if (text === '' || text.includes(PLACEHOLDER)) return []
  const general = text.replaceAll(idIn(field, projectId), PLACEHOLDER)
  return general === text ? [text] : [text, general]
}

/** The value that more than half of the projects can inherit, given the candidates of each. */
function mostShared<Value>(projects: readonly Value[][]): Value | undefined {
  const groups = groupBy(projects.flat(), (value) => JSON.stringify(value))
  const [most = []] = [...groups.values()].sort((a, b) => b.length - a.length)
  return most.length > 1 && most.length > projects.length / 2 ? most[0] : undefined
}

/** A document of all projects, with the values that more than half of them share as defaults. */
export function documentWithDefaults(projects: readonly StoredProject[]): ProjectsDocument {
  const sharedText = (field: keyof FeatureNaming) =>
    mostShared(
      projects.map(({ projectId, settings }) =>
        candidates(field, settings.featureNaming[field], projectId),
      ),
    ) ?? ''
  const lists = projects.map(({ settings: { linkTemplates } }) =>
    linkTemplates.length > 0 ? [linkTemplates] : [],
  )
  const defaults = documentOf({
    mode: mostShared(projects.map(({ settings }) => [settings.mode])) ?? '',
    featureNaming: {
      pattern: sharedText('pattern'),
      example: sharedText('example'),
      description: sharedText('description'),
    },
    linkTemplates: mostShared(lists) ?? [],
  })
  const shared = settingsOf(defaults)
  const document = projectsDocument(projects, ({ projectId, settings }) =>
    documentOf(settings, defaultsFor(projectId, shared)),
  )
  return Object.keys(defaults).length > 0 ? { defaults, ...document } : document
}
