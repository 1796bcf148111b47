import type { Line, Part } from '../output/text.ts'
import type { LinkTemplate, PartialSettings } from '../service/settings-document.ts'
import {
  definedFields,
  type FieldChange,
  fieldValue,
  labels,
  type SettingsField,
  type SettingsValue,
} from './settings.ts'

const LABEL_WIDTH = 13
function labelled(field?: SettingsField): string {
  return `  ${(field ? labels[field] : '').padEnd(LABEL_WIDTH)}`
}

/** Text on one line: in quotes if its blanks or line breaks would not be visible. */
function visible(text: string): string {
  return /^$|^\s|\s$|[\n\r\t]/.test(text) ? JSON.stringify(text) : text
}

function linkText({ title, urlTemplate }: LinkTemplate): string {
  return (title ? `${visible(title)}: ` : '') + visible(urlTemplate)
}

function valuePart(value: SettingsValue): Part {
  if (value.length === 0) return { dim: '(unset)' }
  return typeof value === 'string' ? visible(value) : value.map(linkText).join(', ')
}

function isMultiline(value: SettingsValue): boolean {
  return typeof value === 'string' && value.trimEnd().includes('\n')
}

/** A value without the line break at its end, which YAML adds to a block of text. */
function withoutLastBreak(value: SettingsValue): SettingsValue {
  return typeof value === 'string' ? value.replace(/\n$/, '') : value
}

/** The values of a change to show; both whole if only the last line break changes. */
function shownValues({ from, to }: FieldChange): readonly [SettingsValue, SettingsValue] {
  const [before, after] = [withoutLastBreak(from), withoutLastBreak(to)]
  return before === after ? [from, to] : [before, after]
}

/** The lines of a value, after a mark; none if it is not set. */
function markedLines(value: SettingsValue, mark: '-' | '+'): Line[] {
  if (typeof value !== 'string' || value === '') return []
  const style = mark === '-' ? 'red' : 'green'
  return value.split('\n').map((line) => ['    ', { [style]: `${mark} ${visible(line)}` }])
}

/**
 * Changes, one per line: `mode  open → protected`. A text of several lines is shown as lines with - and +.
 * @param notes what to add to a line, in parentheses
 */
export function changeLines(
  changes: readonly FieldChange[],
  notes: (field: SettingsField) => readonly Part[] = () => [],
): Line[] {
  return changes.flatMap((change): Line[] => {
    const { field } = change
    const [from, to] = shownValues(change)
    const more = notes(field).flatMap((note, index) => [index === 0 ? ' (' : '; ', note])
    const end = more.length > 0 ? [...more, ')'] : []
    if (isMultiline(from) || isMultiline(to)) {
      const head = [`  ${labels[field]}`, ...end]
      return [head, ...markedLines(from, '-'), ...markedLines(to, '+')]
    }
    return [[labelled(field), valuePart(from), ' → ', valuePart(to), ...end]]
  })
}

/** Settings as lines with labels. @param unset what to show for an empty value; by default, it is left out */
export function settingsLines(settings: PartialSettings, unset?: Part): Line[] {
  return definedFields(settings).flatMap((field): Line[] => {
    const value = fieldValue(settings, field) ?? ''
    if (value.length === 0) return unset === undefined ? [] : [[labelled(field), unset]]
    const texts = typeof value === 'string' ? value.trimEnd().split(/\r?\n/) : value.map(linkText)
    return texts.map((text, index) => [index === 0 ? labelled(field) : labelled(), text])
  })
}

/** A change as JSON data: null where a field is not set. */
export function changeJson({ field, from, to }: FieldChange) {
  return { field, from: from.length > 0 ? from : null, to: to.length > 0 ? to : null }
}
