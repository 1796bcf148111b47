import type { Command } from '@commander-js/extra-typings'
import type { Start } from '../context.ts'
import { formatHelp, formats } from '../formats.ts'
import { examples } from '../options.ts'

const help = formatHelp(formats.profiles)

/** `flagadm profile …` */
export function registerProfile(profile: Command, start: Start): void {
  registerReading(profile, start)
}

function registerReading(profile: Command, start: Start): void {
  profile
    .command('list')
    .description('List the profiles, and which one is the default and why')
    .addHelpText('after', help)
    .addHelpText('after', examples('flagadm profile list', 'flagadm profile list --json'))
    .action(async () => {
      const context = start()
      const { showProfiles } = await import('./profile-list.ts')
      await showProfiles(context)
    })
  profile
    .command('show')
    .description('Show every value that a command would use, and where it comes from')
    .argument('[name]', 'profile to show, instead of the default one')
    .addHelpText('after', help)
    .addHelpText('after', '\nOf the API key, only the source and the kind of token are shown.')
    .addHelpText(
      'after',
      examples(
        'flagadm profile show',
        'flagadm profile show staging',
        'flagadm profile show -p sandbox',
      ),
    )
    .action(async (name) => {
      const context = start()
      const { showProfile } = await import('./profile-show.ts')
      await showProfile(context, name)
    })
}
