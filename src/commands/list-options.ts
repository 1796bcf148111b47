import { type Command, Option } from '@commander-js/extra-typings'
import { flagSortKeys } from '../flags/view.ts'
import { collect } from '../help/documentation.ts'
import { timeSpan } from '../input/values.ts'

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
