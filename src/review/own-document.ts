// What a flag's own document adds to what the list of its project says.
import { timeOf } from '../input/time.ts'
import { agoText } from '../output/time.ts'
import type { Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { FeatureDocument } from '../service/schema.ts'
import { tooRecentText } from './recent-changes.ts'
import { type Flag, flagOf, lastSeen } from '../flags/selection.ts'
import type { Terms } from './verdict.ts'

const isLater = (time: number | undefined, other: number | undefined) =>
  time !== undefined && (other === undefined || time > other)

const says = (what: string) => `its own document contradicts the list: ${what}`

/** What the document says otherwise than the list about what the flag is, as sentences. */
function contradictions(flag: Flag, document: FeatureDocument, now: number): string[] {
  const own = flagOf(document, document.project ?? flag.projectId)
  const created = timeOf(own.createdAt)
  const texts: string[] = []
  if (document.archived || document.archivedAt != null) texts.push(says('archived'))
  if (own.name !== flag.name) texts.push(says(`name ${own.name}`))
  if (own.projectId !== flag.projectId) texts.push(says(`project ${own.projectId}`))
  if (own.type !== undefined && own.type !== flag.type) texts.push(says(`type ${own.type}`))
  if (created !== undefined && isLater(created, timeOf(flag.createdAt))) {
    texts.push(says(`created ${agoText(now - created)}`))
  }
  return texts
}

/** What the document says otherwise than the list about when the flag was seen, as sentences. */
function sightingDoubts(flag: Flag, document: FeatureDocument, now: number): string[] {
  const { time, isReadable } = lastSeen(flagOf(document, flag.projectId))
  const texts: string[] = []
  if (time !== undefined && isLater(time, lastSeen(flag).time)) {
    texts.push(says(`last seen ${agoText(now - time)}`))
  }
  if (!isReadable) texts.push('its own document has a time of a sighting that cannot be read')
  return texts
}

/** Why the time of its current stage speaks against removing the flag. */
function stageDoubts({ lifecycle }: FeatureDocument, terms: Terms): string[] {
  const { stage, enteredStageAt } = lifecycle ?? {}
  // A flag is completed when it is about to go.
  if (stage === 'completed' || enteredStageAt == null) return []
  const { now } = terms.span
  const entered = timeOf(enteredStageAt)
  const what = stage ? `the stage ${stage}` : 'its stage'
  if (entered === undefined) return [`the time when it entered ${what} cannot be read`]
  const limit = now - terms.notSeenFor.milliseconds - terms.clocksDiffer
  if (entered <= limit) return []
  return [`entered ${what} ${agoText(now - entered)}: ${tooRecentText(entered, terms)}`]
}

/**
 * Why sightings of the flag may be lost. Versions before 5.7 store them where versions from 8.0 on do not look. The flag is
 * at least that old if its first stage began when it was created, because an upgrade to 6.0 has added that stage: the stage of
 * a later flag begins a moment after it.
 */
function upgradeDoubts(flag: Flag, document: FeatureDocument, terms: Terms): string[] {
  const { lifecycle, createdAt } = document
  // A version that reports the time of the flag itself looks in both places.
  if (lastSeen(flag).time !== undefined || document.lastSeenAt !== undefined) return []
  const isOld = lifecycle?.stage === 'initial' && lifecycle.enteredStageAt === createdAt
  const { now } = terms.span
  // One this old shows that sightings were stored in the new place all the time since.
  const { oldestSighting = now } = terms
  if (!isOld || oldestSighting <= now - terms.notSeenFor.milliseconds) return []
  return ['sightings from before an upgrade from Unleash 5.6 or older may be lost']
}

/** Reads the part of a flag's own document that a verdict needs. */
export async function readOwnDocument(service: Service, flag: Flag, terms: Terms) {
  const { projectId, name } = flag
  const { data } = await service.read(operations.featureDocument, { projectId, featureName: name })
  const { children, lifecycle } = data
  const doubts = [
    ...contradictions(flag, data, terms.span.now),
    ...stageDoubts(data, terms),
    ...upgradeDoubts(flag, data, terms),
  ]
  if (!children) doubts.push('the service does not report which flags depend on it')
  const createdBy = data.createdBy?.name ?? undefined
  const usageDoubts = sightingDoubts(flag, data, terms.span.now)
  return { dependents: children ?? [], createdBy, lifecycle, usageDoubts, doubts }
}
