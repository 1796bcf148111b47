import type { ChalkInstance } from 'chalk'
import type { LinkTemplate } from '../../service/schema.ts'
import type { Change, SettingsField, SettingsValue } from '../changes.ts'
import { maxRuleLength } from '../../naming/engine/rule.ts'
import { safeText } from '../../output/escapes.ts'

/** The labels that text output shows instead of the paths of fields. */
export const fieldLabels: Record<SettingsField, string> = {
  mode: 'mode',
  'featureNaming.pattern': 'pattern',
  'featureNaming.example': 'example',
  'featureNaming.description': 'description',
  linkTemplates: 'links',
}

const LABEL_WIDTH = 13

/** Text that is not too long to show in full, or its beginning. */
export function shownPart(text: string): string {
  if (text.length <= maxRuleLength) return text
  return `${text.slice(0, maxRuleLength)}… (${text.length} characters)`
}

/** Blanks alone would not be visible. */
function isBlank(text: string): boolean {
  return text.trim() === ''
}

function visibleText(text: string): string {
  return safeText(isBlank(text) ? JSON.stringify(text) : text)
}

function linkText({ title, urlTemplate }: LinkTemplate): string {
  const url = visibleText(urlTemplate)
  return title ? `${visibleText(title)}: ${url}` : url
}

/** The lines of a value, safe to print. */
export function valueLines(value: SettingsValue): string[] {
  if (value.length === 0) return ['(unset)']
  if (typeof value !== 'string') return value.map(linkText)
  const shown = shownPart(value)
  if (isBlank(shown)) return [visibleText(shown)]
  return shown.trimEnd().split(/\r?\n/).map(safeText)
}

/** Both values in a form that shows the difference, which may be trailing space or a trailing line break. */
function distinct({ from, to }: Change): [old: string[], now: string[]] {
  const [old, now] = [valueLines(from), valueLines(to)]
  if (old.join('\n') !== now.join('\n')) return [old, now]
  if (Math.max(from.length, to.length) > maxRuleLength) {
    return [old, [`another text with the same first ${maxRuleLength} characters`]]
  }
  return [[safeText(JSON.stringify(from))], [safeText(JSON.stringify(to))]]
}

function changeLines(change: Change, style: ChalkInstance): string[] {
  const label = fieldLabels[change.field].padEnd(LABEL_WIDTH)
  const [old, now] = distinct(change)
  const [first = '', ...others] =
    old.length === 1 && now.length === 1
      ? [`${old[0]} → ${now[0]}`]
      : [
          ...old.map((line) => style.red(`- ${line}`)),
          ...now.map((line) => style.green(`+ ${line}`)),
        ]
  return [label + first, ...others.map((line) => ' '.repeat(LABEL_WIDTH) + line)]
}

/** Changes as lines: `mode  open → protected`; a value of several lines in the style of a diff. */
export function changesText(
  changes: readonly Change[],
  style: ChalkInstance,
  indent = '  ',
): string[] {
  return changes.flatMap((change) => changeLines(change, style)).map((line) => indent + line)
}

/** A change as JSON data: null where a field is not set. */
export function changeJson({ field, from, to }: Change): object {
  const value = (one: SettingsValue) => (one.length === 0 ? null : one)
  return { field, from: value(from), to: value(to) }
}
