import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { diffRules, type RuleDiff } from '../naming/diff.ts'
import { createMatcher } from '../naming/matcher.ts'
import { compileFailure } from '../naming/rule.ts'
import { type Change, diffText, type NamingDiff } from '../output/naming-diff.ts'
import { jsonReport } from '../output/report/json.ts'
import { placedNames } from './naming-names.ts'
import { readRuleFile } from './naming-rule.ts'

interface DiffOptions {
  from: string
  to: string
  namesFrom?: string | undefined
  scan?: string[] | undefined
  match?: string[] | undefined
  failOn?: 'rejected' | 'accepted' | 'any' | undefined
}

const PATTERN = 'pattern:'

/**
 * Shows what changes when one rule replaces another: for all legal names, and for existing ones.
 * @throws `checkFailed` when there is a change that fails
 */
export async function diffNaming(context: Context, options: DiffOptions): Promise<void> {
  const format = context.format(['text', 'json'])
  const from = await patternFor(context, options.from, '--from')
  const to = await patternFor(context, options.to, '--to')
  const names = await affectedNames(context, from, to, options)
  const diff = toNamingDiff(await diffRules(from, to, context.signal), names)
  await context.write(format === 'json' ? jsonReport(diff) : diffText(diff, await context.style()))
  const given = options.namesFrom !== undefined || options.scan !== undefined
  refuseChange(diff, options.failOn, given)
}

async function patternFor(context: Context, text: string, option: string): Promise<string> {
  if (text.startsWith(PATTERN)) return text.slice(PATTERN.length)
  const { rule } = await readRuleFile(context, text, option)
  return rule.pattern ?? ''
}

interface AffectedNames {
  accepted: string[]
  rejected: string[]
}

/** As the service enforces it: a pattern that does not compile lets every name pass. */
function enforcer(pattern: string, signal: AbortSignal) {
  return createMatcher(compileFailure(pattern) === undefined ? pattern : '', signal)
}

async function affectedNames(
  context: Context,
  from: string,
  to: string,
  options: DiffOptions,
): Promise<AffectedNames> {
  const [before, after] = [enforcer(from, context.signal), enforcer(to, context.signal)]
  const [accepted, rejected] = [new Set<string>(), new Set<string>()]
  for await (const { names } of placedNames(context, [], options)) {
    const [old, now] = [await before.verdicts(names), await after.verdicts(names)]
    for (const [index, name] of names.entries()) {
      if (old[index] !== true && now[index] === true) accepted.add(name)
      if (old[index] === true && now[index] !== true) rejected.add(name)
    }
  }
  return { accepted: [...accepted], rejected: [...rejected] }
}

function toNamingDiff(diff: RuleDiff, { accepted, rejected }: AffectedNames): NamingDiff {
  return {
    relation: diff.relation,
    newlyAccepted: { witnesses: diff.newlyAccepted, names: accepted },
    newlyRejected: { witnesses: diff.newlyRejected, names: rejected },
  }
}

/** With existing names given, only they count; without, any legal name, and what is undecided may change. */
function refuseChange(diff: NamingDiff, failOn: DiffOptions['failOn'], given: boolean): void {
  if (failOn === undefined) return
  const happens = ({ witnesses, names }: Change) =>
    given ? names.length > 0 : witnesses.length > 0 || diff.relation === 'undecided'
  const changes = [
    ...(failOn !== 'accepted' && happens(diff.newlyRejected) ? ['rejected'] : []),
    ...(failOn !== 'rejected' && happens(diff.newlyAccepted) ? ['accepted'] : []),
  ]
  if (changes.length === 0) return
  const what = given ? 'existing names' : 'names'
  const verb = diff.relation === 'undecided' && !given ? 'may become' : 'become'
  throw new FlagadmError('checkFailed', `${what} ${verb} ${changes.join(' and ')}`)
}
