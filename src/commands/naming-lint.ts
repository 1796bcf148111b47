import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { type FormatOf, formats } from '../formats.ts'
import { type Finding, findingKinds } from '../naming/finding.ts'
import { type LintReport, lintRule } from '../naming/lint.ts'
import { githubReport } from '../output/report/github.ts'
import { gitlabReport } from '../output/report/gitlab.ts'
import type { ReportItem } from '../output/report/item.ts'
import { jsonReport } from '../output/report/json.ts'
import { sarifReport } from '../output/report/sarif.ts'
import { textReport } from '../output/report/text.ts'
import { isolate, safeText } from '../output/text.ts'
import { version } from '../../package.json'
import { type FoundRule, findRule, type RuleOptions } from './naming-rule.ts'

interface LintOptions extends RuleOptions {
  failOn: 'error' | 'warning'
}

/**
 * Proves a rule and reports what is wrong with it; shows names that a rule without errors accepts and rejects.
 * @throws `checkFailed` when there is a finding of the severity that fails
 */
export async function lintNaming(context: Context, options: LintOptions): Promise<void> {
  const format = context.format(formats.lint)
  const found = await findRule(context, options)
  const report = context.redactor.redactAll(await lintRule(found.rule, context.signal))
  const items = await Promise.all(report.findings.map((finding) => itemOf(finding, found)))
  await context.write(
    await render(context, format, report, context.redactor.redactAll(items), found),
  )
  const failing = report.findings.filter(
    ({ severity }) =>
      severity === 'error' || (severity === 'warning' && options.failOn === 'warning'),
  )
  if (failing.length > 0) {
    const codes = failing.map(({ code }) => code).join(', ')
    throw new FlagadmError('checkFailed', `the naming rule has findings: ${codes}`)
  }
}

async function itemOf(finding: Finding, { file, position }: FoundRule): Promise<ReportItem> {
  const { code, severity, message, suggestion } = finding
  const place = file === undefined ? {} : await position(findingKinds[code].field)
  return {
    code,
    severity,
    message,
    ...(suggestion !== undefined && { suggestion }),
    ...(file !== undefined && { file }),
    ...place,
  }
}

async function render(
  context: Context,
  format: FormatOf<'lint'>,
  report: LintReport,
  items: readonly ReportItem[],
  { file }: FoundRule,
): Promise<string> {
  switch (format) {
    case 'text':
      return lintText(report, items, await context.style())
    case 'json': {
      const { rule, findings, accepts, rejects } = report
      return jsonReport({ rule, findings, accepts, rejects })
    }
    case 'github':
      return githubReport(items)
    case 'gitlab':
      return gitlabReport(items, file ?? 'naming')
    case 'sarif': {
      const rules = Object.entries(findingKinds).map(([id, { finds }]) => ({
        id,
        description: finds,
      }))
      return sarifReport(items, { version, rules })
    }
  }
}

/** Shows the finding's code, which CI and the documentation refer to. */
function withCode(item: ReportItem): ReportItem {
  return { ...item, name: item.code }
}

function lintText(
  { accepts, rejects, findings }: LintReport,
  items: readonly ReportItem[],
  style: Awaited<ReturnType<Context['style']>>,
): string {
  const hasError = findings.some(({ severity }) => severity === 'error')
  const open = findings.some(({ code }) => code === 'cannot-decide')
  const verdict = open
    ? `${style.yellow('?')} no error was found, but not everything could be decided\n`
    : `${style.green('✓')} the rule has no error\n`
  const lines = [
    ...(items.length > 0 ? [textReport(items.map(withCode), style)] : []),
    ...(hasError ? [] : [verdict]),
    ...(accepts.length > 0 ? [`accepts  ${accepts.map(safeText).join('  ')}\n`] : []),
    ...(rejects.length > 0 ? [`rejects  ${rejects.map(safeText).join('  ')}\n`] : []),
  ]
  return isolate(lines.join(''))
}
