import type { Command } from '@commander-js/extra-typings'
import type { Start } from '../context.ts'

/** `flagadm feature …` */
export function registerFeature(feature: Command, start: Start): void {
  feature
    .command('usage')
    .description('Show how often flags were evaluated in the current clock hour')
    .argument('[name...]', 'flags to look at')
    .option('--names-from <path>', "read names from a file, one per line ('-': standard input)")
    .option('--scan <glob...>', 'find names in source code')
    .option('--match <regex...>', 'with --scan: own pattern with a group named flag')
    .option('--concurrency <n>', 'requests under way at once', '8')
    .option('--app <name...>', "only these applications ('*' stands for any text)")
    .option('--environment <name...>', "only these environments ('*' stands for any text)")
    .option('--used', 'only flags in use')
    .option('--unused', 'only flags without usage')
    .option('--group-by <part>', 'add up by application, environment, flag or variant, or none')
    .option('--sort <key>', 'enabled, disabled, total, share or name')
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n rows')
    .option('--layout <layout>', 'with -o table: sections or table')
    .option('--output-file <path>', 'replace a file with the output instead of writing to stdout')
    .option('--watch [seconds]', 'read again and again (default: every 10 seconds)')
    .option('--count <n>', 'with --watch: end after so many reads')
    .option('--expect <usage>', 'used or unused: exit with 9 when it does not hold')
    .option('--for <duration>', 'with --expect: over a span such as 90s, 65m or 2h')
    .option('--allow-unseen', 'with --expect: a flag that nothing has ever seen counts as unused')
    .addHelpText(
      'after',
      `
Output formats: table (default), json, jsonl, csv, markdown, openmetrics

Layout: a section for each of up to three flags; one table with a row for each flag,
application and environment for more flags or with --group-by. --layout forces either.`,
    )
    .action(async (names, options) => {
      const context = start()
      const { featureUsage } = await import('./feature-usage.ts')
      await featureUsage(context, names, options)
    })
}
