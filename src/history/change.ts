// A change, and what is different after it, in plain words.
import type { SegmentNames } from '../flags/strategies.ts'
import { isObject } from '../input/json.ts'
import { timeOf } from '../input/time.ts'
import { listed } from '../output/incomplete.ts'
import { maskedData, maskForms } from '../output/secrets.ts'
import { optional } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { FlagEvent } from '../service/schema.ts'
import { type Difference, differencesOf, differenceTexts } from './differences.ts'
import { detailOf, type Kind, kindOf, wordsOf } from './words.ts'

const CHANGED = ' changed'
const ROLLOUT = 'rollout'

/** A change of a flag, a project, or something else. */
export interface Change extends FlagEvent {
  kind: Kind
  /** What is different: each field, or what its only document says. */
  differences: readonly string[]
  /** In milliseconds since the epoch; undefined if it cannot be read. */
  time: number | undefined
}

/** A document of an event with the names of segments in place of their ids. */
function withSegmentNames(document: unknown, names: SegmentNames): unknown {
  if (!isObject(document) || !Array.isArray(document.segments)) return document
  const segments = document.segments.map((id: unknown) =>
    typeof id === 'number' ? (names.get(id) ?? id) : id,
  )
  return { ...document, segments }
}

/** What is different after a change; the share of users comes first. */
function differenceTextsOf(event: FlagEvent, names: SegmentNames): string[] {
  const [before, after] = [event.preData, event.data].map((one) => withSegmentNames(one, names))
  if (before == null || after == null) return [detailOf(event, names) ?? []].flat()
  const isShare = ({ path }: Difference) => path.at(-1) === ROLLOUT
  const all = differencesOf(before, after)
  return differenceTexts([...all.filter(isShare), ...all.filter((one) => !isShare(one))])
}

/** The event without secrets. */
export function changeOf(event: FlagEvent, names: SegmentNames): Change {
  const masked = { ...event, data: maskedData(event.data), preData: maskedData(event.preData) }
  return {
    ...masked,
    differences: differenceTextsOf(masked, names),
    summary: event.summary == null ? undefined : maskForms(event.summary),
    createdBy: event.createdBy == null ? undefined : maskForms(event.createdBy),
    kind: kindOf(event),
    time: timeOf(event.createdAt),
  }
}

/** The names of the segments that the documents of events have; empty if they have none, or none can be read. */
export async function readSegmentNames(
  { service }: Connection,
  events: readonly FlagEvent[],
): Promise<SegmentNames> {
  const hasSegments = events.some(({ data, preData }) =>
    [data, preData].some((one) => isObject(one) && Array.isArray(one.segments) && one.segments[0]),
  )
  const list = hasSegments ? await optional(service.read(operations.segments, {})) : undefined
  return new Map(list?.data.segments.map(({ id, name }) => [id, name]))
}

/** `rollout 25 → 100, title none → Beta`, `strategy: title none → Beta`: the difference shows that it has changed. */
export function changeText(change: Change): string {
  const { differences } = change
  const words = wordsOf(change)
  if (differences.length === 0) return words
  if (differences[0]?.startsWith(`${ROLLOUT} `)) return listed(differences, 3)
  const subject = words.endsWith(CHANGED) ? words.slice(0, -CHANGED.length) : words
  return `${subject}: ${listed(differences, 3)}`
}
