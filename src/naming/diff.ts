import type { Context } from '../old/context.ts'
import { FlagadmError } from '../errors.ts'
import { writeReport } from '../old/output/file.ts'
import { formats } from '../old/output/formats.ts'
import { listed } from '../old/output/phrases.ts'
import { inRepository, type Placing } from '../names/repository.ts'
import { scanIfAsked, type ScanOptions } from '../names/scanning.ts'
import { hasNames, type PlacedNames, placedNames } from '../names/sources.ts'
import { type ProjectResults, nothingMissing, refuseUnread } from '../projects/missing.ts'
import { type ProjectOptions, selectsProjects, selectsSeveral } from '../projects/selection.ts'
import { createNameMatcher, enforcedPattern } from './rule.ts'
import { type NamingProject, readNamingProjects } from './project.ts'
import {
  type AffectedNames,
  type NameUse,
  type NamingDiff,
  renderDiff,
  undecidedText,
} from './report/diff.ts'
import { Budget } from './budget.ts'
import { relate } from './relation.ts'
import { readRuleFile, refuseLongRule } from './rule-source.ts'
import { batchesFor } from './scoped-rules.ts'

interface DiffOptions extends ScanOptions, ProjectOptions {
  from?: string | undefined
  to: string
  namesFrom?: string | undefined
  failOn?: 'rejected' | 'accepted' | 'any' | undefined
  outputFile?: string | undefined
}

const PATTERN = 'pattern:'

/**
 * Shows what changes when one rule replaces another: for all legal names, and for existing ones. With projects, shows
 * it for each of them: its rule is the old one and its flags are the existing names, unless others are given.
 * @throws `checkFailed` for a change that `--fail-on` specifies, or if names could not be matched then, and for rules
 * that are too long to compare
 */
export async function diffNaming(context: Context, options: DiffOptions): Promise<void> {
  const format = context.format(formats.diff)
  const ownFlags = selectsProjects(options) && !hasNames([], options)
  const projects = await projectsOf(context, options, ownFlags)
  const { results, missing } = projects
  if (results.length === 0) refuseUnread(projects)
  const rules = await rulesOf(context, options, results)
  const code = await scanIfAsked(context, [], options)
  for (const { from, to } of rules) {
    if (from === to) continue
    refuseLongRule({ pattern: from })
    refuseLongRule({ pattern: to })
  }
  const comparisons = rules.map((rule) => createNameComparison(rule, context.signal))
  const names = placedNames(context, [], options.namesFrom, code.references)
  for await (const batch of batchesFor(comparisons, ownFlags ? undefined : names)) {
    for (const comparison of batch.checks) await comparison.add(batch)
  }
  const isGiven = selectsProjects(options) || hasNames([], options) || code.files > 0
  const placed = inRepository(format, context.host.cwd)
  const diffs: NamingDiff[] = []
  for (const comparison of comparisons) {
    diffs.push(await diffOf(comparison, placed, isGiven, context.signal))
  }
  const outcome = {
    diffs,
    isSingle: !selectsSeveral(options),
    missing: { ...missing, lookups: code.unread },
  }
  await writeReport(context, options.outputFile, (printer) => [
    renderDiff(format, outcome, printer),
  ])
  refuseChange(diffs, options.failOn)
  refuseUnread(projects)
}

async function projectsOf(
  context: Context,
  options: DiffOptions,
  flags: boolean,
): Promise<ProjectResults<NamingProject>> {
  if (selectsProjects(options)) {
    const usablePattern = options.from === undefined && selectsSeveral(options)
    return readNamingProjects(context, options, { flags, usablePattern })
  }
  if (options.from !== undefined) return { results: [], missing: nothingMissing, failures: [] }
  throw new FlagadmError('usage', 'no old rule given', {
    hint: 'use --from <rule>, or --project <id> for the stored rule of a project',
  })
}

/** The patterns to compare, and the project that they are for. */
interface RuleChange {
  project: NamingProject | undefined
  from: string
  to: string
}

async function rulesOf(
  context: Context,
  options: DiffOptions,
  projects: readonly NamingProject[],
): Promise<RuleChange[]> {
  const given =
    options.from === undefined ? undefined : await patternFor(context, options.from, '--from')
  const to = await patternFor(context, options.to, '--to')
  if (!selectsProjects(options)) return [{ project: undefined, from: given ?? '', to }]
  return projects.map((project) => ({ project, from: given ?? project.rule.pattern ?? '', to }))
}

async function patternFor(context: Context, text: string, option: string): Promise<string> {
  if (text.startsWith(PATTERN)) return text.slice(PATTERN.length)
  const { rule } = await readRuleFile(context, text, option)
  return rule.pattern ?? ''
}

interface ComparedNames {
  compared: number
  accepted: NameUse[]
  rejected: NameUse[]
  /** Those that could not be matched with both rules in time. */
  undecided: NameUse[]
}

type NameComparison = ReturnType<typeof createNameComparison>

/** Compares the verdicts of the old and the new rule on some names. */
function createNameComparison(rules: RuleChange, signal: AbortSignal) {
  const before = createNameMatcher(enforcedPattern(rules.from), signal)
  const after = createNameMatcher(enforcedPattern(rules.to), signal)
  const found: ComparedNames = { compared: 0, accepted: [], rejected: [], undecided: [] }
  return {
    ...rules,
    found,
    async add({ names, placeOf }: PlacedNames): Promise<void> {
      found.compared += names.length
      const [old, now] = [await before(names), await after(names)]
      for (const [index, name] of names.entries()) {
        if (old[index] === now[index] && now[index] !== 'timeout') continue
        const isUndecided = old[index] === 'timeout' || now[index] === 'timeout'
        const kind = isUndecided ? 'undecided' : now[index] ? 'accepted' : 'rejected'
        found[kind].push({ name, ...placeOf(index) })
      }
    },
  }
}

async function diffOf(
  { project, from, to, found }: NameComparison,
  placed: Placing,
  isGiven: boolean,
  signal: AbortSignal,
): Promise<NamingDiff> {
  const { relation, accepted, rejected } = await relate(from, to, new Budget(signal))
  return {
    project: project?.id,
    relation,
    newlyAccepted: {
      witnesses: accepted === undefined ? [] : [accepted],
      uses: found.accepted.map(placed),
    },
    newlyRejected: {
      witnesses: rejected === undefined ? [] : [rejected],
      uses: found.rejected.map(placed),
    },
    compared: isGiven ? found.compared : undefined,
    undecided: found.undecided.map(placed),
  }
}

/** If existing names were given, only they count. Otherwise every legal name does, and an undecided relation counts as a change. */
function refuseChange(diffs: readonly NamingDiff[], failOn: DiffOptions['failOn']): void {
  if (failOn === undefined) return
  const hasChange = (diff: NamingDiff, { witnesses, uses }: AffectedNames) =>
    diff.compared === undefined
      ? witnesses.length > 0 || diff.relation === 'undecided'
      : uses.length > 0
  const rejected =
    failOn === 'accepted' ? [] : diffs.filter((diff) => hasChange(diff, diff.newlyRejected))
  const accepted =
    failOn === 'rejected' ? [] : diffs.filter((diff) => hasChange(diff, diff.newlyAccepted))
  const changed = diffs.filter((diff) => rejected.includes(diff) || accepted.includes(diff))
  const [first] = changed
  if (!first) {
    const undecided = diffs.flatMap((diff) => diff.undecided)
    if (undecided.length === 0) return
    throw new FlagadmError('checkFailed', `inconclusive: ${undecidedText(undecided)}`)
  }
  const isGiven = first.compared !== undefined
  const what = isGiven ? 'existing names' : 'names'
  const verb = first.relation === 'undecided' && !isGiven ? 'may become' : 'become'
  const verdicts = [rejected.length > 0 && 'rejected', accepted.length > 0 && 'accepted']
  const where = diffs.length > 1 ? ` in ${listed(changed.map(({ project = '' }) => project))}` : ''
  throw new FlagadmError(
    'checkFailed',
    `${what} ${verb} ${verdicts.filter(Boolean).join(' and ')}${where}`,
  )
}
