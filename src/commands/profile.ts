import type { Command } from '@commander-js/extra-typings'
import type { OpenContext } from '../old/context.ts'
import { CHANGES, document } from '../help/documentation.ts'
import { pathOf } from '../help/options.ts'
import { formats } from '../old/output/formats.ts'

/** `flagadm profile …` */
export function registerProfile(profile: Command, openContext: OpenContext): void {
  document(profile, {
    examples: [
      'flagadm profile list',
      'flagadm profile show staging',
      'flagadm profile check -p sandbox',
    ],
  }).description('Show, change and check your profiles: addresses and API keys of services')
  registerReading(profile, openContext)
  const check = profile
    .command('check')
    .description('Check the configuration and the connection to the service')
  registerConnectionCheck(check, openContext)
  registerAdd(profile, openContext)
  registerChanges(profile, openContext)
}

function registerReading(profile: Command, openContext: OpenContext): void {
  document(profile.command('list'), {
    formats: [formats.textOrJson],
    examples: ['flagadm profile list', 'flagadm profile list --json'],
  })
    .description('List the profiles, and which one is the default and why')
    .action(async () => {
      const { showProfiles } = await import('../profile/list.ts')
      await showProfiles(await openContext())
    })
  document(profile.command('show'), {
    formats: [formats.textOrJson],
    notes: ['Shows only the source of the API key and the kind of token, never the key.'],
    examples: [
      'flagadm profile show',
      'flagadm profile show staging',
      'flagadm profile show -p sandbox',
    ],
  })
    .description('Show every value that a command would use, and where it comes from')
    .argument('[profile]', 'profile to show, instead of the default one')
    .action(async (name) => {
      const { showProfile } = await import('../profile/show.ts')
      await showProfile(await openContext(), name)
    })
}

function registerAdd(profile: Command, openContext: OpenContext): void {
  document(profile.command('add'), {
    formats: [formats.textOrJson],
    notes: [
      'Use --base-url for the address, and --api-key-file for a file that contains the API key.\n' +
        'The key itself is never written to the configuration, only to a file of its own. Only you can read\n' +
        'that file; on Windows, so can those who can read its folder.',
      'The key must be an admin token or a service account token (Admin settings → API access), or a personal\n' +
        'access token (Profile → Personal API tokens). Nothing is stored if the service does not accept it.',
      'The first profile becomes the default. Later ones do if you answer yes to that question, or with\n' +
        'flagadm profile use.',
    ],
    examples: [
      "flagadm profile add production --base-url https://flags.example.com --api-key-command 'pass show flags'",
      'flagadm profile add ci --base-url https://flags.example.com --api-key-env FLAGS_KEY --no-check',
    ],
  })
    .helpGroup(CHANGES)
    .description('Add a profile to your configuration; on a terminal, asks for missing values')
    .argument('[name]', 'name of the new profile')
    .option('--api-key-command <command>', 'command that prints the API key, run without a shell')
    .option('--api-key-env <variable>', 'environment variable that contains the API key')
    .option('--api-key-stdin', 'read the API key from standard input and store it in a file')
    .option('--no-check', 'do not check the connection and the key before the profile is stored')
    .action(async (name, options) => {
      const { addProfile } = await import('../profile/add.ts')
      await addProfile(await openContext(), name, options)
    })
}

function registerChanges(profile: Command, openContext: OpenContext): void {
  document(profile.command('use'), {
    formats: [formats.textOrJson],
    examples: ['flagadm profile use staging', 'flagadm profile use staging --json'],
  })
    .helpGroup(CHANGES)
    .description('Make a profile the default')
    .argument('<profile>', 'profile of your configuration')
    .action(async (name) => {
      const { useProfile } = await import('../profile/change.ts')
      await useProfile(await openContext(), name)
    })
  document(profile.command('remove'), {
    formats: [formats.textOrJson],
    examples: ['flagadm profile remove staging', 'flagadm profile remove staging --yes'],
  })
    .helpGroup(CHANGES)
    .description('Remove a profile from your configuration; asks for confirmation')
    .argument('<profile>', 'profile to remove')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(async (name, options) => {
      const { removeProfile } = await import('../profile/change.ts')
      await removeProfile(await openContext(), name, options)
    })
}

/** Declares a command that checks a profile: `profile check`, or `doctor`. */
export function registerConnectionCheck(command: Command, openContext: OpenContext): void {
  document(command, {
    formats: [formats.textOrJson],
    notes: [
      'Checks the configuration, DNS, the proxy, TLS, the health of the service, the kind of token, the\n' +
        'version, the permissions, the optional reads and the clock. Changes nothing. Exits with the code of\n' +
        'the first check that failed.',
    ],
    examples: [`${pathOf(command)} -p sandbox`, `${pathOf(command)} -p sandbox --json`],
  })
    .argument('[profile]', 'profile to check, instead of the default one')
    .action(async (name: string | undefined) => {
      const { checkProfile } = await import('../doctor/check.ts')
      await checkProfile(await openContext(), name)
    })
}
