import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { formats } from '../output/formats.ts'
import { type Finding, findingKinds } from './finding.ts'
import { lintRule } from './rule-findings.ts'
import { lengthProblem } from './engine/rule.ts'
import { inRepository } from '../names/repository.ts'
import { renderLint } from './report/lint.ts'
import type { ReportItem } from '../output/problems/text.ts'
import { type FoundRule, findRule, refuseLongRule, type RuleOptions } from './rule-source.ts'

interface LintOptions extends RuleOptions {
  failOn: 'error' | 'warning'
}

/**
 * Lints a rule and reports the findings; for a rule without errors, shows names that it accepts and rejects.
 * @throws `checkFailed` when a finding has the severity of `--fail-on` or a worse one, and for a rule that is too long
 */
export async function lintNaming(context: Context, options: LintOptions): Promise<void> {
  const format = context.format(formats.lint)
  const found = await findRule(context, options)
  const report = await lintRule(found.rule, context.signal)
  const placed = inRepository(format, context.host.cwd)
  const items = await Promise.all(report.findings.map((finding) => itemOf(finding, found)))
  const { file = 'naming' } = placed({ ...(found.file !== undefined && { file: found.file }) })
  await context.write(renderLint(format, report, items.map(placed), file, context.printer))
  const failing = report.findings.filter(
    ({ severity }) =>
      severity === 'error' || (severity === 'warning' && options.failOn === 'warning'),
  )
  if (failing.length > 0) {
    const codes = failing.map(({ code }) => code).join(', ')
    throw new FlagadmError('checkFailed', `the naming rule has findings: ${codes}`)
  }
  refuseLongRule(lengthProblem(found.rule))
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
