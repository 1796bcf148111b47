import type { Blocks } from '../../output/blocks.ts'
import type { FormatOf } from '../../output/formats.ts'
import { jsonReport } from '../../output/json.ts'
import type { Printer } from '../../output/printer.ts'
import { githubReport } from '../../output/problems/ci.ts'
import type { ReportItem } from '../../output/problems/text.ts'
import { nameLines, rowCsv, rowJsonl } from '../../output/rows.ts'
import type { Safe, Sanitizer } from '../../output/text.ts'
import { missingJson, missingJsonl } from '../../projects/report/missing.ts'
import type { ReferenceProblem } from '../options.ts'
import { referenceProblemText, type ReferenceReport, rowsOf } from './reference-rows.ts'
import { referenceFields, referenceMarkdown, referenceTable } from './reference-table.ts'

function referenceCsv(report: ReferenceReport, sanitizer: Sanitizer): Blocks {
  const unread = report.unresolved.map((lookup) => ({ ...lookup, name: '', kind: 'unresolved' }))
  return rowCsv([...rowsOf(report), ...unread], referenceFields(report), sanitizer)
}

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
    unresolved: unresolved.map(({ file, line, column, text, candidates }) => {
      return { file, line, column, text, candidates }
    }),
    skipped,
    files,
    incomplete: missingJson({ ...missing, lookups: [] }),
  }
  return jsonReport(document, sanitizer)
}

function referenceGithub(report: ReferenceReport, sanitizer: Sanitizer): Safe {
  const { unknown, unreferenced, unresolved, failOn, missing } = report
  const severityOf = (problem: ReferenceProblem) => (failOn.includes(problem) ? 'error' : 'warning')
  const isUnknown = new Set(unknown)
  const isUnreferenced = new Set(unreferenced)
  const items = rowsOf(report).map(({ name, file, line, column, kind }): ReportItem => {
    if (isUnreferenced.has(name)) {
      const severity = severityOf('unreferenced')
      return { code: 'unreferenced', severity, name, message: 'not in the code' }
    }
    const place = { file, line, column }
    return isUnknown.has(name)
      ? {
          code: 'unknown',
          severity: severityOf('unknown'),
          name,
          message: `not a flag of ${report.scope}`,
          ...place,
        }
      : { code: 'reference', severity: 'info', name, message: kind ?? '', ...place }
  })
  const unread = unresolved.map(({ file, line, column }): ReportItem => {
    const severity = failOn.includes('unresolved') ? 'error' : 'info'
    return { code: 'unresolved', severity, message: 'could not be read', file, line, column }
  })
  const summary = missing.lookups.map((): ReportItem => {
    const message = referenceProblemText(report, 'unresolved', sanitizer)
    return { code: 'unresolved', severity: severityOf('unresolved'), message }
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
      return referenceTable(report, printer)
    case 'json':
      return [referenceJson(report, printer)]
    case 'jsonl':
      return referenceJsonl(report, printer)
    case 'csv':
      return referenceCsv(report, printer)
    case 'markdown':
      return referenceMarkdown(report, printer)
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
