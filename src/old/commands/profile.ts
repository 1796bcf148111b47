import type { Define } from '../../context.ts'
import { openOld } from '../context.ts'
import { document } from './document.ts'
import { pathOf } from '../../help-text.ts'
import { formats } from '../output/formats.ts'

export const defineList: Define = (command, context) => {
  document(command, context, {
    formats: [formats.textOrJson],
    examples: ['flagadm profile list', 'flagadm profile list --json'],
  }).action(async () => {
    const { showProfiles } = await import('../../profile/list.ts')
    await showProfiles(openOld(context))
  })
}

export const defineShow: Define = (command, context) => {
  document(command, context, {
    formats: [formats.textOrJson],
    notes: ['Shows only the source of the API key and the kind of token, never the key.'],
    examples: [
      'flagadm profile show',
      'flagadm profile show staging',
      'flagadm profile show -p sandbox',
    ],
  })
    .argument('[profile]', 'profile to show, instead of the default one')
    .action(async (name) => {
      const { showProfile } = await import('../../profile/show.ts')
      await showProfile(openOld(context), name)
    })
}

export const defineAdd: Define = (command, context) => {
  document(command, context, {
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
    .argument('[name]', 'name of the new profile')
    .option('--api-key-command <command>', 'command that prints the API key, run without a shell')
    .option('--api-key-env <variable>', 'environment variable that contains the API key')
    .option('--api-key-stdin', 'read the API key from standard input and store it in a file')
    .option('--no-check', 'do not check the connection and the key before the profile is stored')
    .action(async (name, options) => {
      const { addProfile } = await import('../../profile/add.ts')
      await addProfile(openOld(context), name, options)
    })
}

export const defineUse: Define = (command, context) => {
  document(command, context, {
    formats: [formats.textOrJson],
    examples: ['flagadm profile use staging', 'flagadm profile use staging --json'],
  })
    .argument('<profile>', 'profile of your configuration')
    .action(async (name) => {
      const { useProfile } = await import('../../profile/change.ts')
      await useProfile(openOld(context), name)
    })
}

export const defineRename: Define = (command, context) => {
  document(command, context, {
    formats: [formats.textOrJson],
    examples: ['flagadm profile rename staging test', 'flagadm profile rename staging test --json'],
  })
    .argument('<profile>', 'profile to rename')
    .argument('<new-name>', 'its new name')
    .action(async (name, to) => {
      const { renameProfile } = await import('../../profile/change.ts')
      await renameProfile(openOld(context), name, to)
    })
}

export const defineRemove: Define = (command, context) => {
  document(command, context, {
    formats: [formats.textOrJson],
    examples: ['flagadm profile remove staging', 'flagadm profile remove staging --yes'],
  })
    .argument('<profile>', 'profile to remove')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(async (name, options) => {
      const { removeProfile } = await import('../../profile/change.ts')
      await removeProfile(openOld(context), name, options)
    })
}

/** Declares a command that checks a profile: `profile check`, or `doctor`. */
export const defineCheck: Define = (command, context) => {
  document(command, context, {
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
      const { checkProfile } = await import('../../doctor/check.ts')
      await checkProfile(openOld(context), name)
    })
}
