import { timeOf } from '../input/time.ts'
import type { TimeSpan } from '../input/values.ts'
import { listed } from '../output/incomplete.ts'
import { groupDigits, roundedCount } from '../output/numbers.ts'
import { ageText, agoText, DAY_MS, lastUseText } from '../output/time.ts'
import { tooRecentText } from './recent-changes.ts'
import type { Decision, Evidence, Row } from './evidence.ts'
import { placeText, type UsageQuestion } from '../usage/figure-doubts.ts'
import type { FlagTypes } from '../flags/types.ts'
import { lastSeen, type Flag } from '../flags/selection.ts'
import type { WhyKept } from './kept-flags.ts'
import { latest } from '../flags/records.ts'
import { coveredText, periodOf, type Span } from '../flags/span.ts'
import type { UsageEvidence } from './usage-evidence.ts'
import { placeOfVerdict, verdictText } from './verdicts.ts'

/** The conditions of a verdict besides the evidence: if only a part of the usage counts, no flag is removable. */
export interface Terms extends UsageQuestion {
  notSeenFor: TimeSpan
  includePermanent?: boolean | undefined
  /** By how much the clocks differ that times come from, in milliseconds; 0 if that does not matter. */
  clocksDiffer: number
  /** The oldest time when any of the flags was last seen in an environment; undefined if none was. */
  oldestSighting?: number | undefined
  types: FlagTypes
  whyKept: WhyKept
}

// Beyond that, no time can be relied on.
const MAX_DIFFERENCE_MS = 24 * 3_600_000

const permanentTypes: readonly (string | undefined)[] = ['kill-switch', 'permission']

/** Decides what can be done with a flag, except that others may depend on it: only one of which everything is known is removable. */
export function decide(evidence: Evidence, terms: Terms): Decision {
  const { flag, absence, usage, code } = evidence
  const usageState = usageStateOf(evidence, terms)
  const found = code?.texts ?? []
  if (absence) {
    // Services before Unleash 7 have usage of names that do not exist.
    const uses = usage?.isUsed ? useTexts(usage, terms) : []
    const reasons = [absence.reason, ...uses, ...found]
    return { verdict: absence.kind, usageState: 'unclear', reasons }
  }
  const stays = flag && !terms.includePermanent && whyPermanent(flag, terms)
  if (stays) return { verdict: 'permanent', usageState, reasons: [stays] }
  if (usage && usageState === 'used') {
    const advice = adviceFor(flag, usage, terms)
    // Of a flag without usage, the last fact comes first: when it was seen is why it is in use.
    const uses = usage.isUsed ? useTexts(usage, terms) : factTexts(flag, terms).reverse()
    const isOnEverywhere = advice.length > 0
    const reasons = [...advice, ...uses]
    const hasCount = usage.isUsed && !isOnEverywhere
    const rounded = hasCount ? evaluationsText(usage, terms.span, roundedCount) : undefined
    return { verdict: 'in-use', usageState, reasons, rounded, isOnEverywhere }
  }
  const obstacles = [
    ...(flag ? [] : ['the service does not list its flags, so it may not exist']),
    ...found,
    ...clockDoubts(usage, terms),
    ...(evidence.usageDoubts ?? []),
    ...evidence.doubts,
    ...(usage?.doubts ?? []),
    ...flagDoubts(flag, terms),
    ...(isFiltered(terms) ? ['--app and --environment leave out other usage'] : []),
  ]
  if (!flag || !usage || obstacles.length > 0) {
    return { verdict: 'unclear', usageState, reasons: [...obstacles, ...factTexts(flag, terms)] }
  }
  return { verdict: 'removable', usageState, ...whyRemovable({ ...evidence, flag, usage }, terms) }
}

/** Why a flag can go. That it is on comes first, because someone should find out why. */
function whyRemovable(
  { flag, usage, code }: Evidence & { flag: Flag; usage: UsageEvidence },
  terms: Terms,
): Pick<Decision, 'reasons' | 'isOn'> {
  const unused = [`no usage${coverText(usage, terms.span)}`, ...(code ? [code.absence] : [])]
  const state = stateTexts(flag)
  const facts = timeTexts(flag, terms, { hasAge: true })
  const isOn = flag.environments.some(({ enabled }) => enabled)
  if (!isOn) return { reasons: [...unused, ...state, ...facts], isOn }
  const remark = `${state.join('; ')}, where no SDK asked for it${coverText(usage, terms.span)}: check why`
  return { reasons: [remark, ...unused, ...facts], isOn }
}

/** Why a flag stays whatever its usage; undefined if nothing says that it does. */
function whyPermanent({ name, type }: Flag, { whyKept }: Terms): string | undefined {
  return whyKept(name) ?? (permanentTypes.includes(type) ? `type ${type}` : undefined)
}

const isFiltered = ({ application, environment }: Terms) => Boolean(application ?? environment)

function usageStateOf(
  { flag, usage, usageDoubts = [] }: Evidence,
  terms: Terms,
): Decision['usageState'] {
  if (usage && isNearStart(usage, terms)) return 'unclear'
  if (usage?.isUsed || usage?.isSeen) return 'used'
  if (!flag || !usage) return 'unclear'
  const doubts = [...clockDoubts(usage, terms), ...usageDoubts, ...usage.doubts]
  return doubts.length === 0 ? 'unused' : 'unclear'
}

/** Whether differing clocks decide if the last usage is in the span. */
function isNearStart({ lastUsed, seenAt, from }: UsageEvidence, { span, clocksDiffer }: Terms) {
  // The last usage may have been at the end of its hour, or day.
  const end = lastUsed === undefined ? undefined : lastUsed + periodOf(lastUsed, span)
  const last = latest([end, seenAt])
  if (clocksDiffer === 0 || last === undefined) return false
  const start = Math.min(span.start, from ?? span.start)
  return Math.abs(last - start) <= clocksDiffer
}

/** Why differing clocks leave it open whether a flag is in use. */
function clockDoubts(usage: UsageEvidence | undefined, terms: Terms): string[] {
  const { clocksDiffer } = terms
  if (clocksDiffer === 0) return []
  const difference = `the clocks differ by ${ageText(clocksDiffer)}`
  if (clocksDiffer > MAX_DIFFERENCE_MS) return [`${difference}, so no time can be relied on`]
  const isOpen = usage && isNearStart(usage, terms)
  return isOpen ? [`${difference}, so its last usage may or may not be in the span`] : []
}

/** ` in 48 h`; empty if it is not known what the figures cover. */
function coverText({ from }: UsageEvidence, span: Span): string {
  return from === undefined ? '' : ` in ${coveredText(span, from)}`
}

/** `5,123 evaluations in 48 h` */
export function evaluationsText(usage: UsageEvidence, span: Span, countText = groupDigits): string {
  const { totals } = usage
  const total = totals.enabled + totals.disabled
  // A service may send counts of variants alone, or counts that cancel each other out.
  const evaluations =
    total > 0 ? `${countText(total)} evaluation${total === 1 ? '' : 's'}` : 'usage'
  return evaluations + coverText(usage, span)
}

/** `5,123 evaluations in 48 h`, `last used 2 h ago by web in production` */
function useTexts(usage: UsageEvidence, { span }: Terms): string[] {
  const { use, applications = [], environments = [] } = usage.lastUse ?? {}
  const when = use ? lastUseText(use, span.now) : 'at an unknown time'
  return [evaluationsText(usage, span), `last used ${when}${placeText(applications, environments)}`]
}

/** The facts about a flag in the list of its project: `on in production`, `last seen 5 d ago in production`. */
function factTexts(flag: Flag | undefined, terms: Terms): string[] {
  return flag ? [...stateTexts(flag), ...timeTexts(flag, terms)] : []
}

const namesOf = (environments: Flag['environments']) => listed(environments.map(({ name }) => name))

/** `on in production` or `off everywhere`; empty if neither is known. */
function stateTexts({ environments }: Flag): string[] {
  const on = environments.filter(({ enabled }) => enabled)
  if (on.length > 0) return [`on in ${namesOf(on)}`]
  const isOff = environments.length > 0 && environments.every(({ enabled }) => enabled === false)
  return isOff ? ['off everywhere'] : []
}

/** `created 3 d ago`, `last seen 5 d ago in production`. @param hasAge whether its age matters if it is not new */
function timeTexts(
  flag: Flag,
  { span: { now }, notSeenFor }: Terms,
  { hasAge } = { hasAge: false },
): string[] {
  const texts: string[] = []
  const created = timeOf(flag.createdAt)
  const isNew = created !== undefined && created > now - notSeenFor.milliseconds
  if (created !== undefined && (hasAge || isNew)) texts.push(`created ${agoText(now - created)}`)
  const seen = lastSeen(flag)
  if (seen.time !== undefined) {
    const where = placeText([], seen.environments)
    texts.push(`last seen ${agoText(now - seen.time)}${where}`)
  } else if (seen.isReported) {
    // A project may have lost the environment in which the flag was seen.
    texts.push(`not seen in its project's environments (${namesOf(flag.environments)})`)
  }
  return texts
}

/** The advice about a flag past the expected lifetime of its type that was on in every evaluation. */
function adviceFor(flag: Flag | undefined, usage: UsageEvidence, terms: Terms): string[] {
  const { totals, doubts } = usage
  if (!flag || isFiltered(terms) || doubts.length > 0) return []
  const { now } = terms.span
  const { type, environments } = flag
  const age = now - (timeOf(flag.createdAt) ?? now)
  const isOn = environments.length > 0 && environments.every(({ enabled }) => enabled)
  const lifetime = terms.types.get(type ?? '') ?? null
  const isOld = lifetime !== null && age > lifetime * DAY_MS
  if (!isOld || !isOn || totals.enabled === 0 || totals.disabled !== 0) return []
  return [`on everywhere, ${ageText(age)} old: make it permanent in code`]
}

function typeDoubts({ type }: Flag, { types }: Terms): string[] {
  if (!type) return ['the service does not report its type']
  return types.has(type) ? [] : [`the service has no type ${type}`]
}

/** What the service does not report about the flag, and whether it is too new or was seen too recently. */
function flagDoubts(flag: Flag | undefined, terms: Terms): string[] {
  if (!flag) return []
  const { span, notSeenFor, includePermanent, clocksDiffer } = terms
  const { time, isReported, isReadable } = lastSeen(flag)
  const created = timeOf(flag.createdAt)
  const since = latest([created, time])
  const doubts: string[] = []
  if (!includePermanent) doubts.push(...typeDoubts(flag, terms))
  if (!isReadable) doubts.push('the time when it was last seen cannot be read')
  else if (!isReported) doubts.push('the service does not report when it was last seen')
  if (created === undefined) doubts.push('the service does not report when it was created')
  const limit = span.now - notSeenFor.milliseconds
  if (since !== undefined && since > limit) doubts.push(tooRecentText(since, terms))
  else if (since !== undefined && since > limit - clocksDiffer) {
    const difference = `the clocks differ by ${ageText(clocksDiffer)}`
    doubts.push(`${difference}, so it may be too recent (--not-seen-for ${notSeenFor.text})`)
  }
  return doubts
}

/** What the place of a row depends on; the verdict is null for a flag that is gone. */
type Ranked = Pick<Decision, 'isOn' | 'isOnEverywhere'> & { verdict: Decision['verdict'] | null }

/** The place of a row in a report: what can go comes first, what is in use comes last. */
export function rankOf({ verdict, isOn, isOnEverywhere }: Ranked): number {
  const place = placeOfVerdict(verdict)
  if (isOn) return place + 1
  return isOnEverywhere ? place - 1 : place
}

/** The flags that depend on it, also on those that do, and are not archived. */
function dependentsOf(row: Row, rows: ReadonlyMap<string, Row>): string[] {
  const names = new Set(row.dependents)
  // Those that are added here follow in the same loop.
  for (const name of names) {
    for (const next of rows.get(name)?.dependents ?? []) names.add(next)
  }
  names.delete(row.name)
  return [...names].filter((name) => rows.get(name)?.verdict !== 'archived')
}

/**
 * Changes the verdicts on flags that others depend on: one goes only together with all of those.
 * @param rows by name, with the flags that depend on removable ones
 */
export function decideDependents(rows: ReadonlyMap<string, Row>): void {
  for (const row of rows.values()) {
    const names = dependentsOf(row, rows)
    if (row.verdict !== 'removable' || names.length === 0) continue
    const blocker = names.find((name) => rows.get(name)?.verdict !== 'removable')
    if (blocker === undefined) {
      const verb = names.length === 1 ? 'depends' : 'depend'
      row.reasons = [...row.reasons, `${listed(names)} ${verb} on it: archive them together`]
    } else {
      const verdict = rows.get(blocker)?.verdict ?? 'unclear'
      row.verdict = 'unclear'
      row.reasons = [`${blocker} depends on it and is ${verdictText(verdict)}`, ...row.reasons]
      row.isOn = false
    }
  }
}
