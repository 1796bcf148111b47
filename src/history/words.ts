// What changes are, in plain words.
import * as v from 'valibot'
import { type SegmentNames, strategyText } from '../flags/strategies.ts'
import { isObject } from '../input/json.ts'
import { type FlagEvent, strategySchema } from '../service/schema.ts'

/** The kinds of changes, as in `--change`. */
export const kinds = [
  'on',
  'off',
  'strategy',
  'variants',
  'created',
  'archived',
  'revived',
  'deleted',
  'completed',
  'stale',
  'dependency',
  'moved',
  'details',
  'tag',
  'segment',
  'project',
  'environment',
  'change-request',
  'release-plan',
  'other',
] as const

export type Kind = (typeof kinds)[number]

/** The kind of the changes of a type, and what they are. */
const changesByType: Readonly<Record<string, readonly [kind: Kind, words: string]>> = {
  'feature-environment-enabled': ['on', 'switched on'],
  'feature-environment-disabled': ['off', 'switched off'],
  'feature-strategy-add': ['strategy', 'strategy added'],
  'feature-strategy-update': ['strategy', 'strategy changed'],
  'feature-strategy-remove': ['strategy', 'strategy removed'],
  'strategy-order-changed': ['strategy', 'strategies reordered'],
  'default-strategy-updated': ['strategy', 'default strategy changed'],
  'feature-variants-updated': ['variants', 'variants changed'],
  'feature-environment-variants-updated': ['variants', 'variants changed'],
  'feature-created': ['created', 'created'],
  'feature-import': ['created', 'imported'],
  'feature-archived': ['archived', 'archived'],
  'feature-revived': ['revived', 'revived'],
  'feature-deleted': ['deleted', 'deleted'],
  'feature-completed': ['completed', 'completed'],
  'feature-uncompleted': ['completed', 'not completed any more'],
  'feature-stale-on': ['stale', 'marked as stale'],
  'feature-stale-off': ['stale', 'not marked as stale any more'],
  'feature-potentially-stale-on': ['stale', 'older than its type expects'],
  'feature-dependency-added': ['dependency', 'dependency added'],
  'feature-dependency-removed': ['dependency', 'dependency removed'],
  'feature-dependencies-removed': ['dependency', 'all dependencies removed'],
  'feature-project-change': ['moved', 'moved to another project'],
  'feature-metadata-updated': ['details', 'details changed'],
  'feature-updated': ['details', 'details changed'],
  'feature-type-updated': ['details', 'type changed'],
  'feature-link-added': ['details', 'link added'],
  'feature-link-updated': ['details', 'link changed'],
  'feature-link-removed': ['details', 'link removed'],
  'feature-tagged': ['tag', 'tagged'],
  'feature-untagged': ['tag', 'tag removed'],
  'segment-created': ['segment', 'segment created'],
  'segment-updated': ['segment', 'segment changed'],
  'segment-deleted': ['segment', 'segment deleted'],
  'project-created': ['project', 'project created'],
  'project-updated': ['project', 'project changed'],
  'project-deleted': ['project', 'project deleted'],
  'project-archived': ['project', 'project archived'],
  'project-revived': ['project', 'project revived'],
  'project-environment-added': ['environment', 'environment added to the project'],
  'project-environment-removed': ['environment', 'environment taken out of the project'],
}

/** The beginnings of types that have kinds, but no words here. */
const beginnings: readonly (readonly [beginning: string, kind: Kind])[] = [
  ['change-', 'change-request'],
  ['release-plan-', 'release-plan'],
  ['milestone-', 'release-plan'],
  ['safeguard-', 'release-plan'],
  ['environment-', 'environment'],
  ['project-', 'project'],
  ['segment-', 'segment'],
]

export function kindOf({ type }: FlagEvent): Kind {
  const beginning = beginnings.find(([text]) => type.startsWith(text))
  return changesByType[type]?.[0] ?? beginning?.[1] ?? 'other'
}

/** Markdown without emphasis and addresses of links. */
function plainMarkdown(text: string): string {
  return text.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replaceAll(/\*\*|`/g, '')
}

/** What happened; a type that is not known has the words of the service, if it sends some, without who it was. */
export function wordsOf({ type, summary, createdBy }: FlagEvent): string {
  const words = changesByType[type]?.[1]
  if (words !== undefined || !summary) return words ?? type
  const text = plainMarkdown(summary)
  const author = `${createdBy} `
  return text.startsWith(author) ? text.slice(author.length) : text
}

/** A field of a document as text. */
function textIn(document: unknown, key: string): string | undefined {
  const value = isObject(document) ? document[key] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** What the only document of an event says about it, such as the strategy that was removed. */
export function detailOf(
  { type, data, preData }: FlagEvent,
  segments: SegmentNames,
): string | undefined {
  const document = data ?? preData
  switch (type) {
    case 'feature-strategy-add':
    case 'feature-strategy-remove': {
      const { success, output } = v.safeParse(strategySchema, document)
      return success ? strategyText(output, segments) : undefined
    }
    case 'feature-created':
      return textIn(document, 'type')
    case 'feature-completed':
      return textIn(document, 'statusValue') ?? textIn(document, 'status')
    case 'feature-dependency-added':
    case 'feature-dependency-removed':
      return textIn(document, 'feature')
    case 'feature-project-change': {
      const from = textIn(document, 'oldProject')
      const to = textIn(document, 'newProject')
      return from !== undefined && to !== undefined ? `${from} → ${to}` : undefined
    }
    case 'feature-tagged':
    case 'feature-untagged':
      return textIn(document, 'value')
    default:
      return type.startsWith('segment-') ? textIn(document, 'name') : undefined
  }
}
