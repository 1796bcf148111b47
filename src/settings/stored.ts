import type { FeatureNaming, LinkTemplate, ProjectOverview } from '../service/schema.ts'

/** The settings of a project as the service stores them. An empty string or list means not set. */
export interface StoredSettings {
  mode: string
  featureNaming: Required<FeatureNaming>
  linkTemplates: LinkTemplate[]
}

interface ReadTemplate {
  title?: string | null | undefined
  urlTemplate: string
}

/** Link templates without titles that are null or empty. */
export function plainTemplates(templates: readonly ReadTemplate[]): LinkTemplate[] {
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
