import type { ChalkInstance } from 'chalk'
import type { FormatOf } from '../../output/formats.ts'
import type { Redactor } from '../../redact.ts'
import type { ServiceDocument } from '../../service/client.ts'
import type { FeatureUsage } from '../../service/schema.ts'
import { arrangeRows, type FlagRows, keepsFlag } from '../arrange.ts'
import type { UsageRow } from '../rows.ts'
import { isComplete, type Missing } from '../../projects/missing.ts'
import { widenWindow, type Window, windowText } from '../time.ts'
import { type Span, spanText, widerSpan } from '../span.ts'
import type { Layout, UsageView } from '../view.ts'
import { counted } from '../../output/phrases.ts'
import { inBlocks } from '../../output/blocks.ts'
import { serviceDocument, usageJsonl } from '../../output/json.ts'
import { codeSpan } from '../../output/markdown.ts'
import { incompleteLine, missingJsonl, unconfirmedLine } from '../../projects/report/missing.ts'
import { isolate, safeText } from '../../output/escapes.ts'

/** The usage of a flag as the service sent it. */
export interface UsageDocument extends ServiceDocument<FeatureUsage> {
  /** What the records cover if they are hourly usage. */
  span?: Span
}

/** How many of the flags that could be read are in use, and how many are unused. */
export interface Tally {
  used: number
  unused: number
}

/** Turns readings into the text of a format, which is rendered in blocks while it is written. */
export interface UsageReport {
  /** @param rows the rows that the filters keep */
  add(name: string, document: UsageDocument, rows: readonly UsageRow[]): Iterable<string>
  /** @param missing what could not be read, with secrets masked */
  end(tally: Tally, missing: Missing): Iterable<string>
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

/**
 * How many flags are in use or, if something is missing, how many of those that could be read.
 * @param show makes a name printable
 */
function summary(
  { used, unused }: Tally,
  missing: Missing,
  show: (name: string) => string,
): string {
  const [incomplete, unconfirmed] = [incompleteLine(missing, show), unconfirmedLine(missing, show)]
  const { of } = missing.flags
  const parts = `${used} in use, ${unused} unused\n`
  const whole = of > 1 ? `\n${of} flags: ${parts}` : ''
  const read = `${incomplete}\n${counted(used + unused, 'flag')} read: ${parts}`
  return (incomplete === '' ? whole : read) + unconfirmed
}

/** A note that the total does not cover all rows. */
function cutNote(cut: number, hasTotal: boolean): string {
  if (cut === 0) return ''
  const total = hasTotal ? '; the total covers only those shown' : ''
  return `\n${counted(cut, 'more row')} not shown (--limit)${total}\n`
}

/**
 * The sentence for a report without any rows.
 * @param complete whether everything was read
 */
export function nothingToShow({ usage }: Pick<UsageView, 'usage'>, complete: boolean): string {
  if (usage === undefined) return 'No usage to show.'
  const flag = complete ? 'No flag' : 'No flag that could be read'
  return `${flag} is ${usage === 'used' ? 'in use' : 'unused'}.`
}

/** A heading and a table for each flag. */
async function sectionReport(
  { view, target, medium: openMedium }: ReportOptions,
  { redactAll }: Redactor,
): Promise<UsageReport> {
  const { usageSection } = await import('./section.ts')
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
      yield cutNote(cut, true)
      sections++
      gap = '\n'
    },
    *end(tally, missing) {
      if (sections === 0) yield `${gap}${nothingToShow(view, isComplete(missing))}\n`
      yield summary(tally, missing, safeText)
    },
  }
}

/** What a format shows of all flags. */
interface Content {
  rows: UsageRow[]
  tally: Tally
  missing: Missing
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
    end(tally, missing) {
      const counted = whole ? spanText(whole) : windowText(window)
      return render({ ...arrangeRows(flags, view), tally, missing, window: counted })
    },
  }
}

/** Whether the rows of a flag and their place do not depend on the flags after it. */
function isSequential({ grouping, sort, reverse }: UsageView): boolean {
  return (grouping === 'none' || grouping === 'flag') && sort === undefined && !reverse
}

/** A format of rows one after the other. */
interface ListFormat {
  header: readonly string[]
  render(rows: readonly UsageRow[]): string
  /** The text below the rows. */
  footer(missing: Missing): string
}

/** Rows of one flag after the other, if possible without keeping them. */
function listReport(
  options: ReportOptions,
  redactor: Redactor,
  { header, render, footer }: ListFormat,
): UsageReport {
  const { view } = options
  if (!isSequential(view)) {
    return rowsReport(options, redactor, function* ({ rows, missing }) {
      yield* header
      yield* inBlocks(rows, render)
      yield footer(missing)
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
    end: (_tally, missing) => [footer(missing)],
  }
}

/** A report for people: a caption with service and window, a table, and a summary. */
function tableReport(
  options: ReportOptions,
  redactor: Redactor,
  draw: (rows: UsageRow[], hasTotal: boolean) => Iterable<string>,
  show: (name: string) => string,
): UsageReport {
  const { view, target } = options
  return rowsReport(options, redactor, function* ({ rows, tally, missing, cut, window }) {
    const complete = isComplete(missing)
    yield isolate(`Usage on ${safeText(target)}, ${window}\n\n`)
    if (rows.length > 0) yield* draw(rows, complete)
    else yield `${nothingToShow(view, complete)}\n`
    yield cutNote(cut, complete) + summary(tally, missing, show)
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
      const { usageTable } = await import('./table.ts')
      const medium = await options.medium()
      const { by } = options.view
      return tableReport(
        options,
        redactor,
        (rows, hasTotal) => usageTable(rows, { ...medium, by, hasTotal }),
        safeText,
      )
    }
    case 'jsonl':
      return listReport(options, redactor, {
        header: [],
        render: (rows) => usageJsonl(rows),
        footer: missingJsonl,
      })
    case 'csv': {
      const { csvHeader, usageCsv } = await import('./csv.ts')
      return listReport(options, redactor, {
        header: [csvHeader(options.isHourly)],
        render: usageCsv,
        footer: () => '',
      })
    }
    case 'markdown': {
      const { usageMarkdown } = await import('./markdown.ts')
      const { by } = options.view
      return tableReport(
        options,
        redactor,
        (rows, hasTotal) => usageMarkdown(rows, { by, hasTotal }),
        codeSpan,
      )
    }
    case 'openmetrics': {
      const { usageOpenMetrics } = await import('./openmetrics.ts')
      return rowsReport(options, redactor, ({ rows, window, missing }) =>
        usageOpenMetrics(rows, window, options, missing),
      )
    }
  }
}
