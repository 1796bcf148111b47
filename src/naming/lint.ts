import type { Define } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { inRepository } from '../names/repository.ts'
import { choice, withExamples } from '../options.ts'
import type { RowField } from '../output/fields.ts'
import { counted, listed } from '../output/incomplete.ts'
import type { Problem } from '../output/problems.ts'
import { printReport, type Report, type Result } from '../output/report.ts'
import type { Line } from '../output/text.ts'
import { type ProjectOptions, projectOption, singleProject } from '../project/reading.ts'
import { fieldOf, type Finding, findingKinds } from './finding.ts'
import { type LintReport, lintRule } from './findings.ts'
import { lengthProblem, type NamingRule } from './rule.ts'
import {
  addRuleOptions,
  findRules,
  finish,
  type FoundRule,
  refuseLongRule,
  refuseWithoutRules,
  type RuleOptions,
  ruleOption,
  selectsProjects,
} from './sources.ts'

const formats = ['text', 'json', 'csv', 'github', 'gitlab', 'sarif'] as const

const fields: readonly RowField<Problem>[] = [
  { name: 'project', title: 'Project', value: ({ project }) => project, kind: 'key' },
  { name: 'code', title: 'Problem', value: ({ code }) => code, kind: 'key' },
  { name: 'severity', title: 'Severity', value: ({ severity }) => severity, kind: 'word' },
  { name: 'message', title: 'Message', value: ({ message }) => message, kind: 'name' },
  {
    name: 'suggestion',
    title: 'Did you mean',
    value: ({ suggestion }) => suggestion,
    kind: 'name',
  },
  { name: 'file', value: ({ file }) => file, kind: 'key' },
  { name: 'line', value: ({ line }) => line, kind: 'number' },
  { name: 'column', value: ({ column }) => column, kind: 'number' },
]

/** A rule, and what was found about it. */
interface LintedRule extends FoundRule {
  report: LintReport
}

/** The report of a project without a rule. */
const withoutRule: LintReport = { rule: {}, findings: [], accepts: [], rejects: [] }

/** @throws a usage error for a rule together with projects, whose stored rules are linted */
function refuseBoth(options: RuleOptions & ProjectOptions): void {
  const given = ruleOption(options)
  if (given === undefined || !selectsProjects(options)) return
  const projects = options.allProjects ? '--all-projects' : '--project'
  throw new FlagadmError('usage', `${projects} cannot be combined with --${given}`, {
    hint: `leave out ${projects} to check that rule, or --${given} to check the stored one`,
  })
}

/** Lints each rule once, because many projects may share it. */
async function lintAll(rules: readonly FoundRule[], signal: AbortSignal): Promise<LintedRule[]> {
  const known = new Map<string, LintReport>()
  const lint = async (rule: NamingRule) => {
    const key = JSON.stringify(rule)
    const report = known.get(key) ?? (await lintRule(rule, signal))
    known.set(key, report)
    return report
  }
  const linted: LintedRule[] = []
  for (const found of rules) {
    const hasNone = found.project && !found.rule.pattern
    linted.push({ ...found, report: hasNone ? withoutRule : await lint(found.rule) })
  }
  return linted
}

async function problemOf(
  { code, severity, message, suggestion }: Finding,
  { file, position, project }: FoundRule,
  isSingle: boolean,
): Promise<Problem> {
  const place = { file, ...(await position?.(fieldOf(code))) }
  return {
    code,
    severity,
    message,
    suggestion,
    project: isSingle ? undefined : project?.id,
    ...place,
  }
}

/** What the findings mean for the only rule. */
function verdictOf({ rule, findings }: LintReport): Line | undefined {
  if (lengthProblem(rule) !== undefined) return undefined
  if (findings.some(({ severity }) => severity === 'error')) return undefined
  return findings.some(({ code }) => code === 'cannot-decide')
    ? [{ yellow: '?' }, ' no errors found, but some checks could not be decided']
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
  return counts.join(', ') || 'no problems'
}

function factsOf(linted: readonly LintedRule[], isSingle: boolean) {
  const [only] = linted
  if (!isSingle || !only) {
    return linted.map(({ project, report }) => [project?.id ?? '', totalText(report)] as const)
  }
  const { accepts, rejects } = only.report
  return [
    ...(accepts.length > 0 ? [['accepts', accepts.join('  ')] as const] : []),
    ...(rejects.length > 0 ? [['rejects', rejects.join('  ')] as const] : []),
  ]
}

function documentOf({ project, report }: LintedRule): object {
  const { rule, findings, accepts, rejects } = report
  return { project: project?.id, rule, findings, accepts, rejects }
}

/** @throws `checkFailed` for findings of a severity or a worse one */
function refuseFindings(linted: readonly LintedRule[], failOn: 'error' | 'warning'): void {
  const failing = linted.flatMap(({ project, report }) => {
    const codes = report.findings
      .filter(({ severity }) => severity === 'error' || severity === failOn)
      .map(({ code }) => code)
    return codes.length > 0 ? [{ project: project?.id ?? '', codes }] : []
  })
  const [first] = failing
  if (!first) return
  const rules = linted.filter(({ report }) => report.rule.pattern).length
  const have = failing.length === 1 ? 'has' : 'have'
  const what =
    linted.length > 1
      ? `${failing.length} of ${rules} naming rules ${have} problems: ${listed(failing.map(({ project }) => project))}`
      : `the naming rule has problems: ${first.codes.join(', ')}`
  throw new FlagadmError('checkFailed', what)
}

export const define: Define = (command, context) => {
  const format = context.formats(command, formats)
  const described = command.description(
    withExamples(
      command.summary(),
      'flagadm naming lint --rule naming.yaml',
      "flagadm naming lint --pattern 'checkout-[a-z-]+' --example checkout-pay --fail-on warning",
      'flagadm naming lint --all-projects -p sandbox',
    ),
  )
  return addRuleOptions(described.optionsGroup('Rule (default: the project configuration):'))
    .addOption(projectOption("stored rule of this project; '*': any text"))
    .option('--all-projects', 'stored rules of all projects that the service lists')
    .optionsGroup('Check:')
    .addOption(
      choice('--fail-on <severity>', 'exit with 9 for findings of this severity or worse', [
        'error',
        'warning',
      ]).default('error' as const),
    )
    .action(async ({ failOn, ...options }) => {
      const { host, out, signal } = context
      refuseBoth(options)
      const found = await findRules(context, options)
      const { results: rules, incomplete } = found
      refuseWithoutRules(rules)
      const placed = inRepository(format(), host.cwd)
      const linted = await lintAll(rules, signal)
      const isSingle = !selectsProjects(options) || singleProject(options) !== undefined
      const problems = await Promise.all(
        linted.flatMap((found) =>
          found.report.findings.map((finding) => problemOf(finding, found, isSingle)),
        ),
      )
      const [only] = linted
      // The documentation explains findings by their codes.
      const isText = format() === 'text'
      const result: Result = {
        problems: problems.map(placed).map((one) => (isText ? { ...one, name: one.code } : one)),
        verdict: isSingle && only ? verdictOf(only.report) : undefined,
      }
      const facts = factsOf(linted, isSingle)
      const report: Report = {
        title: 'flagadm naming lint',
        results: isSingle ? [{ ...result, facts }] : [result, { problems: [], facts }],
        incomplete,
        json: isSingle && only ? documentOf(only) : { projects: linted.map(documentOf) },
        fields,
        kinds: Object.entries(findingKinds).map(([id, { finds }]) => ({ id, description: finds })),
        fallbackPath: placed({ file: only?.file ?? 'naming' }).file,
      }
      await printReport(format(), report, out)
      finish(context, found, () => {
        refuseFindings(linted, failOn)
        for (const { report } of linted) refuseLongRule(report.rule)
      })
    })
}
