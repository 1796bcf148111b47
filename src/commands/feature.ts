import { type Command, Option } from '@commander-js/extra-typings'
import type { Start } from '../context.ts'
import { flagSortKeys } from '../flags/options.ts'
import { collect, document } from '../help/documentation.ts'
import { timeSpan } from '../input/values.ts'
import { formats } from '../output/formats.ts'
import { addUsageOptions } from './usage-options.ts'

/**
 * Replaces `--watch=5` with `--watch --interval 5`: if commander itself allowed a value, `--watch`
 * would take the next argument, such as the name of a flag.
 */
function expandWatch(args: readonly string[]): string[] {
  const end = args.indexOf('--')
  const options = end === -1 ? args : args.slice(0, end)
  const expanded = options.flatMap((arg) => {
    const [, interval] = /^--watch=(.*)$/s.exec(arg) ?? []
    return interval === undefined ? [arg] : ['--watch', '--interval', interval]
  })
  return [...expanded, ...args.slice(options.length)]
}

/** Adds the options of `feature list`. */
function addListOptions(list: Command) {
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

function registerList(feature: Command, start: Start): void {
  const list = document(feature.command('list'), {
    formats: [formats.list],
    notes: [
      "The open-source build of Unleash lists only the project 'default': use --project for others.",
    ],
    examples: [
      'flagadm feature list --project checkout -p sandbox',
      'flagadm feature list --all-projects --not-seen-for 24h --sort last-seen -p sandbox',
      "flagadm feature list --project checkout --name '*-banner' -o names -p sandbox",
      'flagadm feature list --unknown -p sandbox',
    ],
  }).description('List the flags of a project, or names that SDKs ask for but no flag has')
  addListOptions(list).action(async (options) => {
    const { listFeatures } = await import('../flags/list.ts')
    await listFeatures(start(), options)
  })
}

/** `flagadm feature …` */
export function registerFeature(feature: Command, start: Start): void {
  document(feature, {
    examples: [
      'flagadm feature usage checkout-new-basket dark-mode -p sandbox',
      'flagadm feature usage --scan src --environment production',
    ],
  }).description('List feature flags and show their usage')
  registerList(feature, start)
  registerUsage(feature, start)
}

function registerUsage(feature: Command, start: Start): void {
  const command = document(feature.command('usage'), {
    formats: [formats.usage, formats.gate, formats.watch],
    notes: [
      `Layout: a section for each of up to three flags; one table with a row for each flag,
application and environment for more flags or with --group-by. --layout forces either.

With --expect, the exit code is 0 if all flags are as expected, 9 if one is not or the evidence is
inconclusive. If flags could not be read, it is the code of their error, or 10 if the others are as
expected.`,
    ],
    examples: [
      'flagadm feature usage checkout-new-basket dark-mode -p sandbox',
      "flagadm feature usage checkout-new-basket --environment 'prod*' --sort total -p sandbox",
      'flagadm feature usage --scan src -o markdown --output-file usage.md -p sandbox',
      'flagadm feature usage dark-mode --watch=5 --count 2 -p sandbox',
      'flagadm feature usage --project checkout --since 48h --unused -p sandbox',
      'flagadm feature usage checkout-coupon-banner --since 2d --by day -p sandbox',
      'flagadm feature usage legacy-invoice-export --project default --expect unused --since 48h -p sandbox',
    ],
  })
  const parseOptions = command.parseOptions.bind(command)
  command.parseOptions = (args) => parseOptions(expandWatch(args))
  const usage = command
    .description('Show how often flags were evaluated, in the current clock hour or a longer span')
    .argument('[name...]', 'names of the flags')
  addUsageOptions(usage).action(async (names, options) => {
    const { featureUsage } = await import('../usage/show.ts')
    await featureUsage(start(), names, options)
  })
}
