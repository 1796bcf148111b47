import { FlagadmError, problemText } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import { listed } from '../output/incomplete.ts'
import { groupDigits } from '../output/numbers.ts'
import { type CodeEvidence, CUT, type Evidence, placeText, type UsageEvidence } from './evidence.ts'
import { type Flag, lastSeen } from './flags.ts'
import { latest } from './records.ts'
import { ageText, durationText, sinceText, timeText } from './span.ts'

/** The answers to "may this flag go?". */
export const verdicts = [
  'removable',
  'in use',
  'unclear',
  'permanent',
  'archived',
  'not a flag',
] as const
export type Verdict = (typeof verdicts)[number]

/** A verdict as the value of an option: `in-use`. */
export function optionValue(verdict: Verdict): string {
  return verdict.replaceAll(' ', '-')
}

/** What usage alone says about the span. */
export type UsageState = 'used' | 'unused' | 'unclear'

/** The conditions of a verdict besides the evidence. Times are in milliseconds. */
export interface Terms {
  /** The time of the service since the epoch. */
  now: number
  notSeenFor: number
  includePermanent?: boolean | undefined
  /** Whether only a part of the usage counts: then no flag is removable. */
  isFiltered?: boolean | undefined
}

/** A verdict on a flag. */
export interface Decision {
  verdict: Verdict
  usage: UsageState
  /** In the order of their weight. */
  reasons: readonly string[]
  /** Whether it is removable but on where no SDK asked for it. */
  isOn: boolean
  /** Whether it is in use but on everywhere, so that it could become permanent in code. */
  isOnEverywhere: boolean
}

const permanentTypes: readonly (string | undefined)[] = ['kill-switch', 'permission']

// The expected lifetime of a release flag, unless an administrator of the service has changed it.
const RELEASE_LIFETIME_MS = 40 * 24 * 3_600_000

/** Decides what can be done with a flag, except that others may depend on it: only one of which everything is known is removable. */
export function decide(evidence: Evidence, terms: Terms): Decision {
  const { flag, absence, usage } = evidence
  const state = usageState(evidence)
  const decision = (verdict: Verdict, reasons: readonly string[]): Decision => {
    return { verdict, usage: state, reasons, isOn: false, isOnEverywhere: false }
  }
  if (absence && (state !== 'used' || absence.kind === 'archived')) {
    const code = evidence.code ? codeTies(evidence.code) : []
    return { ...decision(absence.kind, [absence.reason, ...code]), usage: 'unclear' }
  }
  if (flag && !terms.includePermanent && permanentTypes.includes(flag.type)) {
    return decision('permanent', [`type ${flag.type}`])
  }
  if (usage instanceof FlagadmError) {
    const unread = `the usage could not be read: ${problemText(usage)}`
    return decision('unclear', [unread, ...stateTexts(flag, terms)])
  }
  if (state === 'used') {
    const advice = adviceFor(flag, usage, terms)
    const uses = usage.isUsed ? [useText(usage)] : stateTexts(flag, terms)
    return { ...decision('in use', [...uses, ...advice]), isOnEverywhere: advice.length > 0 }
  }
  const obstacles = [...usage.doubts, ...recencyDoubts(flag, terms), ...ties(evidence, terms)]
  if (!flag || obstacles.length > 0) {
    const unknown = flag ? [] : ['the service does not list its flags, so it may not exist']
    return decision('unclear', [...unknown, ...obstacles, ...stateTexts(flag, terms)])
  }
  const isOn = flag.environments.some(({ enabled }) => enabled)
  const reasons = [
    ...stateTexts(flag, terms, true),
    ...(isOn ? ['check why it is on where no SDK asked for it'] : []),
    ...(evidence.code ? ['not in the code'] : []),
    `no usage ${sinceText(usage)}`,
  ]
  return { ...decision('removable', reasons), isOn }
}

function usageState({ flag, usage }: Evidence): UsageState {
  if (usage instanceof FlagadmError) return 'unclear'
  if (usage.isUsed || usage.isSeen) return 'used'
  return flag && usage.doubts.length === 0 ? 'unused' : 'unclear'
}

/** The number of evaluations: `1 evaluation`, `5,123 evaluations`. */
export function evaluationsText({ enabled, disabled }: UsageEvidence['totals']): string {
  const total = enabled + disabled
  // A service may send counts of variants alone, or counts that cancel each other out.
  if (total === 1) return '1 evaluation'
  return total > 0 ? `${groupDigits(total)} evaluations` : 'usage'
}

function useText(usage: UsageEvidence): string {
  const { totals, lastUsed, applications, environments, isCut } = usage
  const when =
    lastUsed === undefined
      ? 'used at an unknown time'
      : `last used in the hour from ${timeText(lastUsed)}`
  const cut = isCut ? `; ${CUT}, so there may be more` : ''
  return `${evaluationsText(totals)}, ${when}${placeText(applications, environments)}${cut}`
}

/** Where a flag is on: `on in production`, `off everywhere`; undefined if that is not known. */
export function switchText({ environments }: Flag): string | undefined {
  const on = environments.filter(({ enabled }) => enabled)
  if (on.length > 0) return `on in ${listed(on.map(({ name }) => name))}`
  const isOff = environments.length > 0 && environments.every(({ enabled }) => enabled === false)
  return isOff ? 'off everywhere' : undefined
}

/** When a flag was last seen: a project may have lost the environment in which it was. */
export function seenText(flag: Flag, now: number): string | undefined {
  const { time, environments, isReported } = lastSeen(flag, undefined)
  const names = flag.environments.map(({ name }) => name)
  if (time !== undefined) {
    const where = environments.length > 0 ? ` in ${listed(environments)}` : ''
    return `last seen ${ageText(now - time)} ago${where}`
  }
  return isReported ? `not seen in its project's environments (${listed(names)})` : undefined
}

/** The state of a flag: `on in production, created 300d ago, last seen 5d ago in production`. */
function stateTexts(
  flag: Flag | undefined,
  { now, notSeenFor }: Terms,
  showsAge = false,
): string[] {
  if (!flag) return []
  const created = timeOf(flag.createdAt)
  const isShown = created !== undefined && (showsAge || created > now - notSeenFor)
  const age = isShown ? `created ${ageText(now - created)} ago` : undefined
  const parts = [switchText(flag), age, seenText(flag, now)].filter((part) => part !== undefined)
  return parts.length > 0 ? [parts.join(', ')] : []
}

/** The advice about a release flag past its expected lifetime that was on in every evaluation. */
function adviceFor(
  flag: Flag | undefined,
  { totals }: UsageEvidence,
  { now, isFiltered }: Terms,
): string[] {
  if (!flag || isFiltered) return []
  const { type, environments } = flag
  const isOn = environments.length > 0 && environments.every(({ enabled }) => enabled)
  const age = now - (timeOf(flag.createdAt) ?? now)
  const isOld = type === 'release' && age > RELEASE_LIFETIME_MS
  if (!isOld || !isOn || totals.enabled === 0 || totals.disabled !== 0) return []
  return [`on everywhere, ${ageText(age)} old: make it permanent in code`]
}

/** Why the flag may be too recent, or was seen too recently. */
function recencyDoubts(flag: Flag | undefined, { now, notSeenFor }: Terms): string[] {
  if (!flag) return []
  const { time, isReported } = lastSeen(flag, undefined)
  const created = timeOf(flag.createdAt)
  const since = latest([created, time])
  const doubts: string[] = []
  if (!isReported) doubts.push('the service does not report when it was last seen')
  if (created === undefined) doubts.push('the service does not report when it was created')
  if (since !== undefined && since > now - notSeenFor) {
    const until = timeText(since + notSeenFor)
    doubts.push(`too recent until ${until} (--not-seen-for ${durationText(notSeenFor)})`)
  }
  return doubts
}

/** Why something may break without the flag. */
function ties({ details, code }: Evidence, { isFiltered }: Terms): string[] {
  return [
    ...(isFiltered ? ['--app and --environment leave out other usage'] : []),
    ...(details instanceof FlagadmError
      ? [`the flags that depend on it could not be read: ${problemText(details)}`]
      : []),
    ...(details !== undefined && !(details instanceof FlagadmError) && details.isArchived
      ? ['it was archived in the meantime']
      : []),
    ...(code ? codeTies(code) : []),
  ]
}

const MAX_PLACES = 3

/** What the code says about a flag: its places, or else why there may be some. */
export function codeTies({ places, doubts }: CodeEvidence): string[] {
  if (places.length === 0) return [...doubts]
  const first = places.slice(0, MAX_PLACES).map(({ file, line }) => `${file}:${line}`)
  const more = places.length - first.length
  return [`in the code: ${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
}

/** A flag with its verdict. */
export interface Row extends Decision {
  evidence: Evidence
}

/** The place of a row in a report: what can go comes first, what is in use comes last. */
export function rankOf({ verdict, isOn, isOnEverywhere }: Row): number {
  if (verdict === 'removable') return isOn ? 1 : 0
  if (verdict === 'in use') return isOnEverywhere ? 3 : 4
  return { unclear: 2, permanent: 5, archived: 6, 'not a flag': 7 }[verdict]
}

/**
 * The verdicts on flags that others depend on: one goes only together with all of those.
 * @param rows by name, with the flags that depend on removable ones
 */
export function withDependents(rows: ReadonlyMap<string, Row>): Map<string, Row> {
  const decided = new Map(rows)
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (const [name, row] of decided) {
      const blocker = row.verdict === 'removable' && blockerOf(row, decided)
      if (!blocker) continue
      decided.set(name, {
        ...row,
        verdict: 'unclear',
        reasons: [blocker, ...row.reasons],
        isOn: false,
      })
      hasChanged = true
    }
  }
  for (const [name, row] of decided) {
    const dependents = row.verdict === 'removable' ? liveDependents(row, decided) : []
    if (dependents.length === 0) continue
    const verb = dependents.length === 1 ? 'depends' : 'depend'
    const together = `${listed(dependents)} ${verb} on it: archive them together`
    decided.set(name, { ...row, reasons: [...row.reasons, together] })
  }
  return decided
}

/** The flags that depend on it, as far as they were read. */
export function dependentsOf({ evidence: { details } }: Row): readonly string[] {
  return details === undefined || details instanceof FlagadmError ? [] : details.dependents
}

/** The flags that depend on it and are not archived. */
function liveDependents(row: Row, rows: ReadonlyMap<string, Row>): string[] {
  return dependentsOf(row).filter((name) => rows.get(name)?.verdict !== 'archived')
}

/** Which dependent flag keeps a flag; undefined if none does. */
function blockerOf(row: Row, rows: ReadonlyMap<string, Row>): string | undefined {
  const others = liveDependents(row, rows).filter((name) => rows.get(name)?.verdict !== 'removable')
  const [first] = others
  if (first === undefined) return undefined
  const verdict = rows.get(first)?.verdict ?? 'unclear'
  if (others.length === 1) return `${first} depends on it and is ${verdict}`
  return `${listed(others)} depend on it and are not removable`
}
