import type { FeatureUsage } from '../../service/schema.ts'
import type { UsageRow } from '../rows.ts'
import type { UsageDocument } from '../document.ts'
import { coverageOf } from '../span.ts'
import { coveredText } from './sentences.ts'
import type { Blocks } from '../../old/output/blocks.ts'
import type { Printer } from '../../old/output/printer.ts'
import { joined, linesOf, type Safe, safe, type Sanitizer } from '../../old/output/text.ts'
import { textWidth, wrapList, wrappedLines, wrapText } from '../../old/output/width.ts'

/** The name of a flag with facts in parentheses; on a narrow terminal, one below the other. */
function heading(
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

/** The facts about a flag; those that nearly every flag shares only on request. */
function factsOf(
  { data: { version, maturity, lastHourUsage }, span }: UsageDocument,
  window: Safe,
  verbose: boolean,
  { text }: Sanitizer,
): Safe[] {
  return [
    ...(lastHourUsage.length === 0 && !span ? [] : [window]),
    ...(version == null || !verbose ? [] : [safe`schema version ${version}`]),
    ...(maturity == null || (maturity === 'stable' && !verbose)
      ? []
      : [safe`maturity ${text(maturity)}`]),
  ]
}

/** The applications that have seen the flag without using it; none if the rows show all of them. */
function seenBy(usage: FeatureUsage, { text, width }: Printer): Safe[] {
  const shown = new Set(usage.lastHourUsage.map(({ appName }) => appName))
  const applications = (usage.seenApplications ?? []).filter((name) => !shown.has(name))
  if (applications.length === 0) return []
  const label = shown.size === 0 ? safe`Seen by: ` : safe`Also seen by: `
  return [safe``, safe`${label}${wrapList(applications.map(text), label.length, width)}`]
}

/** A flag with its rows, to be shown under a heading. */
export interface FlagSection {
  document: UsageDocument
  flag: string
  /** Undefined if all flags are of the same project, or if it is not known. */
  project: string | undefined
  rows: readonly UsageRow[]
}

/**
 * The usage of a flag as text: a heading, the table, the applications that have only seen the flag.
 * @param table undefined without rows
 */
export function* usageSection(
  { document, flag, project }: FlagSection,
  table: Blocks | undefined,
  verbose: boolean,
  printer: Printer,
): Blocks {
  const { text } = printer
  const { data: usage, span } = document
  const records = usage.lastHourUsage
  const window = text(coveredText(span ?? coverageOf(records)))
  const name = text(usage.featureName ?? flag)
  const place = project === undefined ? [] : [safe`project ${text(project)}`]
  const facts = [...place, ...factsOf(document, window, verbose, printer)]
  yield linesOf([...heading(name, facts, printer), safe``])
  if (table) yield* table
  else if (records.length === 0) yield wrappedLines([safe`No usage ${window}.`], printer.width)
  else yield wrappedLines([safe`No usage matches the filters.`], printer.width)
  // The rows of hourly usage already show all applications.
  if (!span) yield linesOf(seenBy(usage, printer))
}
