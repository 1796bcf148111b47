import type { Command, OutputConfiguration } from '@commander-js/extra-typings'
import { refuseRepeatedOptions } from '../help/usage-error.ts'
import { registerCompletion } from './completion.ts'
import { registerCheck } from './doctor.ts'
import { registerHelp } from './help.ts'
import { registerSandbox } from './sandbox.ts'
import type { Start } from '../context.ts'
import { exitCodes } from '../errors.ts'
import { document } from '../help/documentation.ts'
import { createRoot } from './options.ts'
import { version } from '../../package.json'

function exitCodeHelp(): string {
  const rows = Object.values(exitCodes).map(
    ([code, meaning]) => `  ${`${code}`.padEnd(4)} ${meaning}`,
  )
  return `\nExit codes:\n${rows.join('\n')}`
}

/** A group of commands. Its commands are loaded only when needed, because loading them slows down every start. */
interface Group {
  description: string
  examples: readonly string[]
  load: () => Promise<(group: Command, start: Start) => void>
}

const groups: Readonly<Record<string, Group>> = {
  project: {
    description: 'Administer projects',
    examples: [
      'flagadm project list -p sandbox',
      'flagadm project settings get checkout -p sandbox',
      'flagadm project settings set checkout --mode open --dry-run -p sandbox',
    ],
    load: async () => (await import('./project.ts')).registerProject,
  },
  feature: {
    description: 'List feature flags and show their usage',
    examples: [
      'flagadm feature usage checkout-new-basket dark-mode -p sandbox',
      'flagadm feature usage --scan src --environment production',
    ],
    load: async () => (await import('./feature.ts')).registerFeature,
  },
  naming: {
    description: 'Check naming rules, and names against them',
    examples: [
      'flagadm naming lint --rule naming.yaml',
      'flagadm naming check --scan src --rule naming.yaml',
      'flagadm naming diff --from old.yaml --to naming.yaml',
    ],
    load: async () => (await import('./naming.ts')).registerNaming,
  },
  profile: {
    description: 'Show, change and check your profiles: addresses and API keys of services',
    examples: [
      'flagadm profile list',
      'flagadm profile show staging',
      'flagadm profile check -p sandbox',
    ],
    load: async () => (await import('./profile.ts')).registerProfile,
  },
}

/**
 * The command tree, used to parse the command line and to generate the help and the reference.
 * @param words the command line: groups that do not occur in it stay empty
 */
export async function createProgram(
  start: Start,
  output: OutputConfiguration,
  words: readonly string[] = Object.keys(groups),
) {
  const program = createRoot()
    .description('Administer feature flags: project settings, naming rules, usage.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput(output)
  document(program, {
    examples: [
      'flagadm feature usage checkout-new-basket -p sandbox',
      "flagadm naming lint --pattern 'checkout-[a-z-]+' --example checkout-pay",
      'flagadm help environment',
    ],
  })
  program.addHelpText('afterAll', ({ command }) =>
    command.parent === null ? exitCodeHelp() : '\nGlobal options and exit codes: flagadm --help',
  )
  // A word may be a whole line, from the completion of bash.
  const occurring = new Set(words.flatMap((word) => word.split(/\s/)))
  for (const [name, { description, examples, load }] of Object.entries(groups)) {
    const group = document(program.command(name), { examples }).description(description)
    if (occurring.has(name)) (await load())(group, start)
  }
  const doctor = program
    .command('doctor')
    .description('Check the configuration and the connection (short for profile check)')
  registerCheck(doctor, start, 'flagadm doctor')
  registerSandbox(program.command('sandbox'), start)
  registerCompletion(program, start)
  registerHelp(program, start, () => createProgram(start, {}))
  refuseRepeatedOptions(program)
  return program
}
