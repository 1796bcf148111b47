import { type Command, Option } from '@commander-js/extra-typings'
import type { Start } from '../context.ts'
import { formatHelp, formats } from '../formats.ts'
import { collect, examples } from '../options.ts'

/**
 * Arguments with `--watch=5` as `--watch --interval 5`: if commander itself allowed a value, `--watch`
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

function registerList(feature: Command, start: Start): void {
  const needsFlags = ['project', 'allProjects', 'type', 'stale', 'neverSeen', 'notSeenFor']
  feature
    .command('list')
    .description('List the flags of a project, or names that SDKs ask for and no flag has')
    .addOption(new Option('--project <id>', 'the flags of this project').conflicts('allProjects'))
    .option('--all-projects', 'the flags of all projects that the service lists')
    .addOption(
      new Option('--unknown', 'names that SDKs ask for and no flag has').conflicts([
        ...needsFlags,
        ...['breaksRule', 'sort', 'reverse'],
      ]),
    )
    .option(
      '--name <name>',
      "only flags with this name, '*' matches any text (repeatable)",
      collect,
    )
    .option('--type <type>', 'only flags of this type (repeatable)', collect)
    .option(
      '--environment <name>',
      "only what happened in this environment, '*' matches any text (repeatable)",
      collect,
    )
    .option('--stale', 'only flags that are marked as stale')
    .option('--never-seen', 'only flags that no SDK has ever asked for')
    .option('--not-seen-for <duration>', 'only flags that no SDK asked for in this time, or ever')
    .option('--breaks-rule', "only flags whose names break their project's naming rule")
    .option('--sort <key>', 'name, type, created or last-seen (default: name)')
    .option('--reverse', 'reverse the order')
    .addHelpText(
      'after',
      `${formatHelp(formats.list)}\n
The open-source build of Unleash lists only the project 'default': give others with --project.`,
    )
    .addHelpText(
      'after',
      examples(
        'flagadm feature list --project checkout -p sandbox',
        'flagadm feature list --all-projects --not-seen-for 24h --sort last-seen -p sandbox',
        "flagadm feature list --project checkout --name '*-banner' -o names -p sandbox",
        'flagadm feature list --unknown -p sandbox',
      ),
    )
    .action(async (options) => {
      const context = start()
      const { listFeatures } = await import('./feature-list.ts')
      await listFeatures(context, options)
    })
}

/** `flagadm feature …` */
export function registerFeature(feature: Command, start: Start): void {
  registerList(feature, start)
  registerUsage(feature, start)
}

function registerUsage(feature: Command, start: Start): void {
  const usage = feature.command('usage')
  const parseOptions = usage.parseOptions.bind(usage)
  usage.parseOptions = (args) => parseOptions(expandWatch(args))
  usage
    .description('Show how often flags were evaluated in the current clock hour')
    .argument('[name...]', 'flags to look at')
    .option('--names-from <path>', "read names from a file, one per line ('-': standard input)")
    .option('--scan <glob>', 'find names in source code (repeatable)', collect)
    .option(
      '--match <regex>',
      'with --scan: custom pattern with a group named flag (repeatable)',
      collect,
    )
    .option(
      '--removed-since <revision>',
      'with --scan: names that the code used at this git revision and no longer uses',
    )
    .option('--concurrency <n>', 'requests under way at once', '8')
    .option('--app <name>', "only this application, '*' matches any text (repeatable)", collect)
    .option(
      '--environment <name>',
      "only this environment, '*' matches any text (repeatable)",
      collect,
    )
    .option('--used', 'only flags in use')
    .option('--unused', 'only flags without usage')
    .option('--group-by <part>', 'add up by application, environment, flag or variant, or none')
    .option('--sort <key>', 'enabled, disabled, total, share or name')
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n rows')
    .option('--layout <layout>', 'with -o table: sections or table')
    .option('--output-file <path>', 'replace a file with the output instead of writing to stdout')
    .option('--watch', 'read repeatedly; --watch=5 is short for --watch --interval 5')
    .option('--interval <duration>', 'pause between readings (default: 10s)')
    .option('--count <n>', 'with --watch: end after n readings')
    .option('--expect <usage>', 'used or unused: exit with 9 unless all flags are')
    .option('--for <duration>', 'with --expect: keep reading for a span such as 90s, 65m or 2h')
    .option('--fail-fast', 'with --expect: end as soon as one flag fails')
    .option('--allow-unseen', 'with --expect: accept flags that nothing has ever reported')
    .option(
      '--allow-unknown-filter',
      'with --expect: accept values of --app and --environment that the service does not know',
    )
    .addHelpText('after', formatHelp(formats.usage, formats.gate, formats.watch))
    .addHelpText(
      'after',
      `
Layout: a section for each of up to three flags; one table with a row for each flag,
application and environment for more flags or with --group-by. --layout forces either.

With --expect, the exit code is 0 if all flags are as expected, 9 if one is not or the evidence is
inconclusive. If flags could not be read, it is the code of their error, or 10 if others hold.`,
    )
    .addHelpText(
      'after',
      examples(
        'flagadm feature usage checkout-new-basket dark-mode -p sandbox',
        "flagadm feature usage checkout-new-basket --environment 'prod*' --sort total -p sandbox",
        'flagadm feature usage --scan src -o markdown --output-file usage.md -p sandbox',
        'flagadm feature usage dark-mode --watch=5 --count 2 -p sandbox',
        'flagadm feature usage legacy-invoice-export --expect unused --for 65m --allow-unseen -p sandbox',
      ),
    )
    .action(async (names, options) => {
      const context = start()
      const { featureUsage } = await import('./feature-usage.ts')
      await featureUsage(context, names, options)
    })
}
