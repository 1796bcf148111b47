import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { formats } from '../formats.ts'
import { diffRules, type RuleDiff } from '../naming/diff.ts'
import { createMatcher } from '../naming/matcher.ts'
import { compileFailure } from '../naming/rule.ts'
import {
  type Change,
  type ChangedName,
  type NamingDiff,
  renderDiff,
} from '../output/naming-diff.ts'
import { placedNames, scanNames } from './names.ts'
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
  const format = context.format(formats.diff)
  const from = await patternFor(context, options.from, '--from')
  const to = await patternFor(context, options.to, '--to')
  const names = await affectedNames(context, from, to, options)
  const given = options.namesFrom !== undefined || options.scan !== undefined
  const diff = toNamingDiff(await diffRules(from, to, context.signal), names, given)
  const shown = context.redactor.redactAll(diff)
  await context.write(await renderDiff(format, shown, context.width, context.style))
  refuseChange(diff, options.failOn)
}

async function patternFor(context: Context, text: string, option: string): Promise<string> {
  if (text.startsWith(PATTERN)) return text.slice(PATTERN.length)
  const { rule } = await readRuleFile(context, text, option)
  return rule.pattern ?? ''
}

interface AffectedNames {
  compared: number
  accepted: ChangedName[]
  rejected: ChangedName[]
}

/** Matches as the service does: a pattern that does not compile accepts every name. */
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
  const affected: AffectedNames = { compared: 0, accepted: [], rejected: [] }
  const { uses } = await scanNames(context, options)
  for await (const { names, placeOf } of placedNames(context, [], options.namesFrom, uses)) {
    affected.compared += names.length
    const [old, now] = [await before.verdicts(names), await after.verdicts(names)]
    for (const [index, name] of names.entries()) {
      if ((old[index] === true) === (now[index] === true)) continue
      const changed = now[index] === true ? affected.accepted : affected.rejected
      changed.push({ name, ...placeOf(index) })
    }
  }
  return affected
}

function toNamingDiff(diff: RuleDiff, names: AffectedNames, given: boolean): NamingDiff {
  return {
    relation: diff.relation,
    newlyAccepted: { witnesses: diff.newlyAccepted, uses: names.accepted },
    newlyRejected: { witnesses: diff.newlyRejected, uses: names.rejected },
    compared: given ? names.compared : undefined,
  }
}

/** Only existing names count if any were given; otherwise every legal name does, and an undecided relation may change some. */
function refuseChange(diff: NamingDiff, failOn: DiffOptions['failOn']): void {
  if (failOn === undefined) return
  const given = diff.compared !== undefined
  const hasChange = ({ witnesses, uses }: Change) =>
    given ? uses.length > 0 : witnesses.length > 0 || diff.relation === 'undecided'
  const changes = [
    ...(failOn !== 'accepted' && hasChange(diff.newlyRejected) ? ['rejected'] : []),
    ...(failOn !== 'rejected' && hasChange(diff.newlyAccepted) ? ['accepted'] : []),
  ]
  if (changes.length === 0) return
  const what = given ? 'existing names' : 'names'
  const verb = diff.relation === 'undecided' && !given ? 'may become' : 'become'
  throw new FlagadmError('checkFailed', `${what} ${verb} ${changes.join(' and ')}`)
}
