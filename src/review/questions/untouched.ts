import { FlagadmError, problemText } from '../../errors.ts'
import { timeOf } from '../../input/time.ts'
import { agoText, dayText } from '../../output/time.ts'
import { latest } from '../../flags/records.ts'
import { type Flag, lastSeen } from '../../flags/flag.ts'
import { readOf, versionsOf } from '../facts.ts'
import { differenceText, isAfter } from '../near.ts'
import type { OwnDocument } from '../own-document.ts'
import { preparation } from '../recent-changes.ts'
import { type Question, skipped, unknown, unless } from '../question.ts'
import type { Terms } from '../terms.ts'
import { occasionText, tooRecentText } from '../texts.ts'
import type { FlagEvent } from '../../service/schema.ts'

/** Whether a time is too recent for the flag to go; `open` if differing clocks decide that. */
function isRecent(time: number, terms: Terms): 'yes' | 'no' | 'open' {
  return isAfter(time, terms.limit, terms)
}

/** What the service does not report of when the flag was created and seen. */
function missingTexts(flag: Flag): string[] {
  const { isReported, isReadable } = lastSeen(flag)
  const texts: string[] = []
  if (!isReadable) texts.push('its last sighting cannot be read')
  else if (!isReported) texts.push('when it was last seen is not reported')
  if (timeOf(flag.createdAt) === undefined) {
    texts.push('when it was created is not reported')
  }
  return texts
}

/** Why the flag was created or seen too recently. */
function ageTexts(versions: readonly Flag[], terms: Terms): string[] {
  const times = versions.flatMap((flag) => [timeOf(flag.createdAt), lastSeen(flag).time])
  const since = latest(times)
  switch (since === undefined ? 'no' : isRecent(since, terms)) {
    case 'yes':
      return since === undefined ? [] : [tooRecentText(since, terms)]
    case 'open':
      return [
        `${differenceText(terms)}, so it may be too recent (--not-seen-for ${terms.notSeenFor.text})`,
      ]
    case 'no':
      return []
  }
}

// The service adds the first stage of a new flag a moment after the flag.
const NEW_FLAG_MS = 60_000

/** Why the time of its current stage speaks against removing the flag. */
function stageTexts({ flag, lifecycle }: OwnDocument, terms: Terms): string[] {
  const { stage, enteredStageAt } = lifecycle ?? {}
  // A flag is completed when it is about to go.
  if (stage === 'completed' || enteredStageAt == null) return []
  const entered = timeOf(enteredStageAt)
  const what = stage ? `the stage ${stage}` : 'its stage'
  if (entered === undefined) return [`the time when it entered ${what} cannot be read`]
  if (isRecent(entered, terms) === 'no') return []
  const { now } = terms.span
  // Only a revival begins the stages anew.
  const isRevived =
    stage === 'initial' && entered - (timeOf(flag.createdAt) ?? entered) > NEW_FLAG_MS
  const words = isRevived ? 'revived' : `entered ${what}`
  return [`${words} ${agoText(now - entered)}: ${tooRecentText(entered, terms)}`]
}

/** Dates still to come: the flag is on, and waits for them. */
function dateTexts({ dates }: OwnDocument, { span }: Terms): string[] {
  return dates
    .filter(({ time }) => time > span.now)
    .map(({ kind, time }) => `on ${kind} ${dayText(time)}`)
}

/** Why the latest change that made the flag ready for use speaks against removing it. */
function changeTexts(changes: readonly FlagEvent[], terms: Terms): string[] {
  const event = preparation(changes)
  if (!event) return []
  const { type, environment, createdAt } = event
  const what = environment ? `${type} in ${environment}` : type
  const changed = `changed ${occasionText(event, terms.span.now)} (${what})`
  const time = timeOf(createdAt)
  if (time === undefined) return [changed]
  switch (isRecent(time, terms)) {
    case 'yes':
      return [`${changed}: ${tooRecentText(time, terms)}`]
    case 'open':
      return [`${changed}, and ${differenceText(terms)}`]
    case 'no':
      return []
  }
}

export const untouched: Question = {
  id: 'untouched',
  states: 'it was created, seen and made ready for use longer ago than --not-seen-for',
  answer(facts, terms) {
    const { flag, document, events } = facts
    if (!flag) return skipped('the service does not list it')
    const ownDocument = readOf(document)
    const texts = [
      ...missingTexts(flag),
      ...ageTexts(versionsOf(facts), terms),
      ...(ownDocument ? [...stageTexts(ownDocument, terms), ...dateTexts(ownDocument, terms)] : []),
    ]
    if (texts.length > 0) return unknown(...texts)
    if (document === undefined) return 'document'
    if (events === undefined) return 'events'
    if (events instanceof FlagadmError) {
      return unknown(`its recent changes could not be read: ${problemText(events)}`)
    }
    if (!events.changes) return skipped('the service does not show changes of flags')
    return unless(changeTexts(events.changes, terms))
  },
}
