import type { FeatureUsage } from '../../service/schema.ts'
import type { UsageRow } from '../rows.ts'
import type { UsageDocument } from '../document.ts'
import { coverageOf } from '../span.ts'
import { coveredText } from './sentences.ts'
import type { Blocks } from '../../output/blocks.ts'
import type { Printer } from '../../output/printer.ts'
import { joined, linesOf, type Safe, safe, type Sanitizer } from '../../output/text.ts'
import { type TableStyle, usageTable } from './table.ts'
import { textWidth, wrapList, wrapText } from '../../output/width.ts'

/** The name of a flag with facts in parentheses; on a narrow terminal, one below the other. */
export function heading(
  name: Safe,
  facts: readonly Safe[],
  { width, style }: Pick<Printer, 'width' | 'style'>,
): Safe[] {
  if (facts.length === 0) return [style.bold(name)]
  const about = safe`(${joined(facts, ', ')})`
  if (width === undefined || textWidth(name) + 1 + textWidth(about) <= width) {
    return [safe`${style.bold(name)} ${style.dim(about)}`]
  }
  return [...wrapText(name, width).map(style.bold), ...wrapText(about, width).map(style.dim)]
}

function factsOf(
  { data: { version, maturity, lastHourUsage }, span }: UsageDocument,
  window: Safe,
  { text }: Sanitizer,
): Safe[] {
  return [
    ...(lastHourUsage.length === 0 && !span ? [] : [window]),
    ...(version == null ? [] : [safe`schema version ${version}`]),
    ...(maturity == null ? [] : [safe`maturity ${text(maturity)}`]),
  ]
}

function seenBy(usage: FeatureUsage, { text, width }: Printer): Safe {
  const label = safe`Seen by: `
  const applications = usage.seenApplications ?? []
  if (applications.length === 0) return safe`${label}no application`
  return safe`${label}${wrapList(applications.map(text), label.length, width)}`
}

/**
 * The usage of one flag as text: a heading, the table, the applications that have seen the flag.
 * @param rows the rows to show
 */
export function* usageSection(
  document: UsageDocument,
  flag: string,
  rows: readonly UsageRow[],
  tableStyle: Pick<TableStyle, 'by'>,
  printer: Printer,
): Blocks {
  const { text } = printer
  const { data: usage, span } = document
  const records = usage.lastHourUsage
  const window = text(coveredText(span ?? coverageOf(records)))
  const name = text(usage.featureName ?? flag)
  yield linesOf([...heading(name, factsOf(document, window, printer), printer), safe``])
  if (rows.length > 0) yield* usageTable(rows, tableStyle, printer)
  else if (records.length === 0) yield linesOf([safe`No usage ${window}.`])
  else yield linesOf([safe`No usage matches the filters.`])
  // The rows of hourly usage already show all applications.
  if (!span) yield linesOf([safe``, seenBy(usage, printer)])
}
