import type { Context, Define } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { inRepository } from '../names/repository.ts'
import { choice, withExamples } from '../options.ts'
import type { RowField } from '../output/fields.ts'
import { counted, listed } from '../output/incomplete.ts'
import type { Place, Problem } from '../output/problems.ts'
import { printReport, type Result } from '../output/report.ts'
import {
  type ProjectOptions,
  projectOption,
  type ProjectResults,
  singleProject,
  throwFailures,
} from '../project/reading.ts'
import { Budget } from './budget.ts'
import { type Comparison, relate, relationTexts } from './relation.ts'
import { compileFailure, createNameMatcher, enforcedPattern } from './rule.ts'
import {
  batchesFor,
  finish,
  type NamingProject,
  placedNames,
  type PlacedNames,
  readNamingProjects,
  readRuleFile,
  refuseLongRule,
  selectsProjects,
} from './sources.ts'

const formats = ['text', 'json', 'markdown', 'github'] as const

interface DiffOptions extends ProjectOptions {
  from?: string | undefined
  to: string
  namesFrom?: string | undefined
  failOn?: 'rejected' | 'accepted' | 'any' | undefined
}

const fields: readonly RowField<Problem>[] = [
  { name: 'project', title: 'Project', value: ({ project }) => project, kind: 'key' },
  { name: 'name', title: 'Name', value: ({ name }) => name, kind: 'key' },
  { name: 'change', title: 'Change', value: ({ message }) => message, kind: 'word' },
  { name: 'file', title: 'File', value: ({ file }) => file, kind: 'key' },
  { name: 'line', title: 'Line', value: ({ line }) => line, kind: 'number' },
]

/** The use of an existing name. */
interface NameUse extends Place {
  name: string
}

/** The patterns to compare, the project that they are for, and the existing names whose verdict changes. */
interface Change {
  project: NamingProject | undefined
  from: string
  to: string
  compared: number
  accepted: NameUse[]
  rejected: NameUse[]
  /** Those that could not be matched with both rules in time. */
  undecided: NameUse[]
}

/** A change, and how its rules relate. */
interface Diff extends Change {
  comparison: Comparison
}

async function patternFor(context: Context, text: string, option: string): Promise<string> {
  if (text.startsWith('pattern:')) return text.slice('pattern:'.length)
  return (await readRuleFile(context, text, option)).rule.pattern ?? ''
}

/** @throws a usage error without an old rule */
async function readProjectsFor(
  context: Context,
  options: DiffOptions,
): Promise<ProjectResults<NamingProject>> {
  if (selectsProjects(options)) {
    const usablePattern = options.from === undefined && singleProject(options) === undefined
    const flags = options.namesFrom === undefined
    return readNamingProjects(context, options, { flags, usablePattern })
  }
  if (options.from !== undefined) {
    return { results: [], failures: new Map(), requested: 0, incomplete: [] }
  }
  throw new FlagadmError('usage', 'no old rule given', {
    hint: 'use --from <rule>, or --project <id> for the stored rule of a project',
  })
}

async function changesFor(
  context: Context,
  options: DiffOptions,
  projects: readonly NamingProject[],
): Promise<Change[]> {
  const { from } = options
  const given = from === undefined ? undefined : await patternFor(context, from, '--from')
  const to = await patternFor(context, options.to, '--to')
  const changeOf = (project?: NamingProject): Change => {
    const none = { compared: 0, accepted: [], rejected: [], undecided: [] }
    return { project, from: given ?? project?.rule.pattern ?? '', to, ...none }
  }
  const changes = selectsProjects(options) ? projects.map(changeOf) : [changeOf()]
  for (const { from, to } of changes) {
    if (from === to) continue
    refuseLongRule({ pattern: from })
    refuseLongRule({ pattern: to })
  }
  return changes
}

/** Adds the names of a batch whose verdict changes. */
function createComparison(change: Change, signal: AbortSignal) {
  const before = createNameMatcher(enforcedPattern(change.from), signal)
  const after = createNameMatcher(enforcedPattern(change.to), signal)
  const add = async ({ names, placeOf }: PlacedNames) => {
    change.compared += names.length
    const [old, now] = [await before(names), await after(names)]
    for (const [index, name] of names.entries()) {
      const isUndecided = old[index] === 'timeout' || now[index] === 'timeout'
      if (old[index] === now[index] && !isUndecided) continue
      const kind = isUndecided ? 'undecided' : now[index] ? 'accepted' : 'rejected'
      change[kind].push({ name, ...placeOf(index) })
    }
  }
  return { project: change.project, add }
}

/** How the rules relate, as a heading and a sentence. */
function titleOf({ from, to, comparison }: Diff): string {
  const { relation, reason } = comparison
  const [hadRule, hasRule] = [from, to].map((pattern) => enforcedPattern(pattern) !== '')
  if (relation === 'narrower' && !hadRule) return 'new rule: every name was accepted before'
  if (relation === 'wider' && !hasRule) return 'no rule: every name will be accepted'
  const why = reason === undefined ? '' : `: ${reason}`
  return `${relation}: ${relationTexts[relation]}${why}`
}

function distinctNames(uses: readonly NameUse[]): string[] {
  return [...new Set(uses.map(({ name }) => name))]
}

function undecidedText(uses: readonly NameUse[]): string {
  return `${counted(distinctNames(uses).length, 'existing name')} could not be matched in time`
}

/** A pattern that does not compile. */
function brokenFact(label: string, pattern: string): [string, string][] {
  const failure = pattern === '' ? undefined : compileFailure(pattern)
  if (failure === undefined) return []
  return [[label, `does not compile (${failure}), so the service accepts every name`]]
}

function factsOf(diff: Diff, isGiven: boolean): [string, string][] {
  const { from, to, compared, comparison, accepted, rejected, undecided } = diff
  const changed = (label: string, uses: readonly NameUse[], example?: string) => {
    const parts = [
      ...(isGiven ? [counted(distinctNames(uses).length, 'existing name')] : []),
      ...(example === undefined ? [] : [`for example ${example}`]),
    ]
    return parts.length > 0 ? [[label, parts.join(', ')] satisfies [string, string]] : []
  }
  return [
    ...brokenFact('old rule', from),
    ...brokenFact('new rule', to),
    ...changed('newly accepted', accepted, comparison.accepted),
    ...changed('newly rejected', rejected, comparison.rejected),
    ...(undecided.length > 0 ? [['undecided', undecidedText(undecided)] as [string, string]] : []),
    ...(isGiven ? [['compared', counted(compared, 'existing name')] as [string, string]] : []),
  ]
}

function problemsOf({ project, accepted, rejected, undecided }: Diff): Problem[] {
  const problem = (severity: Problem['severity'], message: string) => (use: NameUse) => {
    return { code: 'naming-diff', severity, message, project: project?.id, ...use }
  }
  return [
    ...rejected.map(problem('warning', 'newly rejected')),
    ...accepted.map(problem('info', 'newly accepted')),
    ...undecided.map(problem('warning', 'could not be matched in time')),
  ]
}

/** What annotations have besides the names: the relation, and an example if no existing name changes. */
function notices(diff: Diff): Problem[] {
  const { project, comparison, accepted, rejected } = diff
  const notice = (message: string): Problem => {
    return { code: 'naming-diff', severity: 'info', message, project: project?.id }
  }
  const example = (uses: readonly NameUse[], verb: string, name?: string) =>
    uses.length > 0 || name === undefined
      ? []
      : [notice(`the new rule ${verb} names such as ${name}`)]
  return [
    notice(titleOf(diff)),
    ...example(rejected, 'rejects', comparison.rejected),
    ...example(accepted, 'accepts', comparison.accepted),
  ]
}

function documentOf(diff: Diff, isGiven: boolean): object {
  const { project, comparison, accepted, rejected, undecided, compared } = diff
  const changeOf = (uses: readonly NameUse[], witness?: string) => {
    return { witnesses: witness === undefined ? [] : [witness], names: distinctNames(uses), uses }
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
      : diff.comparison[kind] !== undefined || diff.comparison.relation === 'undecided'
  const rejected = failOn === 'accepted' ? [] : diffs.filter(changes('rejected'))
  const accepted = failOn === 'rejected' ? [] : diffs.filter(changes('accepted'))
  const changed = diffs.filter((diff) => rejected.includes(diff) || accepted.includes(diff))
  const [first] = changed
  if (!first) {
    const undecided = diffs.flatMap((diff) => diff.undecided)
    if (undecided.length === 0) return
    throw new FlagadmError('checkFailed', `inconclusive: ${undecidedText(undecided)}`)
  }
  const what = isGiven ? 'existing names' : 'names'
  const verb = first.comparison.relation === 'undecided' && !isGiven ? 'may become' : 'become'
  const verdicts = [rejected.length > 0 && 'rejected', accepted.length > 0 && 'accepted']
  const ids = listed(changed.map(({ project }) => project?.id ?? ''))
  const where = diffs.length > 1 ? ` in ${ids}` : ''
  const text = `${what} ${verb} ${verdicts.filter(Boolean).join(' and ')}${where}`
  throw new FlagadmError('checkFailed', text)
}

async function showDiff(
  context: Context,
  format: (typeof formats)[number],
  options: DiffOptions,
): Promise<void> {
  const { host, messages, out, signal } = context
  const found = await readProjectsFor(context, options)
  const { results, failures, requested, incomplete } = found
  if (results.length === 0) throwFailures(context, failures, requested, 'projects')
  const changes = await changesFor(context, options, results)
  const comparisons = changes.map((change) => createComparison(change, signal))
  const hasFlags = selectsProjects(options) && options.namesFrom === undefined
  const names = hasFlags ? undefined : placedNames(context, [], options.namesFrom)
  for await (const batch of batchesFor(comparisons, names)) {
    for (const comparison of batch.checks) await comparison.add(batch)
  }
  const diffs: Diff[] = []
  for (const change of changes) {
    const comparison = await relate(change.from, change.to, new Budget(signal))
    diffs.push({ ...change, comparison })
  }
  const isGiven = selectsProjects(options) || options.namesFrom !== undefined
  const isSingle = !selectsProjects(options) || singleProject(options) !== undefined
  if (isGiven && options.failOn && diffs.every(({ compared }) => compared === 0)) {
    messages.note('there are no existing names, so none changes')
  }
  const placed = inRepository(format, host.cwd)
  const shown = diffs.map((diff): Result => {
    const problems = [...(format === 'github' ? notices(diff) : []), ...problemsOf(diff)]
    return {
      heading: isSingle ? undefined : diff.project?.id,
      title: titleOf(diff),
      problems: problems.map((one) => placed(isSingle ? { ...one, project: undefined } : one)),
      facts: factsOf(diff, isGiven),
    }
  })
  const documents = diffs.map((diff) => documentOf(diff, isGiven))
  await printReport(
    format,
    {
      title: 'flagadm naming diff',
      results: shown,
      incomplete,
      json: isSingle ? (documents[0] ?? {}) : { projects: documents },
      fields,
      kinds: [],
      fallbackPath: 'naming',
    },
    out,
  )
  finish(context, found, () => refuseChange(diffs, isGiven, options.failOn))
}

export const define: Define = (command, context) => {
  const format = context.formats(command, formats)
  return command
    .description(
      withExamples(
        command.summary(),
        'flagadm naming diff --from old.yaml --to naming.yaml',
        'flagadm naming diff --from pattern:checkout-.+ --to naming.yaml --names-from names.txt',
        'flagadm naming diff --project checkout --to naming.yaml --fail-on rejected -p sandbox',
        'flagadm naming diff --all-projects --to naming.yaml -p sandbox',
      ),
    )
    .optionsGroup('Rules:')
    .option('--from <rule>', "old rule: a rule file, or 'pattern:<regex>'")
    .requiredOption('--to <rule>', "new rule: a rule file, or 'pattern:<regex>'")
    .addOption(
      projectOption(
        "old rule and existing names of this project, unless others are given; '*': any text",
      ),
    )
    .option('--all-projects', 'old rules and existing names of all projects that the service lists')
    .optionsGroup('Check:')
    .option('--names-from <path>', "existing names, one per line ('-': standard input)")
    .addOption(
      choice(
        '--fail-on <change>',
        'exit with 9 if existing names, or without any other names, become rejected or accepted',
        ['rejected', 'accepted', 'any'],
      ),
    )
    .action((options) => showDiff(context, format(), options))
}
