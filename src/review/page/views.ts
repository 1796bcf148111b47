// What the page shows of a flag, as texts: cells of its row, and lines of the open one.
import { timeOf } from '../../input/time.ts'
import { counted, listed } from '../../output/incomplete.ts'
import { groupDigits } from '../../output/numbers.ts'
import { agoText, HOUR_MS, lastUseText, lastUseTime, timeText } from '../../output/time.ts'
import { lastSeen } from '../../flags/flag.ts'
import { placeText } from '../../usage/figure-doubts.ts'
import type { ListedRow } from '../comparison.ts'
import { placesOf } from '../tasks.ts'
import { verdictText } from '../verdicts.ts'

/** The times that a review is about, in milliseconds since the epoch. */
export interface ReviewTimes {
  firstHour: number
  now: number
}

/** A flag in an environment: when it was seen as the service wrote it, and its evaluations if they could be read. */
export interface EnvironmentState {
  name: string | null
  enabled: boolean | null
  lastSeenAt: string | null | undefined
  yes: number | null
  no: number | null
}

/** What the verdict was before. */
export function changeText({ before, isChanged, isBySpan }: ListedRow): string | undefined {
  if (!isChanged) return undefined
  if (!before) return 'new'
  return `was ${verdictText(before)}${isBySpan ? ' in a shorter span' : ''}`
}

export function onText(environments: readonly EnvironmentState[]): string | undefined {
  const on = environments.filter(({ enabled }) => enabled)
  if (on.length > 0) return on.map(({ name }) => name ?? '—').join(', ')
  if (environments.length === 0) return undefined
  return environments.every(({ enabled }) => enabled === false) ? 'off' : 'unclear'
}

/** How many evaluations a flag had; undefined if that could not be read. */
export function evaluationCount({ usage }: ListedRow): number | undefined {
  return usage && usage.totals.enabled + usage.totals.disabled
}

export function usageText(row: ListedRow): string | undefined {
  const { usage } = row
  if (!usage) return undefined
  if (!usage.isUsed) return usage.doubts.length > 0 ? 'unclear' : 'none'
  const count = evaluationCount(row) ?? 0
  // A service may send counts of variants alone, or counts that cancel each other out.
  return count > 0 ? groupDigits(count) : 'used'
}

/** The decisive reason without a number that the row has in another cell. */
export function reasonText(row: ListedRow, now: number): string | undefined {
  const { reasons, rounded, usage, flag } = row
  if (rounded !== undefined) {
    const { applications = [], environments = [] } = usage?.lastUse ?? {}
    return `used${placeText(applications, environments)}`
  }
  const seen = flag && lastSeen(flag)
  const repeated = seen?.time === undefined ? undefined : `last seen ${agoText(now - seen.time)}`
  const [first] = reasons
  return repeated && first?.startsWith(repeated)
    ? `seen${placeText([], seen?.environments ?? [])}`
    : first
}

export function codeText({ code }: ListedRow): string | undefined {
  if (!code) return undefined
  const { places = [], repositories = [] } = code
  const count = repositories.reduce((sum, one) => sum + one.places, places.length)
  if (count > 0) return counted(count, 'place')
  return code.texts.length > 0 ? 'unclear' : 'none found'
}

/** Where the code has a flag, unless a reason says so. */
export function codeLines(row: ListedRow): string[] {
  const all = placesOf(row)
  const isReason = row.code?.texts.some((text) => row.reasons.includes(text))
  return all.length > 0 && !isReason ? [listed(all, 5)] : []
}

/** `30 m ago (2026-11-20 15:40 UTC)` */
const exactly = (time: number, now: number) => `${agoText(now - time)} (${timeText(time)})`

export function createdLines({ flag, createdBy }: ListedRow, now: number): string[] {
  const created = timeOf(flag?.createdAt)
  if (created === undefined) return []
  return [`${exactly(created, now)}${createdBy ? ` by ${createdBy}` : ''}`]
}

function evaluationsText(yes: number | null, no: number | null): string {
  if (yes === null || no === null) return 'evaluations not known'
  return yes + no === 0
    ? 'no evaluations'
    : `${groupDigits(yes)} enabled, ${groupDigits(no)} disabled`
}

/** `production`, `on`, `seen 30 m ago (2026-11-20 15:40 UTC)`, `7,300 enabled, 0 disabled` */
export function environmentLine(environment: EnvironmentState, now: number): string[] {
  const { name, enabled, lastSeenAt, yes, no } = environment
  const time = timeOf(lastSeenAt)
  const unseen = lastSeenAt === null ? 'never seen' : 'when it was seen is not known'
  return [
    name ?? '—',
    enabled === null ? 'state unknown' : enabled ? 'on' : 'off',
    time === undefined ? unseen : `seen ${exactly(time, now)}`,
    evaluationsText(yes, no),
  ]
}

/** The hours that charts are of: `in 48 h` */
export function hoursText({ firstHour, now }: ReviewTimes): string {
  return `in ${Math.floor((now - firstHour) / HOUR_MS) + 1} h`
}

export function usageLines(row: ListedRow, { firstHour, now }: ReviewTimes): string[] {
  const { usage } = row
  if (!usage) return ['not known']
  if (!usage.isUsed) return [usageText(row) ?? '']
  const { totals, lastUse, hourly, from } = usage
  const use = lastUse?.use
  const when = use ? `${lastUseText(use, now)} (${lastUseTime(use)})` : 'at an unknown time'
  const lines = [evaluationsText(totals.enabled, totals.disabled), `last used ${when}`]
  const most = Math.max(0, ...hourly)
  if (most > 0) {
    const peak = timeText(firstHour + hourly.indexOf(most) * HOUR_MS)
    lines.push(`at most ${groupDigits(most)} in an hour, from ${peak}`)
  } else if (from !== undefined) {
    const hours = hoursText({ firstHour: Math.max(firstHour, from), now })
    lines.push(`no evaluations ${hours}`)
  }
  return lines
}

/** The usage of each hour in percent of the greatest, null for hours that the service does not have; empty without usage. */
export function hourShares({ usage }: ListedRow, { firstHour }: ReviewTimes): (number | null)[] {
  const { hourly = [], from = firstHour } = usage ?? {}
  const most = Math.max(0, ...hourly)
  if (most === 0) return []
  return hourly.map((count, hour) => {
    const isKnown = firstHour + hour * HOUR_MS >= from
    return isKnown ? Math.ceil((count * 100) / most) : null
  })
}
