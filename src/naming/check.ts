import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../command/context.ts'
import { FlagadmError, refuseUsage } from '../errors.ts'
import { isLegalName } from '../input/flag-names.ts'
import { codeGaps } from '../code/index.ts'
import {
  type CodeNames,
  emptySources,
  findCodeNames,
  hasNames,
  type NameOptions,
  placedNames,
  type PlacedNames,
} from './placed-names.ts'
import {
  allowEmptyOption,
  choices,
  collect,
  type Emptiness,
  refuseEmpty,
  withExamples,
} from '../command/options.ts'
import { factsOf, type ReportFormat, reportFormats } from '../output/formats.ts'
import { counted, listed } from '../output/incomplete.ts'
import type { Gap, Problem } from '../output/problems.ts'
import { printReport } from '../output/print.ts'
import { problemFields, type ProblemGroup, type ProblemReport } from '../output/report.ts'
import type { Line } from '../output/text.ts'
import type { ProjectResults } from '../project/projects.ts'
import {
  isSingle,
  projectOption,
  type ProjectOptions,
  selectsProjects,
  withoutFlagsText,
} from '../project/selection.ts'
import type { NamingProject } from './project-rules.ts'
import {
  createNameMatcher,
  type NameMatcher,
  nearestNames,
  reasonsOf,
  ruleSource,
  usablePattern,
} from './rule.ts'
import {
  addRuleOptions,
  batchesFor,
  findRules,
  finish,
  type FoundRule,
  refuseWithoutRules,
  type RuleOptions,
} from './rule-sources.ts'

interface CheckOptions extends RuleOptions, NameOptions, ProjectOptions {
  available?: true | undefined
  allow?: string | undefined
  allowEmpty?: true | undefined
  failOn?: readonly ('unresolved' | 'unread')[] | undefined
}

interface Violation extends Problem {
  name: string
  /** Each continues "the name": `is longer than 100 characters`. */
  reasons: readonly string[]
  /** For a name that does not match the pattern: the other reasons. */
  others?: readonly string[] | undefined
}

const { name, message, suggestion, project, file, line, column, place } = problemFields
const reasons = { ...message, name: 'reasons', title: 'Problem' }
const fields = [name, reasons, suggestion, project, file, line, column, place]

interface Check {
  project: NamingProject | undefined
  rule: FoundRule['rule']
  /** Undefined for a project without a rule. */
  pattern: string | undefined
  matcher: NameMatcher | undefined
  violations: Violation[]
}

// People read only the first ones, and finding a suggestion takes far longer than a check.
const MAX_SUGGESTIONS = 10_000

/** Adds the names of a batch that break the rule. */
async function checkBatch(batch: PlacedNames, check: Check): Promise<void> {
  const { names, placeOf } = batch
  const { matcher, pattern = '', violations, project } = check
  const verdicts = (await matcher?.(names)) ?? []
  // Without an iterator, because there may be a million names.
  for (let index = 0; index < verdicts.length; index++) {
    const name = names[index] ?? ''
    const verdict = verdicts[index] ?? false
    if (verdict === true && isLegalName(name)) continue
    const reasons = reasonsOf(name, verdict, pattern)
    const isUndecided = verdict === 'timeout' && isLegalName(name)
    const others = reasonsOf(name, true, pattern)
    const isUnmatched = verdict === false && reasons.length > others.length
    violations.push({
      code: 'naming',
      severity: isUndecided ? 'warning' : 'error',
      name,
      reasons,
      message: reasons.join(', '),
      others: isUnmatched ? others : undefined,
      project: project?.id,
      ...placeOf(index),
    })
  }
}

/** Adds the names that follow the rule, but that a new flag cannot have. */
async function checkAvailable(
  batches: readonly PlacedNames[],
  { project, violations }: Check,
  allowed: ReadonlySet<string>,
): Promise<void> {
  if (!project) return
  const { id, concurrency, progress } = project
  const settled = new Set([...allowed, ...violations.map(({ name }) => name)])
  const open = new Set(batches.flatMap(({ names }) => names.filter((name) => !settled.has(name))))
  const ask = async (name: string) => [name, await project.refusal(name)] as const
  const { default: pMap } = await import('p-map')
  const task = { verb: 'Checking', noun: 'name', total: open.size } as const
  const answers = await progress.track(task, (advance) =>
    pMap(open, (name) => ask(name).finally(advance), { concurrency }),
  )
  const refusals = new Map(answers)
  for (const { names, placeOf } of batches) {
    for (const [index, name] of names.entries()) {
      const message = refusals.get(name)
      if (message === undefined) continue
      violations.push({
        code: 'naming',
        severity: 'error',
        name,
        reasons: [message],
        message,
        project: id,
        ...placeOf(index),
      })
    }
  }
}

/** Adds the nearest name that passes to the first violations. */
async function suggest({ violations, pattern, matcher }: Check): Promise<void> {
  if (pattern === undefined || !matcher) return
  const first = violations.filter(({ severity }) => severity === 'error').slice(0, MAX_SUGGESTIONS)
  const failing = first.map(({ name }) => name)
  const names = await nearestNames(failing, pattern, matcher)
  for (const [index, violation] of first.entries()) violation.suggestion = names[index]
}

interface Total {
  project: string | undefined
  rule: FoundRule['rule']
  /** Distinct names; zero for a project that has no rule. */
  checked: number
  /** Those of them that --allow leaves out are not checked. */
  ignored: number
  failed: number
  undecided: number
}

function distinct(violations: readonly Violation[], severity: Violation['severity']): number {
  return new Set(
    violations.filter((violation) => violation.severity === severity).map(({ name }) => name),
  ).size
}

interface Outcome extends Omit<Total, 'project' | 'rule'> {
  violations: Violation[]
  open: Violation[]
  totals: Total[]
  /** Names to ignore that do not occur. */
  stale: string[]
}

/**
 * Checks names against rules.
 * @param givenNames names for all of the rules; undefined for the flags of each project, for its own rule
 */
async function runChecks(
  { inputs }: Context,
  checks: readonly Check[],
  givenNames: AsyncIterable<PlacedNames> | undefined,
  { allow, available }: CheckOptions,
): Promise<Outcome> {
  const allowed = new Set<string>()
  if (allow !== undefined) {
    for await (const { names } of inputs.names(allow, '--allow')) {
      for (const name of names) allowed.add(name)
    }
  }
  const stale = new Set(allowed)
  const countsOf = (names: readonly string[]) => {
    const ignored = allowed.size > 0 ? names.filter((name) => allowed.has(name)).length : 0
    return { checked: names.length - ignored, ignored }
  }
  const none = { checked: 0, ignored: 0 }
  let counts = none
  const kept: PlacedNames[] = []
  for await (const batch of batchesFor(checks, givenNames)) {
    if (stale.size > 0) for (const name of batch.names) stale.delete(name)
    // Those of a list are counted by line, because a set of a million names takes longer than the check.
    const batchCounts = countsOf(batch.isList ? batch.names : [...new Set(batch.names)])
    counts = {
      checked: counts.checked + batchCounts.checked,
      ignored: counts.ignored + batchCounts.ignored,
    }
    if (available) kept.push(batch)
    for (const check of batch.checks) await checkBatch(batch, check)
  }
  for (const check of checks) {
    check.violations = check.violations.filter(({ name }) => !allowed.has(name))
    await suggest(check)
    if (available) await checkAvailable(kept, check, allowed)
  }
  const totals = checks.map(({ project, rule, matcher, violations }): Total => {
    const all = givenNames ? counts : countsOf(project?.flagNames ?? [])
    const [failed, undecided] = [distinct(violations, 'error'), distinct(violations, 'warning')]
    const checked = matcher || available ? all : none
    return { project: project?.id, rule, ...checked, failed, undecided }
  })
  const sum = (of: (total: Total) => number) => totals.reduce((all, total) => all + of(total), 0)
  const violations = checks.flatMap((check) => check.violations)
  return {
    violations: violations.filter(({ severity }) => severity === 'error'),
    open: violations.filter(({ severity }) => severity !== 'error'),
    totals,
    checked: sum(({ checked }) => checked),
    ignored: sum(({ ignored }) => ignored),
    failed: sum(({ failed }) => failed),
    undecided: sum(({ undecided }) => undecided),
    stale: [...stale],
  }
}

/** The counts of names that neither passed nor failed, after a comma. */
function othersText({ undecided, ignored }: Pick<Total, 'undecided' | 'ignored'>): string {
  const open = undecided === 0 ? '' : `, ${undecided} undecided`
  return ignored === 0 ? open : `${open}, ${ignored} ignored`
}

function totalText({ rule, checked, failed, ...others }: Total): string {
  if (!rule.pattern && checked === 0) return 'no naming rule'
  return `${counted(checked, 'name')} checked, ${failed} failed${othersText(others)}`
}

interface VerdictOptions {
  isPart: boolean
  hasGaps: boolean
  /** Whether the check does not pass because of that. */
  isOpen: boolean
  available: boolean | undefined
}

/** What the check found, in one line. */
function verdictOf(outcome: Outcome, { isPart, isOpen, hasGaps, available }: VerdictOptions): Line {
  const { checked, ignored, failed, undecided } = outcome
  const open = { magenta: '?' } as const
  const passed = isOpen || undecided > 0 ? open : ({ green: '✓' } as const)
  const mark = failed > 0 ? { red: '✗' } : passed
  if (checked + ignored === 0) {
    if (!isPart && !hasGaps) return [mark, ' there are no names to check']
    return [open, ' there are no names to check in what could be read']
  }
  const none = available ? 'all can be used for new flags' : 'all follow the rule'
  const some = failed > 0 ? `${failed} failed` : undecided > 0 ? 'none failed' : none
  const result = checked === 0 ? '' : `: ${some}`
  return [mark, ` ${counted(checked, 'name')} checked${result}${othersText(outcome)}`]
}

/** The names that fail as text: the rule that they do not match is above them. */
function textGroups(checks: readonly Check[], isOne: boolean): ProblemGroup[] {
  return checks.flatMap(({ project, pattern = '', violations }) => {
    if (violations.length === 0) return []
    const breaksRule = violations.some(({ others }) => others !== undefined)
    return {
      heading: isOne ? undefined : project?.id,
      title: breaksRule ? `Names must match ${ruleSource(pattern)}` : undefined,
      problems: violations.map((violation) => {
        const { others, message } = violation
        return { ...violation, project: undefined, message: others?.join(', ') ?? message }
      }),
    }
  })
}

/** The lookups and files that could not be read, if the check fails for them. */
function unreadProblems(
  { unresolved, unread }: CodeNames,
  { failOn = [] }: CheckOptions,
): Problem[] {
  const lookups = unresolved.map(({ file, line, column, text }): Problem => {
    const message = `a lookup could not be read: ${text}`
    return { code: 'unresolved', severity: 'error', message, file, line, column }
  })
  const files = unread.map(({ file, reason }): Problem => {
    return { code: 'unread', severity: 'error', message: `could not be read: ${reason}`, file }
  })
  return [
    ...(failOn.includes('unresolved') ? lookups : []),
    ...(failOn.includes('unread') ? files : []),
  ]
}

function violationJson({ name, reasons, file, line, column, project, suggestion }: Violation) {
  return { name, reasons, file, line, column, project, suggestion }
}

function placeJson({ file, line, column, text }: CodeNames['unresolved'][number]) {
  return { file, line, column, text }
}

function documentOf(outcome: Outcome, code: CodeNames, options: CheckOptions): object {
  const { violations, open, totals, checked, ignored, stale } = outcome
  return {
    ...(isSingle(options) && { rule: totals[0]?.rule }),
    checked,
    violations: violations.map(violationJson),
    ...(open.length > 0 && { undecided: open.map(violationJson) }),
    ignored,
    staleAllowed: stale,
    ...(options.available && { available: true }),
    unresolved: code.unresolved.length,
    lookups: code.unresolved.length > 0 ? code.lookups : undefined,
    unresolvedPlaces: code.unresolved.length > 0 ? code.unresolved.map(placeJson) : undefined,
    ...(!isSingle(options) && { projects: totals }),
  }
}

/** @throws a usage error for options that require others */
function refuseStray(names: readonly string[], options: CheckOptions): void {
  const { available, failOn = [], scan, addedSince, staged } = options
  const hasProject = selectsProjects(options)
  if (available && (!hasProject || !hasNames(names, options))) {
    refuseUsage(
      `--available requires ${hasProject ? 'names' : '--project'}`,
      'pass the names of new flags, and use --project <id>',
    )
  }
  if (failOn.length > 0 && !scan && addedSince === undefined && !staged) {
    refuseUsage('--fail-on requires --scan', 'use --scan <path>')
  }
}

/** Notes that lookups were read, and that none of their names is new, if that is so. @returns whether it is */
function noteUnchanged(
  { messages }: Context,
  code: CodeNames,
  { addedSince, staged }: CheckOptions,
) {
  const { names, lookups, lookupsBefore = 0 } = code
  const isPart = staged || addedSince !== undefined
  if (!isPart || names.length > 0 || lookups + lookupsBefore === 0) return false
  const limit = codeGaps(code).length > 0 ? ', as far as it could be read' : ''
  const what = staged
    ? 'no staged change adds a name'
    : `no name was added to the code since ${addedSince}`
  messages.note(what + limit)
  return true
}

function withoutFlags(rules: ProjectResults<FoundRule>, options: ProjectOptions): Emptiness {
  const hasFlags = rules.results.some(({ project }) => project?.flagNames.length)
  if (!hasFlags) return { why: withoutFlagsText(options, rules) }
  return { why: 'no project has both a naming rule and flags' }
}

/** What `--fail-on` calls a gap. */
function kindOf({ places }: Gap): 'unresolved' | 'unread' {
  return places ? 'unresolved' : 'unread'
}

/** @throws `checkFailed` for names that fail, and for what could not be read if that was asked */
function refuseFailure(
  { checked, failed, undecided, ignored }: Outcome,
  gaps: readonly Gap[],
  { failOn = [], available }: CheckOptions,
): void {
  const of = `of ${counted(checked, 'name')}`
  if (failed > 0) {
    const breaks = failed === 1 ? 'breaks the rule' : 'break the rule'
    const what = available ? 'cannot be used for new flags' : breaks
    const besides = othersText({ undecided, ignored })
    throw new FlagadmError('checkFailed', `${failed} ${of} ${what}${besides}`)
  }
  if (undecided > 0) {
    const what = `inconclusive: ${undecided} ${of} could not be matched in time`
    throw new FlagadmError('checkFailed', what, {
      hint: 'naming lint with the same rule shows why',
    })
  }
  const gap = gaps.find((candidate) => failOn.includes(kindOf(candidate)))
  if (!gap) return
  const hint = gap.places
    ? '--call or --match can make them readable; a comment flagadm-ignore leaves one out'
    : "make them readable, or leave them out with --scan '!<path>'"
  throw new FlagadmError('checkFailed', gap.message, { hint })
}

interface Findings {
  checks: readonly Check[]
  outcome: Outcome
  code: CodeNames
  gaps: readonly Gap[]
  foundRules: ProjectResults<FoundRule>
}

function reportOf(
  format: ReportFormat,
  { checks, outcome, code, gaps, foundRules }: Findings,
  options: CheckOptions,
): ProblemReport {
  const isOne = isSingle(options)
  const violations = [...outcome.violations, ...outcome.open]
  const notRead = unreadProblems(code, options)
  const failing = [...violations, ...notRead]
  const { available, failOn = [] } = options
  // What the check fails for is among the problems.
  const otherGaps = gaps.filter((gap) => !failOn.includes(kindOf(gap)))
  const isPart = foundRules.failures.size > 0
  const isOpen = isPart || notRead.length > 0
  const verdict = verdictOf(outcome, { isPart, isOpen, hasGaps: gaps.length > 0, available })
  // Only records repeat the one project.
  const repeatsProject = !isOne || factsOf(format).rowsAs === 'record'
  const problems = repeatsProject
    ? failing
    : failing.map((problem) => ({ ...problem, project: undefined }))
  // In text, the error of a check that fails has the numbers of the verdict.
  const last = outcome.failed > 0 ? [{ problems: notRead }] : [{ problems: notRead, verdict }]
  const isText = format === 'text'
  const groups = isText ? [...textGroups(checks, isOne), ...last] : [{ problems, verdict }]
  const totals = outcome.totals.map((total) => [total.project ?? '', totalText(total)] as const)
  return {
    title: 'flagadm naming check',
    groups: isOne ? groups : [...groups, { problems: [], facts: totals }],
    incomplete: [...(format === 'json' ? gaps : otherGaps), ...foundRules.incomplete],
    json: documentOf(outcome, code, options),
    rows: [...violations.map(violationJson), ...notRead],
    fields,
    kinds: [
      { id: 'naming', description: 'The flag name breaks the naming rule.' },
      { id: 'unresolved', description: 'A lookup of a flag could not be read.' },
      { id: 'unread', description: 'A file could not be read.' },
    ],
    fallbackPath: foundRules.results[0]?.file ?? 'naming',
  }
}

async function checkNames(
  context: Context,
  format: ReportFormat,
  names: readonly string[],
  options: CheckOptions,
): Promise<void> {
  const { messages, closing } = context
  refuseStray(names, options)
  const hasGiven = hasNames(names, options)
  const foundRules = await findRules(context, options, { flags: !hasGiven, rule: 'usable' })
  const { results: rules, failures } = foundRules
  if (rules.length === 0) await finish(context, foundRules)
  const hasNoRules = !options.available && refuseWithoutRules(context, foundRules, options)
  const checks = rules.map((foundRule): Check => {
    const { rule, project } = foundRule
    // A project may have no rule, but one from a file must have a pattern.
    const pattern = project && !rule.pattern ? undefined : usablePattern(foundRule)
    const matcher = pattern === undefined ? undefined : createNameMatcher(pattern, closing)
    return { project, rule, pattern, matcher, violations: [] }
  })
  const hasOthers = hasGiven || selectsProjects(options)
  const code = await findCodeNames(context, names, options, hasOthers)
  const ownFlags = selectsProjects(options) && !hasGiven
  const givenNames = placedNames(context, names, options.namesFrom, code.names)
  const outcome = await runChecks(context, checks, ownFlags ? undefined : givenNames, options)
  const isUnchanged = noteUnchanged(context, code, options)
  const isEmpty = outcome.checked + outcome.ignored === 0 && failures.size === 0
  if (isEmpty && !isUnchanged && !hasNoRules) {
    const isStored = ownFlags || rules.length === 0
    const empty = isStored
      ? withoutFlags(foundRules, options)
      : emptySources(options.namesFrom, code)
    refuseEmpty(messages, options, empty)
  }
  if (outcome.stale.length > 0) {
    messages.warn(`${options.allow}: these names no longer occur: ${listed(outcome.stale)}`)
  }
  const gaps = codeGaps(code)
  const report = reportOf(format, { checks, outcome, code, gaps, foundRules }, options)
  await printReport(format, report, context)
  await finish(context, foundRules, () => refuseFailure(outcome, gaps, options))
}

export const define: Define = (command, context) => {
  const format = context.formats(command, reportFormats)
  const failOn = 'with --scan: exit with 9 for lookups or files not read'
  const described = withExamples(command, [
    'flagadm naming check checkout-pay --rule naming.yaml',
    "flagadm naming check --scan src --scan '!src/old' --rule naming.yaml -o sarif",
    'flagadm naming check --scan src --added-since main --rule naming.yaml',
    'flagadm naming check --scan src --staged --rule naming.yaml',
    "flagadm naming check --names-from flags.txt --pattern 'checkout-[a-z-]+'",
    'flagadm naming check --all-projects -p sandbox',
    'flagadm naming check checkout-tips --available --project checkout -p sandbox',
  ])
    .argument('[name...]', 'names to check')
    .optionsGroup('Names:')
    .option('--names-from <path>', "file of names, one per line ('-': standard input)")
    .option('--scan <path>', 'find names in source code: a file, folder or glob', collect)
    .option('--added-since <revision>', 'of these, only names added since this revision')
    .addOption(
      new Option('--staged', 'of these, only names that are staged').conflicts('addedSince'),
    )
    .option('--call <function>', 'function that takes a flag name: isOn, isOn:2, isOn:key', collect)
    .option('--match <regex>', 'custom pattern with a group named flag or constant', collect)
    .optionsGroup('Rule (default: the project configuration):')
  return addRuleOptions(described)
    .addOption(projectOption('rule and flags of this project, unless others are given'))
    .option('--all-projects', 'rules and flags of all projects that the service lists')
    .optionsGroup('Check:')
    .option('--available', 'with --project: also report names that cannot be used for new flags')
    .option('--allow <file>', 'file of names to ignore, one per line')
    .addOption(choices('--fail-on <what>', failOn, ['unresolved', 'unread']))
    .addOption(allowEmptyOption())
    .action((names, options) => checkNames(context, format(), names, options))
}
