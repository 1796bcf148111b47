import type { Context } from '../context.ts'
import { listed } from '../output/phrases.ts'
import { FlagadmError } from '../errors.ts'
import { formats } from '../output/formats.ts'
import { diffRules } from './rule-diff.ts'
import { createNameMatcher } from './engine/matcher.ts'
import { enforcedPattern, lengthProblem } from './engine/rule.ts'
import {
  type AffectedNames,
  type NameUse,
  type NamingDiff,
  renderDiff,
  undecidedText,
} from './report/diff.ts'
import { inRepository, type Placing } from '../names/repository.ts'
import { asksScan, type ScanOptions, scanIfAsked } from '../names/scanning.ts'
import { type PlacedNames, placedNames } from '../names/sources.ts'
import { type NamingProject, readNamingProjects } from './project.ts'
import { readRuleFile, refuseLongRule } from './rule-source.ts'

interface DiffOptions extends ScanOptions {
  from?: string | undefined
  to: string
  project?: string | undefined
  namesFrom?: string | undefined
  failOn?: 'rejected' | 'accepted' | 'any' | undefined
}

const PATTERN = 'pattern:'

/**
 * Shows what changes when one rule replaces another: for all legal names, and for existing ones. With a
 * project, its rule is the old one and its flags are the existing names, unless others are given.
 * @throws `checkFailed` for a change that `--fail-on` specifies, or if names could not be matched then, and for rules
 * that are too long to compare
 */
export async function diffNaming(context: Context, options: DiffOptions): Promise<void> {
  const format = context.format(formats.diff)
  const { namesFrom } = options
  const listed = namesFrom !== undefined || asksScan(options)
  const project = await projectOf(context, options, !listed)
  const from = await oldPattern(context, options, project)
  const to = await patternFor(context, options.to, '--to')
  const flags = project?.flagNames ?? []
  const code = await scanIfAsked(context, options, namesFrom !== undefined || project !== undefined)
  if (from !== to)
    refuseLongRule(lengthProblem({ pattern: from }) ?? lengthProblem({ pattern: to }))
  const names = placedNames(context, flags, namesFrom, code.references)
  const { compared, undecided, ...uses } = await compareNames(context, from, to, names)
  const { relation, ...examples } = await diffRules(from, to, context.signal)
  const diff: NamingDiff = {
    relation,
    newlyAccepted: { witnesses: examples.newlyAccepted, uses: uses.accepted },
    newlyRejected: { witnesses: examples.newlyRejected, uses: uses.rejected },
    compared: listed || project || code.files > 0 ? compared : undefined,
    undecided,
    unread: code.unread,
  }
  await context.write(
    renderDiff(format, placedDiff(diff, inRepository(format, context.host.cwd)), context.printer),
  )
  refuseChange(diff, options.failOn)
}

function placedDiff(diff: NamingDiff, placed: Placing): NamingDiff {
  const change = ({ witnesses, uses }: AffectedNames) => ({ witnesses, uses: uses.map(placed) })
  return {
    ...diff,
    newlyAccepted: change(diff.newlyAccepted),
    newlyRejected: change(diff.newlyRejected),
    undecided: diff.undecided.map(placed),
  }
}

async function projectOf(
  context: Context,
  { from, project }: DiffOptions,
  withFlags: boolean,
): Promise<NamingProject | undefined> {
  if (project === undefined) {
    if (from !== undefined) return undefined
    throw new FlagadmError('usage', 'no old rule given', {
      hint: 'use --from <rule>, or --project <id> for the stored rule of a project',
    })
  }
  const { results } = await readNamingProjects(
    context,
    { project: [project] },
    { flags: withFlags },
  )
  if (results.length > 1) {
    throw new FlagadmError('usage', `several projects match ${project}`, {
      hint: `use --project with one of ${listed(results.map(({ id }) => id))}`,
    })
  }
  return results[0]
}

async function oldPattern(
  context: Context,
  { from }: DiffOptions,
  project: NamingProject | undefined,
): Promise<string> {
  return from === undefined ? (project?.rule.pattern ?? '') : patternFor(context, from, '--from')
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

async function compareNames(
  context: Context,
  from: string,
  to: string,
  sources: AsyncIterable<PlacedNames>,
): Promise<ComparedNames> {
  const before = createNameMatcher(enforcedPattern(from), context.signal)
  const after = createNameMatcher(enforcedPattern(to), context.signal)
  const found: ComparedNames = { compared: 0, accepted: [], rejected: [], undecided: [] }
  for await (const { names, placeOf } of sources) {
    found.compared += names.length
    const [old, now] = [await before.match(names), await after.match(names)]
    for (const [index, name] of names.entries()) {
      if (old[index] === now[index] && now[index] !== 'timeout') continue
      const isUndecided = old[index] === 'timeout' || now[index] === 'timeout'
      const kind = isUndecided ? 'undecided' : now[index] ? 'accepted' : 'rejected'
      found[kind].push({ name, ...placeOf(index) })
    }
  }
  return found
}

/** If existing names were given, only they count. Otherwise every legal name does, and an undecided relation counts as a change. */
function refuseChange(diff: NamingDiff, failOn: DiffOptions['failOn']): void {
  if (failOn === undefined) return
  const given = diff.compared !== undefined
  const hasChange = ({ witnesses, uses }: AffectedNames) =>
    given ? uses.length > 0 : witnesses.length > 0 || diff.relation === 'undecided'
  const changes = [
    ...(failOn !== 'accepted' && hasChange(diff.newlyRejected) ? ['rejected'] : []),
    ...(failOn !== 'rejected' && hasChange(diff.newlyAccepted) ? ['accepted'] : []),
  ]
  if (changes.length === 0) {
    if (diff.undecided.length === 0) return
    throw new FlagadmError('checkFailed', `inconclusive: ${undecidedText(diff.undecided)}`)
  }
  const what = given ? 'existing names' : 'names'
  const verb = diff.relation === 'undecided' && !given ? 'may become' : 'become'
  throw new FlagadmError('checkFailed', `${what} ${verb} ${changes.join(' and ')}`)
}
