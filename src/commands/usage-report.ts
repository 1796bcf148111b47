import type { Context } from '../context.ts'
import type { Redactor } from '../output/redact.ts'
import { compactJson, safeJson } from '../output/text.ts'
import { maskAnswer, maskRows, maskUsage } from '../output/usage-mask.ts'
import type { UsageAnswer } from '../service/client.ts'
import type { UsageRow } from '../usage/rows.ts'
import { type Shape, shapeRows } from '../usage/shape.ts'

export const usageFormats = ['table', 'json', 'jsonl', 'csv', 'markdown', 'openmetrics'] as const
export type UsageFormat = (typeof usageFormats)[number]

/** How a run came out, in numbers. */
export interface Tally {
  asked: number
  used: number
  unused: number
  failed: number
}

/** Turns readings into the text of a format, piece by piece. */
export interface UsageReport {
  add(name: string, answer: UsageAnswer, rows: readonly UsageRow[]): string
  end(tally: Tally): string
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

/** A total of some rows must not pass for one of all. */
function cutNote(cut: number): string {
  if (cut === 0) return ''
  return `\n${cut} more ${cut === 1 ? 'row is' : 'rows are'} cut by --limit; the total is of those shown\n`
}

/** A heading and a table for each flag. */
async function sectionReport(context: Context, shape: Shape): Promise<UsageReport> {
  const { usageSection } = await import('../output/usage-section.ts')
  const style = await context.style()
  const { redact } = context.redactor
  let gap = ''
  return {
    add(name, { usage }, rows) {
      const { rows: shown, cut } = shapeRows(rows, shape)
      const ofOneFlag = maskRows(shown, redact).map((row) => ({ ...row, flag: undefined }))
      const about = maskUsage(usage, redact)
      const section = usageSection(about, redact(name), ofOneFlag, context.width, style)
      const text = gap + section + cutNote(cut)
      gap = '\n'
      return text
    },
    end: summary,
  }
}

/** All rows of all flags together. */
function rowsReport(
  shape: Shape,
  redactor: Redactor,
  render: (rows: UsageRow[], tally: Tally, cut: number) => string,
): UsageReport {
  const all: UsageRow[] = []
  return {
    add(name, { json }, rows) {
      for (const row of maskAnswer(name, json, rows, redactor)) all.push(row)
      return ''
    },
    end(tally) {
      const { rows, cut } = shapeRows(all, shape)
      return render(rows, tally, cut)
    },
  }
}

async function tableReport(context: Context, shape: Shape): Promise<UsageReport> {
  const { usageTable } = await import('../output/usage-table.ts')
  const style = await context.style()
  return rowsReport(shape, context.redactor, (rows, tally, cut) => {
    const table = rows.length > 0 ? usageTable(rows, context.width, style) : 'No usage to show.'
    return `${table}\n${cutNote(cut)}${summary(tally)}`
  })
}

/** The report for a format. */
export async function createReport(
  context: Context,
  format: UsageFormat,
  shape: Shape,
  several: boolean,
): Promise<UsageReport> {
  const { redactor } = context
  switch (format) {
    case 'json':
      return rawReport(several, redactor)
    case 'table':
      return shape.grouping === 'flag' ? sectionReport(context, shape) : tableReport(context, shape)
    case 'jsonl': {
      const { usageJsonl } = await import('../output/usage-jsonl.ts')
      return rowsReport(shape, redactor, (rows) => usageJsonl(rows))
    }
    case 'csv': {
      const { usageCsv } = await import('../output/usage-csv.ts')
      return rowsReport(shape, redactor, (rows) => usageCsv(rows))
    }
    case 'markdown': {
      const { usageMarkdown } = await import('../output/usage-markdown.ts')
      return rowsReport(
        shape,
        redactor,
        (rows, tally, cut) => usageMarkdown(rows) + cutNote(cut) + summary(tally),
      )
    }
    case 'openmetrics': {
      const { usageOpenMetrics } = await import('../output/openmetrics.ts')
      return rowsReport(shape, redactor, (rows) => usageOpenMetrics(rows))
    }
  }
}
