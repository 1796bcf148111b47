import type { FormatOf } from '../../old/output/formats.ts'
import { findingKinds } from '../finding.ts'
import type { LintReport } from '../findings.ts'
import { lengthProblem } from '../rule.ts'
import { fieldLines } from '../../old/output/fields.ts'
import { githubReport } from '../../old/output/problems/ci.ts'
import { jsonReport } from '../../old/output/json.ts'
import type { Printer } from '../../old/output/printer.ts'
import { type ReportItem, textReport } from '../../old/output/problems/text.ts'
import { sarifReport } from '../../old/output/problems/sarif.ts'
import { rowCsv, type RowField } from '../../old/output/rows.ts'
import type { Style } from '../../old/output/style.ts'
import { counted } from '../../old/output/phrases.ts'
import { joined, linesOf, type Safe, safe } from '../../old/output/text.ts'
import { missingJson, missingLine } from '../../projects/report/missing.ts'
import type { Missing } from '../../projects/missing.ts'
import type { Blocks } from '../../old/output/blocks.ts'

/** The report of a rule, and its findings with their places. */
export interface LintResult {
  project: string | undefined
  report: LintReport
  items: ReportItem[]
}

interface LintContext {
  /** Whether one rule is linted, not those of several projects. */
  isSingle: boolean
  missing: Missing
  /** The file that GitLab and SARIF reports give for a rule without a file. */
  fallbackPath: string
}

// Show the code in text output too, because CI and the documentation refer to findings by it.
function withCode(item: ReportItem): ReportItem {
  return { ...item, name: item.code }
}

function verdictOf({ rule, findings }: LintReport, style: Style): Safe[] {
  if (lengthProblem(rule) !== undefined) return []
  if (findings.some(({ severity }) => severity === 'error')) return []
  const isOpen = findings.some(({ code }) => code === 'cannot-decide')
  return isOpen
    ? [safe`${style.yellow(safe`?`)} no errors found, but some checks could not be decided`]
    : [safe`${style.green(safe`✓`)} the rule has no errors`]
}

function* lintText({ report, items }: LintResult, printer: Printer): Blocks {
  const { text, style, width } = printer
  const namesOf = (names: readonly string[]) =>
    names.length === 0 ? undefined : joined(names.map(text), '  ')
  yield* textReport(items, withCode, printer)
  yield linesOf([
    ...verdictOf(report, style),
    ...fieldLines(
      [
        ['accepts', namesOf(report.accepts)],
        ['rejects', namesOf(report.rejects)],
      ],
      '',
      width,
    ),
  ])
}

/** The result for one of several projects in a few words. */
function totalText({ rule, findings }: LintReport): string {
  if (!rule.pattern) return 'no naming rule'
  if (lengthProblem(rule) !== undefined) return 'too long to check'
  const counts = (['error', 'warning'] as const).flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count > 0 ? [counted(count, severity)] : []
  })
  return counts.join(', ') || 'no problems'
}

/** The findings of several projects, each below the id of its project, then a line for each project. */
function* projectsText(
  results: readonly LintResult[],
  items: readonly ReportItem[],
  missing: Missing,
  printer: Printer,
): Blocks {
  yield* textReport(items, withCode, printer)
  const totals = results.map(({ project = '', report }) => {
    return [project, printer.text(totalText(report))] as const
  })
  yield linesOf([...(items.length > 0 ? [safe``] : []), ...fieldLines(totals, '', printer.width)])
  yield missingLine(missing, printer)
}

const itemFields: readonly RowField<ReportItem>[] = [
  { name: 'project', value: ({ project }) => project },
  { name: 'code', title: safe`Problem`, value: ({ code }) => code },
  { name: 'severity', title: safe`Severity`, value: ({ severity }) => severity, kind: 'word' },
  { name: 'message', title: safe`Message`, value: ({ message }) => message },
  { name: 'suggestion', title: safe`Did you mean`, value: ({ suggestion }) => suggestion },
  { name: 'file', value: ({ file }) => file },
  { name: 'line', value: ({ line }) => line },
  { name: 'column', value: ({ column }) => column },
]

function lintJson({ project, report }: LintResult): object {
  const { rule, findings, accepts, rejects } = report
  return { project, rule, findings, accepts, rejects }
}

/** The findings of rules in a format: of a single rule, or of those of several projects. */
export async function renderLint(
  format: FormatOf<'lint'>,
  results: readonly LintResult[],
  { isSingle, missing, fallbackPath }: LintContext,
  printer: Printer,
): Promise<Blocks> {
  const [only] = isSingle ? results : []
  const items = results.flatMap(({ project, items }) =>
    isSingle || project === undefined ? items : items.map((item) => ({ ...item, project })),
  )
  switch (format) {
    case 'text':
      return only ? lintText(only, printer) : projectsText(results, items, missing, printer)
    case 'json': {
      const document = only
        ? lintJson(only)
        : { projects: results.map(lintJson), incomplete: missingJson(missing) }
      return [jsonReport(document, printer)]
    }
    case 'csv':
      return rowCsv(items, itemFields, printer)
    case 'github':
      return [githubReport(items, printer)]
    case 'gitlab': {
      // Loaded only here, because loading node:crypto takes longer than a short report.
      const { gitlabReport } = await import('../../old/output/problems/gitlab.ts')
      return gitlabReport(items, fallbackPath, printer)
    }
    case 'sarif': {
      const kinds = Object.entries(findingKinds)
      const rules = kinds.map(([id, { finds }]) => ({ id, description: finds }))
      return sarifReport(items, rules, printer, fallbackPath)
    }
  }
}
