import type { Command } from '@commander-js/extra-typings'
import type { Start } from '../context.ts'

/** `flagadm feature …` */
export function registerFeature(feature: Command, start: Start): void {
  feature
    .command('usage')
    .description('Show how often flags were evaluated in the last hour')
    .argument('<name...>', 'flags to look at')
    .addHelpText('after', '\nOutput formats: table (default), json')
    .action(async (names) => {
      const context = start()
      const { showUsage } = await import('./feature-usage.ts')
      await showUsage(context, names)
    })
}
