import { type FlagadmError, problemText } from '../../errors.ts'
import { maxRuleLength } from '../../naming/engine/rule.ts'
import { fieldLines } from '../../output/fields.ts'
import type { Printer } from '../../output/printer.ts'
import { joined, padEnd, type Safe, safe, type Sanitizer } from '../../output/text.ts'
import type { LinkTemplate } from '../../service/schema.ts'
import { type Change, settingsFields, type SettingsField, type SettingsValue } from '../changes.ts'

/** The labels that text output shows instead of the paths of fields. */
export const fieldLabels: Record<SettingsField, Safe> = {
  mode: safe`mode`,
  'featureNaming.pattern': safe`pattern`,
  'featureNaming.example': safe`example`,
  'featureNaming.description': safe`description`,
  linkTemplates: safe`links`,
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
 * Values as lines with aligned labels.
 * @param unset what to show for an empty value; without it, such a field is left out
 */
export function fieldsText(
  values: Record<SettingsField, SettingsValue | undefined>,
  unset: Safe | undefined,
  printer: Printer,
): Safe[] {
  const shown = (value: SettingsValue | undefined) => {
    if (value === undefined) return undefined
    return value.length === 0 ? unset : joined(valueLines(value, printer), '\n')
  }
  const rows = settingsFields.map((field) => [fieldLabels[field], shown(values[field])] as const)
  return fieldLines(rows, '  ', printer.width)
}

/** Both values in a form that shows the difference, which may be trailing space or a trailing line break. */
function distinct({ from, to }: Change, sanitizer: Sanitizer): [old: Safe[], now: Safe[]] {
  const [old, now] = [valueLines(from, sanitizer), valueLines(to, sanitizer)]
  if (joined(old, '\n') !== joined(now, '\n')) return [old, now]
  if (Math.max(from.length, to.length) > maxRuleLength) {
    return [old, [safe`another text with the same first ${maxRuleLength} characters`]]
  }
  return [[sanitizer.text(JSON.stringify(from))], [sanitizer.text(JSON.stringify(to))]]
}

function changeLines(change: Change, printer: Printer): Safe[] {
  const { style } = printer
  const label = padEnd(fieldLabels[change.field], LABEL_WIDTH)
  const [old, now] = distinct(change, printer)
  const [oldLine, newLine] = [old[0], now[0]]
  if (old.length === 1 && now.length === 1 && oldLine !== undefined && newLine !== undefined) {
    return [safe`${label}${oldLine} → ${newLine}`]
  }
  const lines = [
    ...old.map((line) => style.red(safe`- ${line}`)),
    ...now.map((line) => style.green(safe`+ ${line}`)),
  ]
  const indent = padEnd(safe``, LABEL_WIDTH)
  return lines.map((line, index) => safe`${index === 0 ? label : indent}${line}`)
}

/** Changes as lines: `mode  open → protected`; a value of several lines in the style of a diff. */
export function changesText(changes: readonly Change[], printer: Printer): Safe[] {
  return changes.flatMap((change) => changeLines(change, printer)).map((line) => safe`  ${line}`)
}

/** Why a project could not be read or changed, on one line. For an unknown project, it has the closest one. */
export function failureText(failure: FlagadmError): string {
  const { kind, service, message, hint } = failure
  return kind === 'notFound' && !service ? `${message}; ${hint}` : problemText(failure)
}

/** A change as JSON data: null where a field is not set. */
export function changeJson({ field, from, to }: Change): object {
  const value = (one: SettingsValue) => (one.length === 0 ? null : one)
  return { field, from: value(from), to: value(to) }
}
