import { timeOf } from '../input/time.ts'
import { byCodeUnit } from '../output/order.ts'
import { matcherOf } from '../usage/filter.ts'
import type { Flag, FlagEnvironment, UnknownName } from './flag.ts'
import type { FlagFilter, FlagSortKey, NameFilter } from './view.ts'

/** When a flag was last seen: a time in milliseconds since the epoch, or never. */
type Seen = number | 'never'

function seenIn({ lastSeenAt }: FlagEnvironment): Seen {
  if (lastSeenAt == null) return 'never'
  // An unreadable time counts as recent, so that a flag in use is not listed as unused.
  return timeOf(lastSeenAt) ?? Number.POSITIVE_INFINITY
}

/** When a flag was last seen in any of its environments. */
function lastSeen({ environments }: Flag): Seen {
  const times = environments.map(seenIn).filter((seen) => seen !== 'never')
  return times.length > 0 ? Math.max(...times) : 'never'
}

/** The flags that a filter keeps, each with the environments that it keeps. */
export function selectFlags(flags: readonly Flag[], filter: FlagFilter, now: number): Flag[] {
  const { neverSeen, notSeenForMs } = filter
  const [matchesName, matchesType, matchesEnvironment] = [
    matcherOf(filter.names),
    matcherOf(filter.types),
    matcherOf(filter.environments),
  ]
  const isKept = (flag: Flag) => {
    const seen = lastSeen(flag)
    if (seen === 'never') return true
    return !neverSeen && (notSeenForMs === undefined || seen <= now - notSeenForMs)
  }
  return flags
    .filter(({ name, type, stale }) => {
      return matchesName(name) && matchesType(type) && (stale || !filter.stale)
    })
    .map((flag) => {
      const environments = flag.environments.filter(({ name }) => matchesEnvironment(name))
      return { ...flag, environments }
    })
    .filter(isKept)
}

/** Order of two times, the older one first; unknown ones come last. */
function byTime(a: number | undefined, b: number | undefined): number {
  return (a ?? Number.POSITIVE_INFINITY) - (b ?? Number.POSITIVE_INFINITY) || 0
}

function createdAt({ createdAt }: Flag): number | undefined {
  return createdAt === undefined ? undefined : timeOf(createdAt)
}

function seenOrder(flag: Flag): number {
  const seen = lastSeen(flag)
  return seen === 'never' ? 0 : seen
}

const orders: Record<FlagSortKey, (a: Flag, b: Flag) => number> = {
  name: () => 0,
  type: (a, b) => byCodeUnit(a.type ?? '', b.type ?? ''),
  created: (a, b) => byTime(createdAt(a), createdAt(b)),
  'last-seen': (a, b) => byTime(seenOrder(a), seenOrder(b)),
}

/** Flags by a key, the oldest first; equal ones by their names. Flags that were never seen count as oldest. */
export function sortFlags(flags: readonly Flag[], key: FlagSortKey, reverse: boolean): Flag[] {
  const order = (a: Flag, b: Flag) =>
    orders[key](a, b) || byCodeUnit(a.name, b.name) || byCodeUnit(a.projectId, b.projectId)
  return flags.toSorted((a, b) => (reverse ? order(b, a) : order(a, b)))
}

/** The unknown names that a filter keeps, by name, application and environment. */
export function selectUnknownNames(
  rows: readonly UnknownName[],
  { names, environments }: NameFilter,
): UnknownName[] {
  const [matchesName, matchesEnvironment] = [matcherOf(names), matcherOf(environments)]
  const parts = ['name', 'application', 'environment'] as const
  return rows
    .filter(({ name, environment }) => matchesName(name) && matchesEnvironment(environment))
    .toSorted((a, b) => {
      const orders = parts.map((part) => byCodeUnit(a[part] ?? '', b[part] ?? ''))
      return orders.find((order) => order !== 0) ?? 0
    })
}
