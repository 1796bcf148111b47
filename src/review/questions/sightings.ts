import { FlagadmError } from '../../errors.ts'
import { type Flag, lastSeen } from '../../flags/selection.ts'
import type { FlagEvent } from '../../service/schema.ts'
import type { OwnDocument } from '../own-document.ts'
import { type Question, skipped, unknown, unless } from '../question.ts'
import type { Terms } from '../terms.ts'
import { occasionText } from '../texts.ts'

/**
 * Whether sightings of the flag may be lost. Versions before 5.7 store them where versions from 8.0 on do not look. The flag is
 * at least that old if its first stage began when it was created, because an upgrade to 6.0 has added that stage: the stage of
 * a later flag begins a moment after it.
 */
function mayBeLost(flag: Flag, { flag: own, lifecycle }: OwnDocument, terms: Terms): boolean {
  // A version that reports the time of the flag itself looks in both places.
  if (lastSeen(flag).time !== undefined || own.lastSeenAt !== undefined) return false
  const isOld = lifecycle?.stage === 'initial' && lifecycle.enteredStageAt === own.createdAt
  const { now } = terms.span
  // One this old shows that sightings were stored in the new place all the time since.
  const { oldestSighting = now } = terms
  return isOld && oldestSighting > now - terms.notSeenFor.milliseconds
}

/** Why a flag that was never seen may have been seen in an environment that its project had. */
function removalTexts(flag: Flag, removals: readonly FlagEvent[], { span }: Terms): string[] {
  // An event without a project took the environment out of all of them.
  const event = removals.find(({ project }) => !project || project === flag.projectId)
  if (!event) return []
  const { environment, project } = event
  const name = environment ?? 'an environment'
  const from = project ? 'the project' : 'the service'
  return [
    `${name} was taken out of ${from} ${occasionText(event, span.now)}: the flag may have been seen there`,
  ]
}

export const sightings: Question = {
  id: 'sightings',
  states: 'no sighting of it is hidden or lost',
  isAboutUsage: true,
  answer({ flag, document, events }, terms) {
    if (!flag) return skipped('the service does not list it')
    if (document === undefined) return 'document'
    if (document instanceof FlagadmError) return skipped('its own document could not be read')
    if (!lastSeen(document.flag).isReadable) {
      return unknown('its own document has a time of a sighting that cannot be read')
    }
    if (mayBeLost(flag, document, terms)) {
      return unknown('sightings from before an upgrade from Unleash 5.6 or older may be lost')
    }
    const isSeen = [flag, document.flag].some((one) => lastSeen(one).time !== undefined)
    if (isSeen) return unless([])
    if (events === undefined) return 'events'
    if (events instanceof FlagadmError || !events.removals) {
      return skipped('it is not known which environments its project had before')
    }
    return unless(removalTexts(flag, events.removals, terms))
  },
}
