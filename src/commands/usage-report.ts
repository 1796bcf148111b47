import type { ChalkInstance } from 'chalk'
import type { Context } from '../context.ts'
import type { FormatOf } from '../formats.ts'
import type { Redactor } from '../redact.ts'
import { compactJson, isolate, safeJson, safeText } from '../output/text.ts'
import { maskAnswer, maskRows, maskUsage } from '../output/usage-mask.ts'
import type { UsageRow } from '../usage/rows.ts'
import { arrangeRows, type FlagRows, keepsFlag } from '../usage/arrange.ts'
import { type Window, widenWindow, windowText } from '../usage/time.ts'
import { type Layout, type UsageView } from '../usage/view.ts'
import type { UsageAnswer } from './usage-reading.ts'

/** How many of the requested flags are in use, unused, or could not be read. */
export interface Tally {
  asked: number
  used: number
  unused: number
  failed: number
}

/** Turns readings into the text of a format, piece by piece. */
export interface UsageReport {
  /** @param rows the rows that the filters keep */
  add(name: string, answer: UsageAnswer, rows: readonly UsageRow[]): string
  end(tally: Tally): string
}

/** Where a report goes: a terminal of a certain width, or anything else, where nothing is shortened. */
export interface Medium {
  width: number | undefined
  style: ChalkInstance
}

function rawReport(several: boolean, { redactJson }: Redactor): UsageReport {
  return {
    add(_name, { json }) {
      const text = redactJson(several ? compactJson(json) : json.trimEnd())
      return `${safeJson(text)}\n`
    },
    end: () => '',
  }
}

function summary({ asked, used, unused, failed }: Tally): string {
  const parts = [`${used} in use`, `${unused} unused`, ...(failed > 0 ? [`${failed} failed`] : [])]
  return asked > 1 ? `\n${asked} flags: ${parts.join(', ')}\n` : ''
}

/** Marks a total as one of some rows only. */
function cutNote(cut: number): string {
  if (cut === 0) return ''
  return `\n${cut} more ${cut === 1 ? 'row is' : 'rows are'} cut by --limit; the total is of those shown\n`
}

/** The sentence for a report without any rows. */
export function nothingToShow({ usage }: UsageView): string {
  if (usage === undefined) return 'No usage to show.'
  return usage === 'used' ? 'No flag is in use.' : 'No flag is unused.'
}

/** A heading and a table for each flag. */
async function sectionReport(
  { redactor: { redact } }: Context,
  { shape, target, medium: { width, style } }: ReportOptions,
): Promise<UsageReport> {
  const { usageSection } = await import('../output/usage-section.ts')
  let sections = 0
  let gap = `Usage on ${safeText(target)}\n\n`
  return {
    add(flag, { usage }, rows) {
      if (!keepsFlag({ flag, rows }, shape)) return ''
      const flags = rows.length > 0 ? [{ flag, rows }] : []
      const { rows: shown, cut } = arrangeRows(flags, shape)
      const ofOneFlag = maskRows(shown, redact).map((row) => ({
        ...row,
        flag: shape.grouping === 'flag' ? row.flag : undefined,
      }))
      const section = usageSection(maskUsage(usage, redact), redact(flag), ofOneFlag, width, style)
      sections++
      const text = gap + section + cutNote(cut)
      gap = '\n'
      return text
    },
    end: (tally) => (sections === 0 ? `${gap}${nothingToShow(shape)}\n` : '') + summary(tally),
  }
}

interface Content {
  rows: UsageRow[]
  tally: Tally
  cut: number
  /** When the rows were counted, such as `since 15:00 UTC`. */
  window: string
}

/** All rows of all flags together. */
function rowsReport(
  shape: UsageView,
  redactor: Redactor,
  render: (content: Content) => string,
): UsageReport {
  const flags: FlagRows[] = []
  let window: Window | undefined
  return {
    add(name, { usage, json }, rows) {
      flags.push({ flag: redactor.redact(name), rows: maskAnswer(name, json, rows, redactor) })
      window = widenWindow(window, usage.lastHourUsage)
      return ''
    },
    end: (tally) => render({ ...arrangeRows(flags, shape), tally, window: windowText(window) }),
  }
}

/** A report for people: a table below a line with service and window, then what else there is to know. */
function tableReport(
  { shape, target }: ReportOptions,
  redactor: Redactor,
  draw: (rows: UsageRow[]) => string,
): UsageReport {
  return rowsReport(shape, redactor, ({ rows, tally, cut, window }) => {
    const table = rows.length > 0 ? draw(rows) : nothingToShow(shape)
    const caption = `Usage on ${safeText(target)}, ${window}`
    return isolate(`${caption}\n\n${table}\n${cutNote(cut)}${summary(tally)}`)
  })
}

/** What a report needs to know about the run. */
export interface ReportOptions {
  shape: UsageView
  layout: Layout
  several: boolean
  /** The service, as `production, https://flags.example.com`. */
  target: string
  medium: Medium
}

/** The report for a format. */
export async function createReport(
  context: Context,
  format: FormatOf<'usage'>,
  options: ReportOptions,
): Promise<UsageReport> {
  const { shape } = options
  const { redactor } = context
  switch (format) {
    case 'json':
      return rawReport(options.several, redactor)
    case 'table': {
      if (options.layout === 'sections') return sectionReport(context, options)
      const { usageTable } = await import('../output/usage-table.ts')
      return tableReport(options, redactor, (rows) => usageTable(rows, options.medium))
    }
    case 'jsonl': {
      const { usageJsonl } = await import('../output/usage-jsonl.ts')
      return rowsReport(shape, redactor, ({ rows }) => usageJsonl(rows))
    }
    case 'csv': {
      const { usageCsv } = await import('../output/usage-csv.ts')
      return rowsReport(shape, redactor, ({ rows }) => usageCsv(rows))
    }
    case 'markdown': {
      const { usageMarkdown } = await import('../output/usage-markdown.ts')
      return tableReport(options, redactor, (rows) => usageMarkdown(rows).trimEnd())
    }
    case 'openmetrics': {
      const { usageOpenMetrics } = await import('../output/openmetrics.ts')
      return rowsReport(shape, redactor, ({ rows, window }) => usageOpenMetrics(rows, window))
    }
  }
}
