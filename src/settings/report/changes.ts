import { type FlagadmError, problemText } from '../../errors.ts'
import { maxRuleLength } from '../../naming/rule.ts'
import { fieldLines } from '../../old/output/fields.ts'
import type { Printer } from '../../old/output/printer.ts'
import type { Paint } from '../../old/output/style.ts'
import { joined, padEnd, repeated, type Safe, safe, type Sanitizer } from '../../old/output/text.ts'
import { cutText, textWidth, wrapIndented } from '../../old/output/width.ts'
import type { LinkTemplate, ProjectSettings } from '../../service/schema.ts'
import {
  type FieldChange,
  settingsFields,
  type SettingsField,
  type SettingsValue,
  valuesOf,
} from '../changes.ts'

/** The labels that text output shows instead of the paths of fields. */
export const fieldLabels: Record<SettingsField, Safe> = {
  mode: safe`mode`,
  'featureNaming.pattern': safe`pattern`,
  'featureNaming.example': safe`example`,
  'featureNaming.description': safe`description`,
  linkTemplates: safe`links`,
}

const INDENT = safe`  `
const LABEL_WIDTH = 13
// Without a terminal, longer changes are printed like a diff.
const MAX_LINE = 100

/** Text that is not too long to show in full, or its beginning. */
export function shownPart(text: string): string {
  if (text.length <= maxRuleLength) return text
  return `${text.slice(0, maxRuleLength)}… (${text.length} characters)`
}

/** Blanks alone would not be visible. */
function isBlank(text: string): boolean {
  return text.trim() === ''
}

function visibleText(value: string, { text }: Sanitizer): Safe {
  return text(isBlank(value) ? JSON.stringify(value) : value)
}

function linkText({ title, urlTemplate }: LinkTemplate, sanitizer: Sanitizer): Safe {
  const url = visibleText(urlTemplate, sanitizer)
  return title ? safe`${visibleText(title, sanitizer)}: ${url}` : url
}

/** The lines of a value. */
function valueLines(value: SettingsValue, sanitizer: Sanitizer): Safe[] {
  if (value.length === 0) return [safe`(unset)`]
  if (typeof value !== 'string') return value.map((link) => linkText(link, sanitizer))
  const shown = shownPart(value)
  if (isBlank(shown)) return [visibleText(shown, sanitizer)]
  return sanitizer.lines(shown.trimEnd())
}

/**
 * Settings as lines with aligned labels.
 * @param unset what to show for an empty value; without it, such a field is left out
 */
export function fieldsText(
  settings: ProjectSettings,
  unset: Safe | undefined,
  printer: Printer,
): Safe[] {
  const values = valuesOf(settings)
  const shown = (value: SettingsValue | undefined) => {
    if (value === undefined) return undefined
    return value.length === 0 ? unset : joined(valueLines(value, printer), '\n')
  }
  const rows = settingsFields.map((field) => [fieldLabels[field], shown(values[field])] as const)
  return fieldLines(rows, INDENT, printer.width)
}

/** Both values in a form that shows the difference, which may be trailing space or a trailing line break. */
function distinct({ from, to }: FieldChange, sanitizer: Sanitizer): [old: Safe[], now: Safe[]] {
  const [old, now] = [valueLines(from, sanitizer), valueLines(to, sanitizer)]
  if (joined(old, '\n') !== joined(now, '\n')) return [old, now]
  if (Math.max(from.length, to.length) > maxRuleLength) {
    return [old, [safe`another text with the same first ${maxRuleLength} characters`]]
  }
  return [[sanitizer.text(JSON.stringify(from))], [sanitizer.text(JSON.stringify(to))]]
}

/** The start and the end of the part of a text that another one does not have, at least one character. */
function changedPart(old: string, now: string): [start: number, end: number] {
  const shorter = Math.min(old.length, now.length)
  let start = 0
  while (start < shorter && old[start] === now[start]) start++
  let same = 0
  while (same < shorter - start && old.at(-1 - same) === now.at(-1 - same)) same++
  return [start, Math.max(start + 1, now.length - same)]
}

/** The `^` marks to show below each line of a text, for a part of that text. */
function marksBelow(lines: readonly Safe[], start: number, end: number): (Safe | undefined)[] {
  let offset = 0
  return lines.map((line, index) => {
    const [from, to] = [Math.max(0, start - offset), end - offset]
    offset += line.length
    // The mark of a removed end is after the last line.
    if (to <= 0 || (from >= line.length && index < lines.length - 1)) return undefined
    const blanks = repeated(safe` `, textWidth(line.slice(0, from)))
    return safe`${blanks}${repeated(safe`^`, Math.max(1, textWidth(line.slice(from, to))))}`
  })
}

/** The lines of one text in the style of a diff, with its sign before the first one. */
function signed(lines: readonly Safe[], sign: Safe, paint: Paint): Safe[] {
  return lines.map((line, index) => paint(safe`${index === 0 ? sign : safe`  `}${line}`))
}

/** The lines of a changed pattern, with marks below what is new. Patterns are whole without a terminal, so that they can be copied. */
function patternLines(old: Safe, now: Safe, { style, width }: Printer, room: number): Safe[] {
  // One column is for the sign, one for a blank, and one for a mark after the end.
  const columns = width && room - 3
  const [removed, added] = [cutText(old, columns), cutText(now, columns)]
  const marks = marksBelow(added, ...changedPart(joined(removed), joined(added)))
  const lines = signed(added, safe`+ `, style.green).flatMap((line, index) => {
    const mark = marks[index]
    return mark === undefined ? [line] : [line, safe`  ${mark}`]
  })
  return [...signed(removed, safe`- `, style.red), ...lines]
}

/** The lines of a change without its label: on one line if that is short, otherwise in the style of a diff. */
function differenceLines(change: FieldChange, printer: Printer): Safe[] {
  const { style, width } = printer
  const room = (width ?? MAX_LINE) - INDENT.length - LABEL_WIDTH
  const wrapped = (lines: readonly Safe[], sign: Safe, paint: Paint) =>
    lines.flatMap((line) => signed(wrapIndented(line, width && room - 2), sign, paint))
  const [old, now] = distinct(change, printer)
  const removed = wrapped(old, safe`- `, style.red)
  const added = wrapped(now, safe`+ `, style.green)
  const [oldLine, newLine] = [old, now].map((lines) => (lines.length === 1 ? lines[0] : undefined))
  if (change.to.length === 0) {
    const title = style.red(safe`removed:`)
    const line = safe`${title} ${oldLine ?? safe``}`
    return oldLine !== undefined && textWidth(line) <= room ? [line] : [title, ...removed]
  }
  if (change.from.length === 0) return added
  if (oldLine === undefined || newLine === undefined) return [...removed, ...added]
  if (change.field === 'featureNaming.pattern') return patternLines(oldLine, newLine, printer, room)
  const line = safe`${oldLine} → ${newLine}`
  return textWidth(line) <= room ? [line] : [...removed, ...added]
}

/** Changes as lines with aligned labels: `mode  open → protected`. */
export function changesText(changes: readonly FieldChange[], printer: Printer): Safe[] {
  return changes.flatMap((change) =>
    differenceLines(change, printer).map((line, index) => {
      const label = index === 0 ? fieldLabels[change.field] : safe``
      return safe`${INDENT}${padEnd(label, LABEL_WIDTH)}${line}`
    }),
  )
}

/** Why a project could not be read or changed, on one line. For an unknown project, it has the closest one. */
export function failureText(failure: FlagadmError): string {
  const { kind, service, message, hint } = failure
  return kind === 'notFound' && !service ? `${message}; ${hint}` : problemText(failure)
}

/** A change as JSON data: null where a field is not set. */
export function changeJson({ field, from, to }: FieldChange): object {
  const value = (one: SettingsValue) => (one.length === 0 ? null : one)
  return { field, from: value(from), to: value(to) }
}
