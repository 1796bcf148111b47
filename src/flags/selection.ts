import { FlagadmError } from '../errors.ts'
import { unknownValue } from '../input/spelling.ts'
import { timeOf } from '../input/time.ts'
import { byCodeUnit } from '../output/order.ts'
import { matcherOf } from '../input/wildcards.ts'
import type { Flag, FlagEnvironment } from '../projects/flags.ts'
import type { UnknownName } from './unknown.ts'
import { type FlagListOptions, type FlagSortKey, flagTypes } from './options.ts'

const NEVER = Number.NEGATIVE_INFINITY
// A time that cannot be read counts as recent, so that a flag in use is not listed as unused.
const UNKNOWN = Number.POSITIVE_INFINITY

function seenIn({ lastSeenAt }: FlagEnvironment): number {
  return lastSeenAt == null ? NEVER : (timeOf(lastSeenAt) ?? UNKNOWN)
}

/** When a flag was last seen in any of its environments, in milliseconds since the epoch. */
function lastSeen({ environments }: Flag): number {
  return environments.map(seenIn).reduce((a, b) => Math.max(a, b), NEVER)
}

/** @throws a usage error for a value, other than a pattern, that is not known */
function refuseUnknownValues(
  option: string,
  values: readonly string[],
  known: readonly string[],
): void {
  const unknown = values.find((value) => !value.includes('*') && !known.includes(value))
  if (unknown !== undefined) throw unknownValue(option, unknown, known)
}

/** The environments of flags by code unit. */
export function environmentsOf(flags: readonly Flag[]): string[] {
  const names = flags.flatMap(({ environments }) => environments.map(({ name }) => name))
  return [...new Set(names)].sort(byCodeUnit)
}

/** @throws a usage error for a type or an environment that no flag can have */
export function refuseUnknownFilters(
  flags: readonly Flag[],
  { environment = [], type = [] }: Pick<FlagListOptions, 'environment' | 'type'>,
): void {
  const types = flags.flatMap(({ type }) => type ?? [])
  refuseUnknownValues('--type', type, [...new Set([...flagTypes, ...types])])
  if (flags.length > 0) refuseUnknownValues('--environment', environment, environmentsOf(flags))
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
    // Without the environment, a flag would appear as never seen.
    if (environment !== undefined && flag.environments.length === 0) return false
    const seen = lastSeen(flag)
    if (neverSeen && seen !== NEVER) return false
    return notSeenFor === undefined || seen <= now - notSeenFor
  }
  return matchingFlags(flags, options)
    .filter(({ stale }) => stale || !options.stale)
    .map((flag) => {
      const environments = flag.environments.filter(({ name }) => matchesEnvironment(name))
      return { ...flag, environments }
    })
    .filter(isKept)
}

/** Order of two timestamps, the older one first; unknown ones come last. */
function byTime(a: string | null | undefined, b: string | null | undefined): number {
  return (timeOf(a) ?? UNKNOWN) - (timeOf(b) ?? UNKNOWN) || 0
}

const orders: Record<FlagSortKey, (a: Flag, b: Flag) => number> = {
  name: () => 0,
  type: (a, b) => byCodeUnit(a.type ?? '', b.type ?? ''),
  created: (a, b) => byTime(a.createdAt, b.createdAt),
  'last-seen': (a, b) => lastSeen(a) - lastSeen(b) || 0,
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
    ({ name, environment }) => matchesName(name) && matchesEnvironment(environment ?? undefined),
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
  return (a, b) =>
    (sort === 'last-seen' ? byTime(a.seenAt, b.seenAt) : 0) ||
    byCodeUnit(a.name, b.name) ||
    byCodeUnit(a.application ?? '', b.application ?? '') ||
    byCodeUnit(a.environment ?? '', b.environment ?? '')
}
