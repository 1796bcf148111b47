import { inLargestUnit } from '../input/values.ts'
import type { FlagFilter, FlagSortKey } from './view.ts'

/** The options of `feature list`. */
export interface ListOptions {
  project?: string | undefined
  allProjects?: true | undefined
  unknown?: true | undefined
  name?: string[] | undefined
  type?: string[] | undefined
  environment?: string[] | undefined
  stale?: true | undefined
  neverSeen?: true | undefined
  /** In milliseconds. */
  notSeenFor?: number | undefined
  breaksRule?: true | undefined
  sort?: FlagSortKey | undefined
  reverse?: true | undefined
}

/** The options that select or arrange flags, by their names on the command line. */
function viewOptions(options: ListOptions) {
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

/** The first option given that selects or arranges flags, without dashes; undefined if there is none. */
export function givenViewOption(options: ListOptions): string | undefined {
  return Object.entries(viewOptions(options)).find(([, value]) => value !== undefined)?.[0]
}

/** The filters as part of a heading: `stale, of type release, named shop-* or api-*`; empty if there are none. */
export function filterText(options: ListOptions): string {
  const { name, type, environment, stale, neverSeen, notSeenFor, breaksRule } = options
  return [
    stale ? 'stale' : '',
    neverSeen ? 'never seen' : '',
    notSeenFor === undefined ? '' : `not seen for ${inLargestUnit(notSeenFor)}`,
    breaksRule ? 'breaking the naming rule' : '',
    type ? `of type ${type.join(' or ')}` : '',
    name ? `named ${name.join(' or ')}` : '',
    environment ? `in ${environment.join(' or ')}` : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/** A heading with the filters of a list. */
export function captionOf(subject: string, filters: string): string {
  return filters === '' ? subject : `${subject}: ${filters}`
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
    notSeenForMs: notSeenFor,
  }
}
