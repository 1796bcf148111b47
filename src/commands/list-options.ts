import { FlagadmError } from '../errors.ts'
import { type FlagFilter, type FlagSortKey, flagSortKeys } from '../feature/selection.ts'
import { duration } from '../input/values.ts'

/** The options of `feature list` as commander parses them. */
export interface ListOptions {
  project?: string | undefined
  allProjects?: true | undefined
  unknown?: true | undefined
  name?: string[] | undefined
  type?: string[] | undefined
  environment?: string[] | undefined
  stale?: true | undefined
  neverSeen?: true | undefined
  notSeenFor?: string | undefined
  breaksRule?: true | undefined
  sort?: string | undefined
  reverse?: true | undefined
}

/** The options that select and arrange flags, by their names on the command line. */
function shapingOf(options: ListOptions) {
  const { name, type, environment, stale, sort, reverse } = options
  return {
    name,
    type,
    environment,
    stale,
    'never-seen': options.neverSeen,
    'not-seen-for': options.notSeenFor,
    'breaks-rule': options.breaksRule,
    sort,
    reverse,
  }
}

/** Whether an option leaves flags out. */
export function isFiltered(options: ListOptions): boolean {
  const { sort, reverse, ...filters } = shapingOf(options)
  return Object.values(filters).some((value) => value !== undefined)
}

/** @throws a usage error unless it is clear which flags to list */
export function refuseStrayOptions({ project, allProjects, unknown }: ListOptions): void {
  if (project !== undefined || allProjects || unknown) return
  throw new FlagadmError('usage', 'no project given', {
    hint: 'give --project <id> or --all-projects',
  })
}

/** @throws a usage error for options that have no effect on the service's own document */
export function refuseShaping(options: ListOptions): void {
  const given = Object.entries(shapingOf(options)).find(([, value]) => value !== undefined)
  if (!given) return
  throw new FlagadmError('usage', `json output cannot be combined with --${given[0]}`, {
    hint: `json is the service's own document; use -o jsonl`,
  })
}

/** Which flags to list. */
export function flagFilterOf(options: ListOptions): FlagFilter {
  const { name = [], type = [], environment = [], stale, neverSeen, notSeenFor } = options
  return {
    names: name,
    types: type,
    environments: environment,
    stale: stale === true,
    neverSeen: neverSeen === true,
    notSeenForMs: notSeenFor === undefined ? undefined : duration('--not-seen-for', notSeenFor),
  }
}

/** The key to sort flags by. */
export function sortKeyOf({ sort }: ListOptions): FlagSortKey {
  if (sort === undefined) return 'name'
  const key = flagSortKeys.find((known) => known === sort)
  if (key !== undefined) return key
  throw new FlagadmError('usage', `--sort: unknown value '${sort}'`, {
    hint: `choose one of ${flagSortKeys.join(', ')}`,
  })
}
