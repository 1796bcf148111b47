import type { Command } from '@commander-js/extra-typings'
import type { Start } from '../context.ts'
import { document } from '../help/documentation.ts'
import { formats } from '../output/formats.ts'

/**
 * Declares a command that checks a profile: `profile check`, or `doctor`.
 * @param path the command, for its examples
 */
export function registerCheck(command: Command, start: Start, path: string): void {
  document(command, {
    formats: [formats.profiles],
    notes: [
      'Checks the configuration, DNS, the proxy, TLS, the health of the service, the kind of token, the\n' +
        'version, the permissions, the optional reads and the clock. Changes nothing. Exits with the code of\n' +
        'the first check that failed.',
    ],
    examples: [`${path} -p sandbox`, `${path} -p sandbox --json`],
  })
    .argument('[profile]', 'profile to check, instead of the default one')
    .action(async (name: string | undefined) => {
      const { checkProfile } = await import('../doctor/check.ts')
      await checkProfile(start(), name)
    })
}
