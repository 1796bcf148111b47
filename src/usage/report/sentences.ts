import { dayText, isoText } from '../../old/output/dates.ts'
import { groupDigits, listed } from '../../old/output/phrases.ts'
import { type FlagEnvironment, lastSeenIn } from '../../projects/flags.ts'
import { type ProjectOptions, scopeText } from '../../projects/selection.ts'
import { latest } from '../hourly.ts'
import type { HourlySummary } from '../hourly-summary.ts'
import { type Counts, evaluations } from '../rows.ts'
import { type Coverage, lengthOf, type Span } from '../span.ts'
import { HOUR_MS } from '../time.ts'

const MINUTE_MS = 60_000

/** A duration as text, rounded down to minutes: `47 h 12 min`, `24 h`, `10 min`; less than a minute is in seconds. */
export function durationText(milliseconds: number): string {
  if (milliseconds < MINUTE_MS) return `${Math.floor(milliseconds / 1000)} s`
  const hours = Math.floor(milliseconds / HOUR_MS)
  const minutes = Math.floor((milliseconds % HOUR_MS) / MINUTE_MS)
  const parts = [hours > 0 ? `${hours} h` : '', minutes > 0 ? `${minutes} min` : '']
  return parts.filter(Boolean).join(' ')
}

/** `since 15:00 UTC`, with the date if the records span several days. */
export function windowText(covered: Coverage | undefined): string {
  if (covered?.from === undefined) return 'in the current clock hour'
  const [start, end] = [timeText(covered.from), timeText(covered.to)]
  const isOneDay = start.slice(0, 10) === end.slice(0, 10)
  return `since ${isOneDay ? start.slice(11) : start}`
}

/** A time as text: `2026-11-19 17:00 UTC`. */
export function timeText(time: number): string {
  return `${isoText(time).slice(0, 16).replace('T', ' ')} UTC`
}

/** `since 2026-11-19 17:00 UTC` */
export function sinceText({ from }: Coverage): string {
  return from === undefined ? 'in the hours that the service covers' : `since ${timeText(from)}`
}

/** `since 2026-11-19 17:00 UTC, 24 h 10 min`; a shorter span than was asked for ends with `of 48 h`. */
export function spanText(span: Span): string {
  const length = lengthOf(span)
  if (length === undefined) return sinceText(span)
  const whole = length < span.asked ? ` of ${durationText(span.asked)}` : ''
  return `${sinceText(span)}, ${durationText(length)}${whole}`
}

/** When figures were counted: the text of a span of hourly usage, or that of a reading of the current clock hour. */
export function coveredText(covered: Coverage | Span | undefined): string {
  return covered && 'asked' in covered ? spanText(covered) : windowText(covered)
}

/** `1 evaluation`, `5,123 evaluations` */
export function evaluationsText(counts: Counts): string {
  const total = evaluations(counts)
  // A service may send counts of variants alone.
  if (total <= 0n) return 'usage'
  return total === 1n ? '1 evaluation' : `${groupDigits(total)} evaluations`
}

/** Why a span is not what was asked for; undefined if it is. */
export function shortfallText(span: Span): string | undefined {
  if (span.isComplete) return undefined
  const [asked, length] = [durationText(span.asked), lengthOf(span)]
  if (length === undefined) {
    return `it is not known whether the service covers the ${asked} requested`
  }
  return `the service covers only ${durationText(length)} of the ${asked} requested (${sinceText(span)})`
}

/** ` by web-shop in production`; empty without names. */
export function placeText({ applications, environments }: HourlySummary['hidden']): string {
  const by = applications.length > 0 ? ` by ${listed(applications)}` : ''
  const where = environments.length > 0 ? ` in ${listed(environments)}` : ''
  return by + where
}

/** `last used in the hour from 2026-11-19 17:00 UTC by web-shop in production` */
export function lastUseText({ lastUsed, ...summary }: HourlySummary): string {
  const when =
    lastUsed === undefined
      ? 'used at an unknown time'
      : `last used in the hour from ${timeText(lastUsed)}`
  return when + placeText(summary)
}

/** When and where the service last saw a flag, and where it is on: `last seen 2026-11-17 in production`, `on in production`. */
export function stateTexts(environments: readonly FlagEnvironment[]): string[] {
  const namesOf = (kept: readonly FlagEnvironment[]) => listed(kept.map(({ name }) => name))
  const last = latest(environments.map(lastSeenIn))
  const on = environments.filter(({ enabled }) => enabled)
  const off = environments.filter(({ enabled }) => enabled === false)
  const texts: string[] = []
  if (last !== undefined) {
    const seenIn = environments.filter((environment) => lastSeenIn(environment) === last)
    texts.push(`last seen ${dayText(isoText(last))} in ${namesOf(seenIn)}`)
  }
  if (on.length > 0) texts.push(`on in ${namesOf(on)}`)
  else if (off.length > 0) texts.push(`off in ${namesOf(off)}`)
  return texts
}

/** `project shop has no flags` */
export function noFlagsText(options: ProjectOptions): string {
  if (!options.project) return 'the projects that the service lists have no flags'
  return `${scopeText(options)} ${options.project.length === 1 ? 'has' : 'have'} no flags`
}
