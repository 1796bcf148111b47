import type { ChalkInstance } from 'chalk'
import type { FormatOf } from '../../output/formats.ts'
import { findingKinds } from '../finding.ts'
import type { LintReport } from '../lint.ts'
import { lengthProblem } from '../engine/rule.ts'
import { version } from '../../../package.json'
import { fieldLines } from '../../output/fields.ts'
import { jsonReport } from '../../output/json.ts'
import { type ReportItem, textReport } from '../../output/problems/text.ts'
import { isolate, safeText } from '../../output/escapes.ts'

// Show the code in text output too, since CI and the documentation refer to findings by it.
function withCode(item: ReportItem): ReportItem {
  return { ...item, name: item.code }
}

function verdictOf({ rule, findings }: LintReport, style: ChalkInstance): string[] {
  if (lengthProblem(rule) !== undefined) return []
  if (findings.some(({ severity }) => severity === 'error')) return []
  const isOpen = findings.some(({ code }) => code === 'cannot-decide')
  return isOpen
    ? [`${style.yellow('?')} no errors found, but some checks could not be decided`]
    : [`${style.green('✓')} the rule has no errors`]
}

function namesOf(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : names.map(safeText).join('  ')
}

function lintText(report: LintReport, items: readonly ReportItem[], style: ChalkInstance): string {
  const lines = [
    ...verdictOf(report, style),
    ...fieldLines([
      ['accepts', namesOf(report.accepts)],
      ['rejects', namesOf(report.rejects)],
    ]),
  ]
  const findings = items.length > 0 ? textReport(items.map(withCode), style) : ''
  return isolate(findings + lines.map((line) => `${line}\n`).join(''))
}

/**
 * The findings of a rule in a format.
 * @param items the findings with their places
 * @param fallbackPath the file that the GitLab report gives for a rule without a file
 */
export async function renderLint(
  format: FormatOf<'lint'>,
  report: LintReport,
  items: readonly ReportItem[],
  fallbackPath: string,
  style: () => Promise<ChalkInstance>,
): Promise<string> {
  switch (format) {
    case 'text':
      return lintText(report, items, await style())
    case 'json': {
      const { rule, findings, accepts, rejects } = report
      return jsonReport({ rule, findings, accepts, rejects })
    }
    case 'github': {
      const { githubReport } = await import('../../output/problems/ci.ts')
      return githubReport(items)
    }
    case 'gitlab': {
      const { gitlabReport } = await import('../../output/problems/gitlab.ts')
      return gitlabReport(items, fallbackPath)
    }
    case 'sarif': {
      const { sarifReport } = await import('../../output/problems/sarif.ts')
      const kinds = Object.entries(findingKinds)
      const rules = kinds.map(([id, { finds }]) => ({ id, description: finds }))
      return sarifReport(items, { version, rules })
    }
  }
}
