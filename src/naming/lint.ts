import type { Context } from '../old/context.ts'
import { FlagadmError } from '../errors.ts'
import { writeReport } from '../old/output/file.ts'
import { formats } from '../old/output/formats.ts'
import { type Finding, fieldOf } from './finding.ts'
import { type LintReport, lintRule } from './findings.ts'
import type { NamingRule } from './rule.ts'
import { inRepository, type Placing } from '../names/repository.ts'
import { listed } from '../old/output/phrases.ts'
import type { ReportItem } from '../old/output/problems/text.ts'
import { type ProjectOptions, selectsProjects, selectsSeveral } from '../projects/selection.ts'
import { refuseUnread } from '../projects/missing.ts'
import { type LintResult, renderLint } from './report/lint.ts'
import { type FoundRule, refuseLongRule, type RuleOptions, ruleOption } from './rule-source.ts'
import { findRules, refuseWithoutRules, type ScopedRule } from './scoped-rules.ts'

interface LintOptions extends RuleOptions, ProjectOptions {
  failOn: 'error' | 'warning'
  outputFile?: string | undefined
}

/**
 * Lints a rule, or the stored rules of projects, and reports the findings; for a rule without errors, shows names that
 * it accepts and rejects.
 * @throws `checkFailed` when a finding has the severity of `--fail-on` or a worse one, and for a rule that is too long
 */
export async function lintNaming(context: Context, options: LintOptions): Promise<void> {
  const format = context.format(formats.lint)
  const given = ruleOption(options)
  if (given && selectsProjects(options)) {
    const projects = options.allProjects ? '--all-projects' : '--project'
    const rule = `--${given}`
    throw new FlagadmError('usage', `${projects} cannot be combined with ${rule}`, {
      hint: `leave out ${projects} to check that rule, or ${rule} to check the stored one`,
    })
  }
  const found = await findRules(context, options)
  const { rules, missing } = found
  refuseWithoutRules(rules)
  const placed = inRepository(format, context.host.cwd)
  const results = await lintAll(rules, placed, context.signal)
  const [{ file = 'naming' } = {}] = rules
  const about = {
    isSingle: !selectsSeveral(options),
    missing,
    fallbackPath: placed({ file }).file,
  }
  await writeReport(context, options.outputFile, (printer) =>
    renderLint(format, results, about, printer),
  )
  refuseFindings(results, options)
  for (const { report } of results) refuseLongRule(report.rule)
  refuseUnread(found)
}

/** The report of a project without a rule. */
const withoutRule: LintReport = { rule: {}, findings: [], accepts: [], rejects: [] }

/** Lints each rule once, because many projects may share it. */
async function lintAll(
  rules: readonly ScopedRule[],
  placed: Placing,
  signal: AbortSignal,
): Promise<LintResult[]> {
  const known = new Map<string, LintReport>()
  const lint = async (rule: NamingRule) => {
    const key = JSON.stringify(rule)
    const report = known.get(key) ?? (await lintRule(rule, signal))
    known.set(key, report)
    return report
  }
  const results: LintResult[] = []
  for (const scoped of rules) {
    const { rule, project } = scoped
    const report = project && !rule.pattern ? withoutRule : await lint(rule)
    const items = await Promise.all(report.findings.map((finding) => itemOf(finding, scoped)))
    results.push({ project: project?.id, report, items: items.map(placed) })
  }
  return results
}

async function itemOf(finding: Finding, { file, position }: FoundRule): Promise<ReportItem> {
  const { code, severity, message, suggestion } = finding
  return { code, severity, message, suggestion, file, ...(await position?.(fieldOf(code))) }
}

function refuseFindings(results: readonly LintResult[], { failOn }: LintOptions): void {
  const failing = results.flatMap(({ project, report }) => {
    const codes = report.findings
      .filter(({ severity }) => severity === 'error' || severity === failOn)
      .map(({ code }) => code)
    return codes.length > 0 ? [{ project, codes }] : []
  })
  const [first] = failing
  if (!first) return
  const rules = results.filter(({ report }) => report.rule.pattern).length
  const projects = listed(failing.map(({ project = '' }) => project))
  const what =
    results.length > 1
      ? `${failing.length} of ${rules} naming rules ${failing.length === 1 ? 'has' : 'have'} problems: ${projects}`
      : `the naming rule has problems: ${first.codes.join(', ')}`
  throw new FlagadmError('checkFailed', what)
}
