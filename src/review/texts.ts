// What is said of flags in more than one answer.
import { timeOf } from '../input/time.ts'
import { listed } from '../output/incomplete.ts'
import { groupDigits } from '../output/numbers.ts'
import { agoText, lastUseText, timeText } from '../output/time.ts'
import { lastSeen, type Flag } from '../flags/flag.ts'
import { isProduction } from '../flags/silence.ts'
import { coveredText, type Span } from '../flags/span.ts'
import type { FlagEvent } from '../service/schema.ts'
import { placeText } from '../usage/figure-doubts.ts'
import type { Terms } from './terms.ts'
import type { CoveredUsage } from './usage-evidence.ts'

/** `48 h`; undefined if it is not known what the figures cover. */
export function coveredFor({ from }: CoveredUsage, span: Span): string | undefined {
  return from === undefined ? undefined : coveredText(span, from)
}

/** ` in 48 h`; empty if it is not known what the figures cover. */
export function coverText(usage: CoveredUsage, span: Span): string {
  const covered = coveredFor(usage, span)
  return covered === undefined ? '' : ` in ${covered}`
}

/** `5,123 evaluations in 48 h` */
export function evaluationsText(usage: CoveredUsage, span: Span, countText = groupDigits): string {
  const { totals } = usage
  const total = totals.enabled + totals.disabled
  // A service may send counts of variants alone, or counts that cancel each other out.
  const evaluations =
    total > 0 ? `${countText(total)} evaluation${total === 1 ? '' : 's'}` : 'usage'
  return evaluations + coverText(usage, span)
}

/** `5,123 evaluations in 48 h`, `last used 2 h ago by web in production` */
export function useTexts(usage: CoveredUsage, { span }: Terms): string[] {
  const { use, applications = [], environments = [] } = usage.lastUse ?? {}
  const when = use ? lastUseText(use, span.now) : 'at an unknown time'
  return [evaluationsText(usage, span), `last used ${when}${placeText(applications, environments)}`]
}

const namesOf = (environments: Flag['environments']) => listed(environments.map(({ name }) => name))

/** `on in production` or `off everywhere`; empty if neither is known. */
export function stateTexts({ environments }: Flag): string[] {
  const on = environments
    .filter(({ enabled }) => enabled)
    // A table may show only the first ones.
    .sort((a, b) => Number(isProduction(b)) - Number(isProduction(a)))
  if (on.length > 0) return [`on in ${namesOf(on)}`]
  const isOff = environments.length > 0 && environments.every(({ enabled }) => enabled === false)
  return isOff ? ['off everywhere'] : []
}

/** `created 3 d ago`, `last seen 5 d ago in production`. @param hasAge whether its age matters if it is not new */
export function timeTexts(
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

/** `too recent until 2026-11-30 10:00 UTC (--not-seen-for 7d)` */
export function tooRecentText(time: number, { notSeenFor }: Terms) {
  const until = timeText(time + notSeenFor.milliseconds)
  return `too recent until ${until} (--not-seen-for ${notSeenFor.text})`
}

/** `2 d ago by ada` */
export function occasionText({ createdAt, createdBy }: FlagEvent, now: number): string {
  const time = timeOf(createdAt)
  const when = time === undefined ? 'at an unknown time' : agoText(now - time)
  return createdBy ? `${when} by ${createdBy}` : when
}

// So long are the reasons in a table.
const MAX_BRIEF = 40

/** The part of a reason that says it, without what explains it: `too recent until 2026-11-30 10:00 UTC`. */
export function briefText(reason: string): string {
  if (reason.length <= MAX_BRIEF) return reason
  const endOf = (mark: string) => reason.lastIndexOf(mark, MAX_BRIEF)
  const end = Math.max(...[': ', ' (', ', ', '; '].map(endOf))
  if (end <= 0) return reason
  // A part of the environments is not all of them.
  return end === endOf(', ') ? `${reason.slice(0, end)}…` : reason.slice(0, end)
}
