import type { ChalkInstance } from 'chalk'
import type { FeatureUsage } from '../../service/schema.ts'
import type { UsageRow } from '../rows.ts'
import { type Span, spanText } from '../span.ts'
import { widenWindow, windowText } from '../time.ts'
import type { Blocks } from '../../output/blocks.ts'
import { isolate, safeText } from '../../output/escapes.ts'
import { type TableStyle, usageTable } from './table.ts'
import { textWidth, wrapList, wrapText } from '../../output/width.ts'

/**
 * The name of a flag with facts in parentheses; on a narrow terminal, one below the other.
 * @param name the name, safe to print
 */
export function heading(
  name: string,
  facts: readonly string[],
  width: number | undefined,
  style: ChalkInstance,
): string {
  if (facts.length === 0) return style.bold(name)
  const about = `(${facts.join(', ')})`
  if (width === undefined || textWidth(name) + 1 + textWidth(about) <= width) {
    return `${style.bold(name)} ${style.dim(about)}`
  }
  const [names, lines] = [wrapText(name, width), wrapText(about, width)]
  return [...names.map((line) => style.bold(line)), ...lines.map((line) => style.dim(line))].join(
    '\n',
  )
}

/** What a section shows of a usage document. */
export interface SectionUsage extends FeatureUsage {
  /** What the records cover if they are hourly usage. */
  span: Span | undefined
}

function factsOf(
  { version, maturity, lastHourUsage, span }: SectionUsage,
  window: string,
): string[] {
  return [
    lastHourUsage.length === 0 && !span ? '' : window,
    version == null ? '' : `schema version ${version}`,
    maturity == null ? '' : `maturity ${safeText(maturity)}`,
  ].filter(Boolean)
}

function seenBy(usage: FeatureUsage, width: number | undefined): string {
  const label = 'Seen by: '
  const applications = usage.seenApplications ?? []
  if (applications.length === 0) return `${label}no application`
  return label + wrapList(applications.map(safeText), label.length, width)
}

/**
 * The usage of one flag as text: a heading, the table, the applications that have seen the flag.
 * @param rows the rows to show
 */
export function* usageSection(
  usage: SectionUsage,
  flag: string,
  rows: readonly UsageRow[],
  tableStyle: Pick<TableStyle, 'width' | 'style' | 'by'>,
): Blocks {
  const { width, style } = tableStyle
  const { span } = usage
  const window = span ? spanText(span) : windowText(widenWindow(undefined, usage.lastHourUsage))
  const name = safeText(usage.featureName ?? flag)
  yield isolate(`${heading(name, factsOf(usage, window), width, style)}\n\n`)
  if (rows.length > 0) yield* usageTable(rows, tableStyle)
  else if (usage.lastHourUsage.length === 0) yield `No usage ${window}.\n`
  else yield 'No usage matches the filters.\n'
  // The rows of hourly usage already show all applications.
  if (!span) yield isolate(`\n${seenBy(usage, width)}\n`)
}
