import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../command/context.ts'
import { FlagadmError, refuseUsage } from '../errors.ts'
import { emptyList } from '../input/names.ts'
import { placedNames, type PlacedNames } from './placed-names.ts'
import { allowEmptyOption, choice, refuseEmpty, withExamples } from '../command/options.ts'
import { counted, listed } from '../output/incomplete.ts'
import type { Place, Problem } from '../output/problems.ts'
import { field } from '../output/fields.ts'
import { printReport } from '../output/print.ts'
import { problemFields, type ProblemGroup } from '../output/report.ts'
import type { ProjectResults } from '../project/projects.ts'
import {
  isSingle,
  projectOption,
  type ProjectOptions,
  selectsProjects,
  withoutFlagsText,
} from '../project/selection.ts'
import { Budget } from './analysis/budget.ts'
import type { NamingProject } from './project-rules.ts'
import { relate, relationTexts, type Comparison } from './analysis/relation.ts'
import { compileFailure, createNameMatcher, enforcedPattern, refuseLongRule } from './rule.ts'
import { batchesFor, finish, givenRule, readRuleFile } from './rule-sources.ts'

const formats = ['text', 'json', 'markdown', 'github'] as const

interface DiffOptions extends ProjectOptions {
  from?: string | undefined
  fromPattern?: string | undefined
  rule?: string | undefined
  pattern?: string | undefined
  namesFrom?: string | undefined
  failOn?: 'rejected' | 'accepted' | 'any' | undefined
  allowEmpty?: true | undefined
}

const { project, name, place } = problemFields
const change = field.word<Problem>(undefined, 'Change', ({ message }) => message)
const fields = [project, name, change, place]

interface NameUse extends Place {
  name: string
}

interface Diff {
  project: NamingProject | undefined
  from: string
  to: string
  comparison: Comparison
  compared: number
  accepted: NameUse[]
  rejected: NameUse[]
  /** Those that could not be matched with both rules in time. */
  undecided: NameUse[]
}

function hasOldRule({ from, fromPattern }: DiffOptions): boolean {
  return from !== undefined || fromPattern !== undefined
}

/** The pattern of the old rule in the options; undefined without one. */
async function oldPattern(
  context: Context,
  { from, fromPattern }: DiffOptions,
): Promise<string | undefined> {
  if (from === undefined) return fromPattern
  const { rule } = await readRuleFile(context, from, '--from')
  return rule.pattern ?? ''
}

/** @throws a usage error without an old rule */
async function readProjectsFor(
  context: Context,
  options: DiffOptions,
): Promise<ProjectResults<NamingProject>> {
  if (selectsProjects(options)) {
    const stored = isSingle(options) ? undefined : 'usable'
    const rule = hasOldRule(options) ? 'unused' : stored
    const flags = options.namesFrom === undefined
    const { readNamingProjects } = await import('./project-rules.ts')
    return readNamingProjects(context, options, { flags, rule })
  }
  if (hasOldRule(options)) {
    return { results: [], failures: new Map(), requested: 0, incomplete: [] }
  }
  refuseUsage(
    'no old rule given',
    'use --from <file> or --from-pattern <regex>, or --project <id> for the stored rule of a project',
  )
}

/** Compares the old rule with the new one, or that of each project. */
async function diffsFor(
  context: Context,
  options: DiffOptions,
  to: string,
  projects: readonly NamingProject[],
): Promise<Diff[]> {
  const givenPattern = await oldPattern(context, options)
  const diffs: Diff[] = []
  for (const project of selectsProjects(options) ? projects : [undefined]) {
    const from = givenPattern ?? project?.rule.pattern ?? ''
    if (from !== to) for (const pattern of [from, to]) refuseLongRule({ pattern })
    const comparison = await relate(from, to, new Budget(context.closing))
    diffs.push({
      project,
      from,
      to,
      comparison,
      compared: 0,
      accepted: [],
      rejected: [],
      undecided: [],
    })
  }
  return diffs
}

/** A function that adds the names of a batch to a diff. */
function comparing(diff: Diff, signal: AbortSignal) {
  const before = createNameMatcher(enforcedPattern(diff.from), signal)
  const after = createNameMatcher(enforcedPattern(diff.to), signal)
  const add = async ({ names, placeOf }: PlacedNames) => {
    diff.compared += names.length
    const old = await before(names)
    const now = await after(names)
    for (const [index, name] of names.entries()) {
      const isUndecided = old[index] === 'timeout' || now[index] === 'timeout'
      if (old[index] === now[index] && !isUndecided) continue
      const kind = isUndecided ? 'undecided' : now[index] ? 'accepted' : 'rejected'
      diff[kind].push({ name, ...placeOf(index) })
    }
  }
  return { project: diff.project, add }
}

/** How the rules relate, as a heading and a sentence. */
function titleOf({ from, to, comparison }: Diff): string {
  const { relation, reason } = comparison
  const hadNone = enforcedPattern(from) === ''
  const hasNone = enforcedPattern(to) === ''
  if (relation === 'narrower' && hadNone) return 'new rule: every name was accepted before'
  if (relation === 'wider' && hasNone) return 'no rule: every name will be accepted'
  const why = reason === undefined ? '' : `: ${reason}`
  return `${relation}: ${relationTexts[relation]}${why}`
}

function distinctNames(uses: readonly NameUse[]): string[] {
  return [...new Set(uses.map(({ name }) => name))]
}

function undecidedText(uses: readonly NameUse[]): string {
  return `${counted(distinctNames(uses).length, 'existing name')} could not be matched in time`
}

function brokenFact(label: string, pattern: string): [string, string][] {
  const failure = pattern === '' ? undefined : compileFailure(pattern)
  if (failure === undefined) return []
  return [[label, `does not compile (${failure}), so the service accepts every name`]]
}

function factsOf(diff: Diff, isGiven: boolean): [string, string][] {
  const { from, to, compared, comparison, accepted, rejected, undecided } = diff
  const changed = (label: string, uses: readonly NameUse[], examples: readonly string[] = []) => {
    // The existing names are listed above; the examples are of all names that the rules accept.
    const count = isGiven ? [counted(distinctNames(uses).length, 'existing name')] : []
    const parts = [...count, ...(examples.length > 0 ? [`names such as ${listed(examples)}`] : [])]
    return [label, parts.join('; ')] satisfies [string, string]
  }
  const facts: [string, string][] = [
    ...brokenFact('old rule', from),
    ...brokenFact('new rule', to),
    changed('newly accepted', accepted, comparison.accepted),
    changed('newly rejected', rejected, comparison.rejected),
    ['undecided', undecided.length > 0 ? undecidedText(undecided) : ''],
    ['compared', isGiven ? counted(compared, 'existing name') : ''],
  ]
  return facts.filter(([, text]) => text !== '')
}

function diffProblems({ project, accepted, rejected, undecided }: Diff): Problem[] {
  const problem = (severity: Problem['severity'], message: string) => (use: NameUse) => {
    return { code: 'naming-diff', severity, message, project: project?.id, ...use }
  }
  return [
    ...rejected.map(problem('warning', 'newly rejected')),
    ...accepted.map(problem('info', 'newly accepted')),
    ...undecided.map(problem('warning', 'could not be matched in time')),
  ]
}

function documentOf(diff: Diff, isGiven: boolean): object {
  const { project, comparison, accepted, rejected, undecided, compared } = diff
  const changeOf = (uses: readonly NameUse[], witnesses: readonly string[] = []) => {
    return { witnesses, names: distinctNames(uses), uses }
  }
  return {
    project: project?.id,
    relation: comparison.relation,
    reason: comparison.reason,
    ...(isGiven && { compared }),
    newlyAccepted: changeOf(accepted, comparison.accepted),
    newlyRejected: changeOf(rejected, comparison.rejected),
    ...(undecided.length > 0 && {
      undecided: { names: distinctNames(undecided), uses: undecided },
    }),
  }
}

/**
 * If existing names were given, only they count. Otherwise every legal name does, and an undecided relation counts as a
 * change.
 * @throws `checkFailed` for a change that `--fail-on` specifies
 */
function refuseChange(diffs: readonly Diff[], isGiven: boolean, failOn: DiffOptions['failOn']) {
  if (failOn === undefined) return
  const changes = (kind: 'accepted' | 'rejected') => (diff: Diff) =>
    isGiven
      ? diff[kind].length > 0
      : diff.comparison[kind].length > 0 || diff.comparison.relation === 'undecided'
  const kinds = (['rejected', 'accepted'] as const).filter((kind) => [kind, 'any'].includes(failOn))
  const verdicts = kinds.filter((kind) => diffs.some(changes(kind)))
  const changed = diffs.filter((diff) => verdicts.some((kind) => changes(kind)(diff)))
  const [first] = changed
  if (!first) {
    const undecided = diffs.flatMap((diff) => diff.undecided)
    if (undecided.length === 0) return
    throw new FlagadmError('checkFailed', `inconclusive: ${undecidedText(undecided)}`)
  }
  const what = isGiven ? 'existing names' : 'names'
  const verb = first.comparison.relation === 'undecided' && !isGiven ? 'may become' : 'become'
  const ids = listed(changed.map(({ project }) => project?.id ?? ''))
  const where = diffs.length > 1 ? ` in ${ids}` : ''
  const text = `${what} ${verb} ${verdicts.join(' and ')}${where}`
  throw new FlagadmError('checkFailed', text)
}

async function showDiff(
  context: Context,
  format: (typeof formats)[number],
  options: DiffOptions,
): Promise<void> {
  const { closing } = context
  const { rule } = await givenRule(context, options)
  const projects = await readProjectsFor(context, options)
  const { results } = projects
  if (results.length === 0) await finish(context, projects)
  const diffs = await diffsFor(context, options, rule.pattern ?? '', results)
  const comparisons = diffs.map((diff) => comparing(diff, closing))
  const hasFlags = selectsProjects(options) && options.namesFrom === undefined
  const names = hasFlags ? undefined : placedNames(context, [], options.namesFrom, [])
  for await (const batch of batchesFor(comparisons, names)) {
    for (const comparison of batch.checks) await comparison.add(batch)
  }
  const isGiven = selectsProjects(options) || options.namesFrom !== undefined
  const isOne = isSingle(options)
  const shown = diffs.map((diff): ProblemGroup => {
    return {
      heading: isOne ? undefined : diff.project?.id,
      title: titleOf(diff),
      problems: diffProblems(diff).map((problem) =>
        isOne ? { ...problem, project: undefined } : problem,
      ),
      facts: factsOf(diff, isGiven),
    }
  })
  const documents = diffs.map((diff) => documentOf(diff, isGiven))
  const json = (isOne ? documents[0] : undefined) ?? { projects: documents }
  const { incomplete } = projects
  const report = { title: 'flagadm naming diff', groups: shown, incomplete, json, fields }
  await printReport(format, report, context)
  await finish(context, projects, () => refuseChange(diffs, isGiven, options.failOn))
  if (!isGiven || diffs.some(({ compared }) => compared > 0)) return
  const { namesFrom, failOn } = options
  const isListed = namesFrom !== undefined && diffs.length > 0
  const empty = isListed ? emptyList(namesFrom) : { why: withoutFlagsText(options, projects) }
  if (failOn) refuseEmpty(context.messages, options, empty)
  else context.messages.note(`nothing to compare: ${empty.why}`)
}

export const define: Define = (command, context) => {
  const format = context.formats(command, formats)
  const failOn =
    'exit with 9 if names become rejected or accepted; only existing names, if there are any'
  return withExamples(command, [
    'flagadm naming diff --from old.yaml --rule naming.yaml',
    'flagadm naming diff --from old.yaml --rule naming.yaml --names-from flags.txt',
    'flagadm naming diff --project checkout --rule naming.yaml -p sandbox',
    'flagadm naming diff --all-projects --rule naming.yaml -p sandbox',
  ])
    .optionsGroup('Rules:')
    .addOption(new Option('--from <file>', 'file with the old rule').conflicts('fromPattern'))
    .option('--from-pattern <regex>', 'pattern of the old rule, instead of a file')
    .addOption(new Option('--rule <file>', 'file with the new rule').conflicts('pattern'))
    .option('--pattern <regex>', 'pattern of the new rule, instead of a file')
    .addOption(projectOption('old rule and names of this project, unless others are given'))
    .option('--all-projects', 'old rules and names of all projects that the service lists')
    .optionsGroup('Check:')
    .option('--names-from <path>', "existing names, one per line ('-': standard input)")
    .addOption(choice('--fail-on <change>', failOn, ['rejected', 'accepted', 'any']))
    .addOption(allowEmptyOption())
    .action((options) => showDiff(context, format(), options))
}
