import { Option } from '@commander-js/extra-typings'
import type { Define } from '../command/context.ts'
import { FlagadmError } from '../errors.ts'
import { allowEmptyOption, choice, withExamples } from '../command/options.ts'
import { counted, listed } from '../output/incomplete.ts'
import { field } from '../output/fields.ts'
import { recordFormats } from '../output/formats.ts'
import { printReport } from '../output/print.ts'
import type { Problem } from '../output/problems.ts'
import { problemFields, type ProblemGroup } from '../output/report.ts'
import type { Line } from '../output/text.ts'
import { isSingle, projectOption } from '../project/selection.ts'
import { type Finding, findingKinds } from './finding-kinds.ts'
import { type LintReport, lintRule } from './findings.ts'
import { lengthProblem, type NamingRule, refuseLongRule } from './rule.ts'
import {
  addRuleOptions,
  findRules,
  finish,
  type FoundRule,
  refuseWithoutRules,
  ruleOptions,
} from './rule-sources.ts'

const formats = ['text', 'json', ...recordFormats, 'github', 'gitlab', 'sarif'] as const

const { project, severity, message, suggestion, file, line, column } = problemFields
const code = field.data<Problem>('code', (problem) => problem.code)
const fields = [project, code, severity, message, suggestion, file, line, column]

interface LintedRule extends FoundRule {
  report: LintReport
}

const withoutRule: LintReport = { rule: {}, findings: [], accepts: [], rejects: [] }

/** Lints each rule once, because many projects may share it. */
async function lintAll(rules: readonly FoundRule[], signal: AbortSignal): Promise<LintedRule[]> {
  const reports = new Map<string, LintReport>()
  const lint = async (rule: NamingRule) => {
    const key = JSON.stringify(rule)
    const report = reports.get(key) ?? (await lintRule(rule, signal))
    reports.set(key, report)
    return report
  }
  const linted: LintedRule[] = []
  for (const foundRule of rules) {
    const hasNone = foundRule.project && !foundRule.rule.pattern
    linted.push({ ...foundRule, report: hasNone ? withoutRule : await lint(foundRule.rule) })
  }
  return linted
}

async function problemOf(
  finding: Finding,
  { file, position, project }: FoundRule,
): Promise<Problem> {
  const place = await position?.(findingKinds[finding.code].field)
  return { ...finding, project: project?.id, file, ...place }
}

/** What the findings mean for the only rule. */
function verdictOf({ rule, findings }: LintReport): Line | undefined {
  if (!rule.pattern && findings.length === 0) return ['no naming rule']
  if (lengthProblem(rule) !== undefined) return undefined
  if (findings.some(({ severity }) => severity === 'error')) return undefined
  return findings.some(({ code }) => code === 'cannot-decide')
    ? [{ magenta: '?' }, ' no errors found, but some checks could not be decided']
    : [{ green: '✓' }, ' the rule has no errors']
}

/** The result for one of several projects in a few words. */
function totalText({ rule, findings }: LintReport): string {
  if (!rule.pattern) return 'no naming rule'
  if (lengthProblem(rule) !== undefined) return 'too long to check'
  const counts = (['error', 'warning'] as const).flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count > 0 ? [counted(count, severity)] : []
  })
  if (findings.some(({ code }) => code === 'cannot-decide')) counts.push('undecided')
  return counts.join(', ') || 'no problems'
}

function samplesOf({ accepts, rejects }: LintReport): [string, string][] {
  const samples = Object.entries({ accepts, rejects })
  return samples.flatMap(([label, names]) => (names.length > 0 ? [[label, names.join('  ')]] : []))
}

/** @throws `checkFailed` for findings of a severity or a worse one, and for rules that are too long */
function refuseFindings(linted: readonly LintedRule[], failOn: 'error' | 'warning'): void {
  const failing = linted.flatMap(({ project, report }) => {
    const refused = report.findings.filter((finding) =>
      ['error', failOn].includes(finding.severity),
    )
    const codes = refused.map(({ code }) => code)
    return codes.length > 0 ? [{ project: project?.id ?? '', codes }] : []
  })
  const [first] = failing
  const ids = listed(failing.map(({ project }) => project))
  const rules = linted.filter(({ report }) => report.rule.pattern).length
  const have = failing.length === 1 ? 'has' : 'have'
  if (first) {
    const what =
      linted.length > 1
        ? `${failing.length} of ${rules} naming rules ${have} problems: ${ids}`
        : `the naming rule has problems: ${first.codes.join(', ')}`
    throw new FlagadmError('checkFailed', what)
  }
  for (const { report } of linted) refuseLongRule(report.rule)
}

export const define: Define = (command, context) => {
  const format = context.formats(command, formats)
  const described = withExamples(command, [
    'flagadm naming lint --rule naming.yaml',
    "flagadm naming lint --pattern 'checkout-[a-z-]+' --fail-on warning",
    'flagadm naming lint --all-projects -p sandbox',
  ]).optionsGroup('Rule (default: the project configuration):')
  const description = 'stored rules of all projects that the service lists'
  const allProjects = new Option('--all-projects', description)
  const severities = ['error', 'warning'] as const
  return addRuleOptions(described)
    .addOption(projectOption('stored rule of this project').conflicts(ruleOptions))
    .addOption(allProjects.conflicts(ruleOptions))
    .optionsGroup('Check:')
    .addOption(
      choice('--fail-on <severity>', 'exit with 9 for this or worse', severities).default('error'),
    )
    .addOption(allowEmptyOption())
    .action(async ({ failOn, ...options }) => {
      const foundRules = await findRules(context, options)
      refuseWithoutRules(context, foundRules, options)
      const linted = await lintAll(foundRules.results, context.closing)
      const [only] = isSingle(options) ? linted : []
      const problems = await Promise.all(
        linted.flatMap((lintedRule) =>
          lintedRule.report.findings.map((finding) => problemOf(finding, lintedRule)),
        ),
      )
      // The documentation explains findings by their codes.
      const isText = format() === 'text'
      const shown = (problem: Problem): Problem => ({
        ...problem,
        ...(isText && { name: problem.code }),
        ...(only && { project: undefined }),
      })
      const group: ProblemGroup = {
        problems: problems.map(shown),
        verdict: only && verdictOf(only.report),
        facts: only ? samplesOf(only.report) : [],
      }
      const totals = linted.map(
        (lintedRule) => [lintedRule.project?.id ?? '', totalText(lintedRule.report)] as const,
      )
      const documents = linted.map(({ project, report }) => ({ project: project?.id, ...report }))
      const report = {
        title: 'flagadm naming lint',
        groups: only ? [group] : [group, { problems: [], facts: totals }],
        incomplete: foundRules.incomplete,
        json: (only && documents[0]) ?? { projects: documents },
        fields,
        kinds: Object.entries(findingKinds).map(([id, { finds }]) => ({ id, description: finds })),
        fallbackPath: linted[0]?.file ?? 'naming',
      }
      await printReport(format(), report, context)
      await finish(context, foundRules, () => refuseFindings(linted, failOn))
    })
}
