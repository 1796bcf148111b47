import type { Blocks } from '../../output/blocks.ts'
import type { FormatOf } from '../../output/formats.ts'
import { jsonReport } from '../../output/json.ts'
import type { Printer } from '../../output/printer.ts'
import { githubReport } from '../../output/problems/ci.ts'
import type { ReportItem } from '../../output/problems/text.ts'
import { nameLines, rowJsonl } from '../../output/rows.ts'
import type { Safe, Sanitizer } from '../../output/text.ts'
import { missingJson, missingJsonl } from '../../projects/report/missing.ts'
import type { ReferenceProblem } from '../options.ts'
import { referenceProblemText, type ReferenceReport, rowsOf } from './reference-rows.ts'
import { referenceCsv, referenceTables } from './reference-table.ts'

function* referenceJsonl(report: ReferenceReport, sanitizer: Sanitizer): Blocks {
  const rows = rowsOf(report).map(({ name, project, file, line, column, kind, text }) => {
    const place = { file, line, column, kind, text }
    return report.hasProjects ? { project, name, ...place } : { name, ...place }
  })
  yield* rowJsonl([...rows, ...report.unresolved.map((unresolved) => ({ unresolved }))], sanitizer)
  yield missingJsonl(report.missing, sanitizer)
}

function referenceJson(report: ReferenceReport, sanitizer: Sanitizer): Safe {
  const { names, unresolved, skipped, files, missing } = report
  const document = {
    names: names.map(({ name, project, references }) => ({
      name,
      project,
      references: references.map(({ file, line, column, kind, text }) => {
        return { file, line, column, kind, text }
      }),
    })),
    unresolved,
    skipped,
    files,
    incomplete: missingJson({ ...missing, lookups: [] }),
  }
  return jsonReport(document, sanitizer)
}

function referenceGithub(report: ReferenceReport, sanitizer: Sanitizer): Safe {
  const { scope, unknown, unreferenced, unresolved, failOn, missing } = report
  const severityOf = (problem: ReferenceProblem) => (failOn.includes(problem) ? 'error' : 'warning')
  const isUnknown = new Set(unknown)
  const isUnreferenced = new Set(unreferenced)
  const items = rowsOf(report).map(({ name, file, line, column, kind = '' }): ReportItem => {
    const item = { name, file, line, column }
    if (isUnreferenced.has(name)) {
      const severity = severityOf('unreferenced')
      return { ...item, code: 'unreferenced', severity, message: 'not in the code' }
    }
    if (isUnknown.has(name)) {
      const severity = severityOf('unknown')
      return { ...item, code: 'unknown', severity, message: `not a flag of ${scope}` }
    }
    return { ...item, code: 'reference', severity: 'info', message: kind }
  })
  const severity = severityOf('unresolved')
  const summary = missing.lookups.map((): ReportItem => {
    const message = referenceProblemText(report, 'unresolved', sanitizer)
    return { code: 'unresolved', severity, message }
  })
  const unread = unresolved.map(({ file, line, column }): ReportItem => {
    const place = { file, line, column }
    const message = 'could not be read'
    return {
      ...place,
      code: 'unresolved',
      severity: severity === 'error' ? severity : 'info',
      message,
    }
  })
  return githubReport([...items, ...summary, ...unread], sanitizer)
}

/** A report in a format. */
export function renderReferences(
  format: FormatOf<'references'>,
  report: ReferenceReport,
  printer: Printer,
): Blocks {
  switch (format) {
    case 'table':
    case 'markdown':
      return referenceTables(format, report, printer)
    case 'json':
      return [referenceJson(report, printer)]
    case 'jsonl':
      return referenceJsonl(report, printer)
    case 'csv':
      return referenceCsv(report, printer)
    case 'github':
      return [referenceGithub(report, printer)]
    case 'names':
      return nameLines(
        report.names.flatMap(({ name, references }) =>
          references.length > 0 || report.view === 'unreferenced' ? name : [],
        ),
        printer,
      )
  }
}
