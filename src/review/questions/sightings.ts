import { FlagadmError, problemText } from '../../errors.ts'
import { timeOf } from '../../input/time.ts'
import { matcherOf } from '../../input/wildcards.ts'
import { listed } from '../../output/incomplete.ts'
import { latest } from '../../flags/records.ts'
import { type Flag, lastSeen } from '../../flags/flag.ts'
import type { FlagEvent } from '../../service/schema.ts'
import { type Facts, readOf, versionsOf } from '../facts.ts'
import type { OwnDocument } from '../own-document.ts'
import { goes, type Question, skipped, unknown, unless } from '../question.ts'
import { isClosed } from '../service-facts.ts'
import type { Terms } from '../terms.ts'
import { occasionText } from '../texts.ts'
import { coveredUsage } from '../usage-evidence.ts'

/**
 * Whether sightings of the flag may be lost. Versions before 5.7 store them where versions from 8.0 on do not look. The flag is
 * at least that old if its first stage began when it was created, because an upgrade to 6.0 has added that stage: the stage of
 * a later flag begins a moment after it.
 */
function mayBeLost(flag: Flag, { flag: own, lifecycle }: OwnDocument, terms: Terms): boolean {
  // A version that reports the time of the flag itself looks in both places.
  if (lastSeen(flag).time !== undefined || own.lastSeenAt !== undefined) return false
  const isOld = lifecycle?.stage === 'initial' && lifecycle.enteredStageAt === own.createdAt
  // One this old shows that sightings were stored in the new place all the time since.
  const { oldestSighting = terms.span.now } = terms
  return isOld && oldestSighting > terms.limit
}

/** The events after the last sighting of a flag that took an environment out of its project, or out of the service. */
function removalsOf(facts: Facts, removals: readonly FlagEvent[], terms: Terms): FlagEvent[] {
  const { flag } = facts
  const counts = matcherOf(terms.environment)
  const seen = latest(versionsOf(facts).map((version) => lastSeen(version).time))
  const since = latest([seen, timeOf(flag?.createdAt)])
  return removals.filter(({ project, environment, createdAt }) => {
    // An event without a project took the environment out of all of them.
    const isOwn = !project || project === flag?.projectId
    const isCounted = !environment || counts(environment)
    const time = timeOf(createdAt)
    return isOwn && isCounted && (time === undefined || since === undefined || time > since)
  })
}

function removalText(event: FlagEvent, { span }: Terms): string {
  const { environment, project } = event
  const name = environment ?? 'an environment'
  const from = project ? 'the project' : 'the service'
  return `${name} was taken out of ${from} (${occasionText(event, span.now)}): the flag may have been seen there`
}

/** Where a flag is on that SDKs do not evaluate, because one that it depends on is off. */
function parentTexts(flag: Flag, { parents }: OwnDocument, { environment }: Terms): string[] {
  const counts = matcherOf(environment)
  const on = flag.environments
    .filter(({ name, enabled }) => enabled && counts(name))
    .map(({ name }) => name)
  return parents.flatMap((parent) => {
    const off = parent.environments.filter(({ name, enabled }) => {
      return enabled === false && on.includes(name)
    })
    if (off.length === 0) return []
    const where = listed(off.map(({ name }) => name))
    return [`its parent ${parent.name} is off in ${where}, so SDKs may not report it`]
  })
}

/** What is wrong with the sightings that the document has. */
function documentTexts(flag: Flag, document: OwnDocument, terms: Terms): string[] {
  const texts = parentTexts(flag, document, terms)
  if (!lastSeen(document.flag).isReadable) {
    texts.push('a sighting cannot be read (in its own document)')
  }
  if (mayBeLost(flag, document, terms)) {
    texts.push('old sightings may be lost: the service was upgraded from Unleash 5.6 or older')
  }
  return texts
}

export const sightings: Question = {
  id: 'sightings',
  states: 'no sighting of it is hidden or lost',
  isAboutUsage: true,
  answer(facts, terms) {
    const { flag, usage, document, events, service } = facts
    if (!flag) return skipped('the service does not list it')
    if (document === undefined) return 'document'
    if (document instanceof FlagadmError) {
      return unknown(`its own document could not be read: ${problemText(document)}`)
    }
    const texts = documentTexts(flag, document, terms)
    if (texts.length > 0) return unknown(...texts)
    const read = readOf(usage)
    // Days show usage in environments that the project does not have any more, and no sighting is one of an application.
    if (terms.application || (read && coveredUsage(flag, read, terms).isWhole)) return goes()
    if (events === undefined) return 'events'
    if (events instanceof FlagadmError) {
      return unknown(`its recent changes could not be read: ${problemText(events)}`)
    }
    if (!events.removals) {
      return skipped('it is not known which environments its project had before')
    }
    const removals = removalsOf(facts, events.removals, terms)
    if (removals.length === 0) return goes()
    if (!service) return 'service'
    const { projectId } = flag
    const open = removals.filter(({ environment }) => {
      return !environment || !isClosed({ projectId, environment }, service, terms.span.now)
    })
    return unless(open.map((event) => removalText(event, terms)))
  },
}
