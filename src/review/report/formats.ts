import type { Blocks } from '../../output/blocks.ts'
import type { FormatOf } from '../../output/formats.ts'
import type { Printer } from '../../output/printer.ts'
import { githubReport } from '../../output/problems/ci.ts'
import type { ReportItem } from '../../output/problems/text.ts'
import { nameLines } from '../../output/rows.ts'
import type { Safe, Sanitizer } from '../../output/text.ts'
import { isComplete } from '../../projects/missing.ts'
import { missingText } from '../../projects/report/missing.ts'
import { reviewCsv, reviewJson, reviewJsonl } from './data.ts'
import type { ReviewReport } from './report.ts'
import { notCheckedText, reviewMarkdown, reviewTable } from './table.ts'

function reviewGithub(report: ReviewReport, sanitizer: Sanitizer): Safe {
  const { rows, failsOnRemovable, notChecked, missing } = report
  const severity = failsOnRemovable ? 'error' : 'warning'
  const items = rows.map(({ flag, verdict, reasons, code }): ReportItem => {
    const { file, line, column } = code?.references[0] ?? {}
    return {
      code: verdict,
      severity: verdict === 'removable' ? severity : 'info',
      name: flag.name,
      message: `${verdict} (project ${flag.projectId}): ${reasons.join('; ')}`,
      file,
      line,
      column,
    }
  })
  const incomplete: ReportItem[] = isComplete(missing)
    ? []
    : [{ code: 'incomplete', severity: 'warning', message: missingText(missing, sanitizer.text) }]
  const unchecked: ReportItem[] =
    notChecked.length === 0
      ? []
      : [{ code: 'not checked', severity: 'info', message: notCheckedText(notChecked) }]
  return githubReport([...items, ...incomplete, ...unchecked], sanitizer)
}

/** A review in a format. */
export function renderReview(
  format: FormatOf<'review'>,
  report: ReviewReport,
  printer: Printer,
): Blocks {
  switch (format) {
    case 'table':
      return reviewTable(report, printer)
    case 'json':
      return reviewJson(report, printer)
    case 'jsonl':
      return reviewJsonl(report, printer)
    case 'csv':
      return reviewCsv(report, printer)
    case 'markdown':
      return reviewMarkdown(report, printer)
    case 'github':
      return [reviewGithub(report, printer)]
    case 'names':
      return nameLines(
        report.rows.map(({ flag }) => flag.name),
        printer,
      )
  }
}
