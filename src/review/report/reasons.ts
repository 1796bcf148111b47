import { problemText } from '../../errors.ts'
import { inLargestUnit } from '../../input/values.ts'
import { counted, listed } from '../../old/output/phrases.ts'
import type { Flag } from '../../projects/flags.ts'
import { type FilePosition, positionText } from '../../code/positions.ts'
import {
  evaluationsText,
  lastUseText,
  shortfallText,
  sinceText,
  timeText,
} from '../../usage/report/sentences.ts'
import { warningText } from '../../usage/report/warnings.ts'
import type { ReviewedFlag } from '../evidence.ts'
import type { Reason } from '../verdict.ts'

/** A time that has passed, in whole days, hours or minutes: `5 d`. */
function agoText(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000))
  if (minutes >= 24 * 60) return `${Math.floor(minutes / (24 * 60))} d`
  return minutes >= 60 ? `${Math.floor(minutes / 60)} h` : `${minutes} min`
}

/** Where a flag is on: `on in production`, `off everywhere`; undefined if that is not known. */
function switchText({ environments }: Flag): string | undefined {
  const on = environments.filter(({ enabled }) => enabled)
  if (on.length > 0) return `on in ${listed(on.map(({ name }) => name))}`
  return environments.every(({ enabled }) => enabled === false) ? 'off everywhere' : undefined
}

function seenText({ lastSeen, reportsSeen }: ReviewedFlag, now: number): string | undefined {
  if (lastSeen !== undefined) return `last seen ${agoText(now - lastSeen)} ago`
  return reportsSeen ? 'never seen' : undefined
}

/** The state of a flag: `on in production, last seen 5 d ago, created 300 d ago`. */
function stateText(flag: ReviewedFlag, created: number | undefined, now: number): string {
  const age = created === undefined ? undefined : `created ${agoText(now - created)} ago`
  return [switchText(flag), seenText(flag, now), age].filter(Boolean).join(', ')
}

function dependentsText({ dependents }: ReviewedFlag): string {
  if (dependents.length === 0) return 'another flag depends on it'
  return `${listed(dependents)} ${dependents.length === 1 ? 'depends' : 'depend'} on it`
}

const MAX_PLACES = 3

/** `src/a.ts, src/b.ts and 3 more` */
function firstText(places: readonly string[]): string {
  const more = places.length - MAX_PLACES
  return `${places.slice(0, MAX_PLACES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function placesText(places: readonly FilePosition[]): string {
  return firstText(places.map(positionText))
}

function reasonText(reason: Reason, flag: ReviewedFlag, now: number): string | undefined {
  switch (reason.kind) {
    case 'type':
      return `type ${flag.type}`
    case 'unreadUsage':
      return `the usage could not be read: ${problemText(reason.error)}`
    case 'used':
      return `${evaluationsText(reason.totals)}, ${lastUseText(reason.summary)}`
    case 'state':
      return stateText(flag, reason.created, now)
    case 'onEverywhere':
      return `on everywhere for ${agoText(reason.age)}: make it permanent in code`
    case 'unused':
      return `no usage ${sinceText(reason.span)}`
    case 'notInCode':
      return 'not in the code'
    case 'shortSpan':
      return shortfallText(reason.span)
    case 'missingUsage':
      return warningText(reason.warning)
    case 'uncounted':
      return 'a record has neither of the counts yes and no, or a negative one'
    case 'seenNotReported':
      return 'the service does not report when it was last seen'
    case 'createdNotReported':
      return 'the service does not report when it was created'
    case 'tooRecent': {
      const { until, notSeenFor } = reason
      return `too recent until ${timeText(until)} (--not-seen-for ${inLargestUnit(notSeenFor)})`
    }
    case 'dependents':
      return dependentsText(flag)
    case 'inCode':
      return `in the code: ${placesText(reason.places)}`
    case 'unreadLookups': {
      const lookups = counted(reason.places.length, 'lookup')
      return `${lookups} that could not be read may use it: ${placesText(reason.places)}`
    }
    case 'unreadFiles': {
      const files = counted(reason.files.length, 'file')
      return `${files} that could not be read may use it: ${firstText(reason.files)}`
    }
  }
}

/** The reasons for a verdict; nothing for a state of which nothing is known. */
export function reasonTexts(reasons: readonly Reason[], flag: ReviewedFlag, now: number): string[] {
  return reasons.flatMap((reason) => reasonText(reason, flag, now) || [])
}
