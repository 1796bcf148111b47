import type { FormatOf } from '../../output/formats.ts'
import { findingKinds } from '../finding.ts'
import type { LintReport } from '../rule-findings.ts'
import { lengthProblem } from '../engine/rule.ts'
import { version } from '../../../package.json'
import { fieldLines } from '../../output/fields.ts'
import { githubReport } from '../../output/problems/ci.ts'
import { gitlabReport } from '../../output/problems/gitlab.ts'
import { jsonReport } from '../../output/json.ts'
import type { Printer } from '../../output/printer.ts'
import { type ReportItem, textReport } from '../../output/problems/text.ts'
import { sarifReport } from '../../output/problems/sarif.ts'
import type { Style } from '../../output/style.ts'
import { joined, linesOf, type Safe, safe } from '../../output/text.ts'

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

function lintText(report: LintReport, items: readonly ReportItem[], printer: Printer): Safe {
  const { text, style, width } = printer
  const namesOf = (names: readonly string[]) =>
    names.length === 0 ? undefined : joined(names.map(text), '  ')
  const lines = [
    ...verdictOf(report, style),
    ...fieldLines(
      [
        ['accepts', namesOf(report.accepts)],
        ['rejects', namesOf(report.rejects)],
      ],
      '',
      width,
    ),
  ]
  const findings = items.length > 0 ? textReport(items.map(withCode), printer) : safe``
  return safe`${findings}${linesOf(lines)}`
}

/**
 * The findings of a rule in a format.
 * @param items the findings with their places
 * @param fallbackPath the file that GitLab and SARIF reports give for a rule without a file
 */
export function renderLint(
  format: FormatOf<'lint'>,
  report: LintReport,
  items: readonly ReportItem[],
  fallbackPath: string,
  printer: Printer,
): Safe {
  switch (format) {
    case 'text':
      return lintText(report, items, printer)
    case 'json': {
      const { rule, findings, accepts, rejects } = report
      return jsonReport({ rule, findings, accepts, rejects }, printer)
    }
    case 'github':
      return githubReport(items, printer)
    case 'gitlab':
      return gitlabReport(items, fallbackPath, printer)
    case 'sarif': {
      const kinds = Object.entries(findingKinds)
      const rules = kinds.map(([id, { finds }]) => ({ id, description: finds }))
      return sarifReport(items, { version, rules }, printer, { fallbackPath })
    }
  }
}
