import type { Command } from '@commander-js/extra-typings'
import type { Start } from '../context.ts'
import { collect, examples } from '../options.ts'

/** `flagadm feature …` */
export function registerFeature(feature: Command, start: Start): void {
  feature
    .command('usage')
    .description('Show how often flags were evaluated in the last hour')
    .argument('[name...]', 'flags to look at')
    .option('--names-from <path>', "read names from a file, one per line ('-': standard input)")
    .option('--scan <glob>', 'find names in source code (repeatable)', collect)
    .option(
      '--match <regex>',
      'with --scan: custom pattern with a group named flag (repeatable)',
      collect,
    )
    .option('--concurrency <n>', 'requests under way at once', '8')
    .option('--app <name>', "only this application, '*' matches any text (repeatable)", collect)
    .option(
      '--environment <name>',
      "only this environment, '*' matches any text (repeatable)",
      collect,
    )
    .option('--group-by <part>', 'application, environment, flag, variant or none')
    .option('--sort <key>', 'enabled, disabled, total, share or name')
    .option('--reverse', 'the other way round')
    .option('--limit <n>', 'show so many rows at most')
    .option('--output-file <path>', 'write to a file, all at once, instead of to stdout')
    .option('--watch [seconds]', 'read again and again (default: every 10 seconds)')
    .option('--count <n>', 'with --watch: end after so many reads')
    .option('--expect <usage>', 'used or unused: exit with 9 when it does not hold')
    .option('--for <duration>', 'with --expect: over a span such as 90s, 65m or 2h')
    .option('--allow-unseen', 'with --expect: a flag that nothing has ever seen counts as unused')
    .addHelpText(
      'after',
      '\nOutput formats: table (default), json, jsonl, csv, markdown, openmetrics',
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
