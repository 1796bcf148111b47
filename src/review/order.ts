// What the flags of a review are sorted by.
import { orderBy } from '../output/order.ts'
import { createdKey, seenKey } from '../flags/flag.ts'
import type { ListedRow } from './comparison.ts'
import { placeOfVerdict } from './verdicts.ts'

/** The project of a flag; empty if that is not known. */
export const projectOf = ({ flag, goneFrom }: ListedRow) => flag?.projectId ?? goneFrom ?? ''

// A name that is not a flag comes last.
const LAST = Number.POSITIVE_INFINITY

/** The place of a row in a report: what can go comes first. */
export const rankOf = ({ verdict }: ListedRow) => placeOfVerdict(verdict)

/** What can go comes first, or the oldest flag, or the one that was seen least recently. */
export const reviewOrders = {
  verdict: rankOf,
  age: ({ flag }: ListedRow) => (flag ? createdKey(flag) : LAST),
  'last-seen': ({ flag }: ListedRow) => (flag ? seenKey(flag) : LAST),
  name: ({ name }: ListedRow) => name,
}

export type ReviewOrder = keyof typeof reviewOrders

/** The order of flags; those with the same key are sorted by project and name. */
export function orderOf(sort: ReviewOrder) {
  return orderBy<ListedRow>(reviewOrders[sort], projectOf, ({ name }) => name)
}

/** The order of a comparison that has all flags: those that have changed come first. */
export function changedFirst(sort: ReviewOrder) {
  return orderBy<ListedRow>(
    ({ isChanged }) => (isChanged ? 0 : 1),
    reviewOrders[sort],
    projectOf,
    ({ name }) => name,
  )
}
