import { type Command, Option } from '@commander-js/extra-typings'
import { type FlagFilter, flagSortKeys } from './view.ts'
import { inLargestUnit, timeSpan } from '../input/values.ts'
import { collect } from '../commands/options.ts'

/** Adds the options of `feature list`. */
export function addListOptions(list: Command) {
  return list
    .addOption(new Option('--project <id>', 'the flags of this project').conflicts('allProjects'))
    .option('--all-projects', 'the flags of all projects that the service lists')
    .addOption(
      new Option('--unknown', 'names that SDKs ask for but no flag has').conflicts([
        ...['project', 'allProjects', 'type', 'stale', 'neverSeen', 'notSeenFor'],
        ...['breaksRule', 'sort', 'reverse'],
      ]),
    )
    .option('--name <name>', "only this name, '*' matches any text (repeatable)", collect)
    .option('--type <type>', "only this type, '*' matches any text (repeatable)", collect)
    .option(
      '--environment <name>',
      "only this environment, '*' matches any text (repeatable)",
      collect,
    )
    .option('--stale', 'only flags that are marked as stale')
    .option('--never-seen', 'only flags that no SDK has ever asked for')
    .option(
      '--not-seen-for <duration>',
      'only flags that no SDK has asked for in this time, including those never seen',
      (text) => timeSpan('--not-seen-for', text),
    )
    .option('--breaks-rule', "only flags whose names break their project's naming rule")
    .addOption(new Option('--sort <key>', 'what to sort by (default: name)').choices(flagSortKeys))
    .option('--reverse', 'reverse the order')
}

/** The options of `feature list` as commander parses them. */
export type ListOptions = ReturnType<ReturnType<typeof addListOptions>['opts']>

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
