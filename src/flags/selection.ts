import { FlagadmError } from '../errors.ts'
import { unknownListValue } from '../input/spelling.ts'
import { timeOf } from '../input/time.ts'
import { byCodeUnit } from '../output/order.ts'
import { matcherOf } from '../input/wildcards.ts'
import type { Flag, FlagEnvironment } from '../projects/flags.ts'
import type { UnknownName } from './unknown.ts'
import { type FlagListOptions, type FlagSortKey, flagTypes } from './options.ts'

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

/** The part of a project's list that filters are checked against. */
interface Filterable {
  type?: string | null | undefined
  environments?: readonly { name: string }[] | null | undefined
}

/** @throws a usage error for a value, other than a pattern, that is not known */
function refuseUnknown(option: string, values: readonly string[], known: readonly string[]): void {
  const unknown = values.find((value) => !value.includes('*') && !known.includes(value))
  if (unknown !== undefined) throw unknownListValue(option, unknown, known)
}

function environmentsOf(flags: readonly Filterable[]): string[] {
  const names = flags.flatMap(({ environments }) => (environments ?? []).map(({ name }) => name))
  return [...new Set(names)].toSorted(byCodeUnit)
}

/** @throws a usage error for a type or an environment that no flag can have */
export function refuseUnknownFilters(
  flags: readonly Filterable[],
  { environment = [], type = [] }: Pick<FlagListOptions, 'environment' | 'type'>,
): void {
  const types = flags.flatMap(({ type }) => type ?? [])
  refuseUnknown('--type', type, [...new Set([...flagTypes, ...types])])
  if (flags.length > 0) refuseUnknown('--environment', environment, environmentsOf(flags))
}

/** Whether a flag has an environment that matches. Without one, all flags would appear as never seen. */
export function hasMatchingEnvironment(
  flags: readonly Filterable[],
  { environment }: Pick<FlagListOptions, 'environment'>,
): boolean {
  return environment === undefined || environmentsOf(flags).some(matcherOf(environment))
}

/** The flags whose names and types match. */
export function matchingFlags<Matching extends Flag>(
  flags: readonly Matching[],
  { name, type }: Pick<FlagListOptions, 'name' | 'type'>,
): Matching[] {
  const [matchesName, matchesType] = [matcherOf(name), matcherOf(type)]
  return flags.filter((flag) => matchesName(flag.name) && matchesType(flag.type))
}

/** The flags that the options select, each with the environments that they select. */
export function selectFlags(flags: readonly Flag[], options: FlagListOptions, now: number): Flag[] {
  const { environment, neverSeen, notSeenFor } = options
  const matchesEnvironment = matcherOf(environment)
  const isKept = (flag: Flag) => {
    const seen = lastSeen(flag)
    if (seen === 'never') return true
    return !neverSeen && (notSeenFor === undefined || seen <= now - notSeenFor)
  }
  return matchingFlags(flags, options)
    .filter(({ stale }) => stale || !options.stale)
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

/** The order of flags by a key, the oldest first; equal ones by their names. Flags that were never seen count as oldest. */
export function flagOrder({ sort = 'name' }: FlagListOptions): (a: Flag, b: Flag) => number {
  return (a, b) =>
    orders[sort](a, b) || byCodeUnit(a.name, b.name) || byCodeUnit(a.projectId, b.projectId)
}

/** The unknown names that the options select. */
export function selectUnknownNames(
  rows: readonly UnknownName[],
  options: FlagListOptions,
): UnknownName[] {
  const matchesName = matcherOf(options.name)
  const matchesEnvironment = matcherOf(options.environment)
  return rows.filter(
    ({ name, environment }) => matchesName(name) && matchesEnvironment(environment),
  )
}

/**
 * The order of unknown names by a key, the oldest first; equal ones by name, application and environment.
 * @throws a usage error for a key that only flags have
 */
export function unknownOrder({
  sort = 'name',
}: FlagListOptions): (a: UnknownName, b: UnknownName) => number {
  if (sort === 'type' || sort === 'created') {
    throw new FlagadmError('usage', `--sort ${sort} cannot be combined with --unknown`, {
      hint: 'use --sort name or --sort last-seen',
    })
  }
  const seenAt = (row: UnknownName) => (row.seenAt === undefined ? undefined : timeOf(row.seenAt))
  return (a, b) =>
    (sort === 'last-seen' ? byTime(seenAt(a), seenAt(b)) : 0) ||
    byCodeUnit(a.name, b.name) ||
    byCodeUnit(a.application ?? '', b.application ?? '') ||
    byCodeUnit(a.environment ?? '', b.environment ?? '')
}
