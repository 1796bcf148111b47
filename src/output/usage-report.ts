import type { ChalkInstance } from 'chalk'
import type { FormatOf } from '../formats.ts'
import type { Redactor } from '../redact.ts'
import type { ServiceDocument } from '../service/client.ts'
import type { FeatureUsage } from '../service/schema.ts'
import { arrangeRows, type FlagRows, keepsFlag } from '../usage/arrange.ts'
import type { UsageRow } from '../usage/rows.ts'
import { widenWindow, type Window, windowText } from '../usage/time.ts'
import { type Span, spanText, widerSpan } from '../usage/span.ts'
import type { Layout, UsageView } from '../usage/view.ts'
import { counted } from '../phrases.ts'
import { inBlocks } from './blocks.ts'
import { serviceDocument, usageJsonl } from './json.ts'
import { isolate, safeText } from './text.ts'

/** The usage of a flag as the service sent it. */
export interface UsageDocument extends ServiceDocument<FeatureUsage> {
  /** What the records cover if they are hourly usage. */
  span?: Span
}

/** How many of the requested flags are in use, unused, or could not be read. */
export interface Tally {
  requested: number
  used: number
  unused: number
  failed: number
}

/** Turns readings into the text of a format, which is rendered in blocks while it is written. */
export interface UsageReport {
  /** @param rows the rows that the filters keep */
  add(name: string, document: UsageDocument, rows: readonly UsageRow[]): Iterable<string>
  end(tally: Tally): Iterable<string>
}

/** Where a report is printed. */
export interface Medium {
  /** Columns of the terminal; undefined without a terminal, where nothing is shortened. */
  width: number | undefined
  style: ChalkInstance
}

/** What a report needs to know about the run. */
export interface ReportOptions {
  view: UsageView
  layout: Layout
  several: boolean
  /** Whether usage is hourly. */
  isHourly: boolean
  /** The service, as `production, https://flags.example.com`. */
  target: string
  /** Loads the colours, which only tables need. */
  medium(): Promise<Medium>
}

/** The documents of the service, unchanged. */
function documentReport({ several }: ReportOptions, redactor: Redactor): UsageReport {
  return {
    add: (_name, { json }) => [serviceDocument(json, several, redactor)],
    end: () => [],
  }
}

function summary({ requested, used, unused, failed }: Tally): string {
  const parts = [`${used} in use`, `${unused} unused`, ...(failed > 0 ? [`${failed} failed`] : [])]
  return requested > 1 ? `\n${requested} flags: ${parts.join(', ')}\n` : ''
}

/** A note that the total does not cover all rows. */
function cutNote(cut: number): string {
  if (cut === 0) return ''
  return `\n${counted(cut, 'more row')} not shown (--limit); the total covers only those shown\n`
}

/** The sentence for a report without any rows. */
export function nothingToShow({ usage }: Pick<UsageView, 'usage'>): string {
  if (usage === undefined) return 'No usage to show.'
  return usage === 'used' ? 'No flag is in use.' : 'No flag is unused.'
}

/** A heading and a table for each flag. */
async function sectionReport(
  { view, target, medium: openMedium }: ReportOptions,
  { redactAll }: Redactor,
): Promise<UsageReport> {
  const { usageSection } = await import('./usage-section.ts')
  const medium = await openMedium()
  let sections = 0
  let gap = `Usage on ${safeText(target)}\n\n`
  return {
    *add(flag, { data: { lastHourUsage, ...facts }, span }, rows) {
      if (!keepsFlag({ flag, rows }, view)) return
      const flags = rows.length > 0 ? [{ flag, rows }] : []
      const { rows: shown, cut } = arrangeRows(flags, view)
      const ofOneFlag = redactAll(shown).map((row) => ({
        ...row,
        flag: view.grouping === 'flag' ? row.flag : undefined,
      }))
      const usage = { lastHourUsage, ...redactAll(facts) }
      yield gap
      yield* usageSection({ ...usage, span }, redactAll(flag), ofOneFlag, {
        ...medium,
        by: view.by,
      })
      if (cut > 0) yield cutNote(cut)
      sections++
      gap = '\n'
    },
    *end(tally) {
      if (sections === 0) yield `${gap}${nothingToShow(view)}\n`
      yield summary(tally)
    },
  }
}

/** What a format shows of all flags. */
interface Content {
  rows: UsageRow[]
  tally: Tally
  cut: number
  /** When the rows were counted, such as `since 15:00 UTC`. */
  window: string
}

/**
 * The rows of a document with secrets masked, before a format escapes or shortens their names. A
 * document without secrets is searched as a whole, which is faster than masking each name.
 * @param flag the requested name
 */
function maskedRows(
  flag: string,
  json: string,
  rows: readonly UsageRow[],
  { redact, redactAll, redactJson }: Redactor,
): readonly UsageRow[] {
  const isClean = redact(flag) === flag && redactJson(json) === json
  return isClean ? rows : redactAll(rows)
}

function flagRows(
  name: string,
  { json, span }: UsageDocument,
  rows: readonly UsageRow[],
  redactor: Redactor,
): FlagRows {
  return { flag: redactor.redact(name), rows: maskedRows(name, json, rows, redactor), span }
}

/** All rows of all flags together. */
function rowsReport(
  { view }: ReportOptions,
  redactor: Redactor,
  render: (content: Content) => Iterable<string>,
): UsageReport {
  const flags: FlagRows[] = []
  let window: Window | undefined
  let whole: Span | undefined
  return {
    add(name, document, rows) {
      flags.push(flagRows(name, document, rows, redactor))
      window = widenWindow(window, document.data.lastHourUsage)
      whole = widerSpan(whole, document.span)
      return []
    },
    end(tally) {
      const counted = whole ? spanText(whole) : windowText(window)
      return render({ ...arrangeRows(flags, view), tally, window: counted })
    },
  }
}

/** Whether the rows of a flag and their place do not depend on the flags after it. */
function isSequential({ grouping, sort, reverse }: UsageView): boolean {
  return (grouping === 'none' || grouping === 'flag') && sort === undefined && !reverse
}

/** Rows of one flag after the other, if possible without keeping them. */
function listReport(
  options: ReportOptions,
  redactor: Redactor,
  header: readonly string[],
  render: (rows: readonly UsageRow[]) => string,
): UsageReport {
  const { view } = options
  if (!isSequential(view)) {
    return rowsReport(options, redactor, function* ({ rows }) {
      yield* header
      yield* inBlocks(rows, render)
    })
  }
  let unprinted = header
  let { limit = Number.POSITIVE_INFINITY } = view
  return {
    *add(name, document, rows) {
      yield* unprinted
      unprinted = []
      const flag = flagRows(name, document, rows, redactor)
      const { rows: shown } = arrangeRows([flag], { ...view, limit })
      limit -= shown.length
      yield* inBlocks(shown, render)
    },
    end: () => [],
  }
}

/** A report for people: a caption with service and window, a table, and a summary. */
function tableReport(
  options: ReportOptions,
  redactor: Redactor,
  draw: (rows: UsageRow[]) => Iterable<string>,
): UsageReport {
  const { view, target } = options
  return rowsReport(options, redactor, function* ({ rows, tally, cut, window }) {
    yield isolate(`Usage on ${safeText(target)}, ${window}\n\n`)
    if (rows.length > 0) yield* draw(rows)
    else yield `${nothingToShow(view)}\n`
    yield cutNote(cut) + summary(tally)
  })
}

/** The report for a format. */
export async function createReport(
  format: FormatOf<'usage'>,
  options: ReportOptions,
  redactor: Redactor,
): Promise<UsageReport> {
  switch (format) {
    case 'json':
      return documentReport(options, redactor)
    case 'table': {
      if (options.layout === 'sections') return sectionReport(options, redactor)
      const { usageTable } = await import('./usage-table.ts')
      const medium = await options.medium()
      return tableReport(options, redactor, (rows) =>
        usageTable(rows, { ...medium, by: options.view.by }),
      )
    }
    case 'jsonl':
      return listReport(options, redactor, [], (rows) => usageJsonl(rows))
    case 'csv': {
      const { csvHeader, usageCsv } = await import('./usage-csv.ts')
      const { isHourly } = options
      return listReport(options, redactor, [csvHeader(isHourly)], (rows) => usageCsv(rows))
    }
    case 'markdown': {
      const { usageMarkdown } = await import('./usage-markdown.ts')
      return tableReport(options, redactor, (rows) => usageMarkdown(rows, options.view))
    }
    case 'openmetrics': {
      const { usageOpenMetrics } = await import('./openmetrics.ts')
      return rowsReport(options, redactor, ({ rows, window }) =>
        usageOpenMetrics(rows, window, options),
      )
    }
  }
}
