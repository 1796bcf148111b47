import { Option, type OutputConfiguration } from '@commander-js/extra-typings'
import { refuseUnusableValues } from '../help/options.ts'
import { DEFAULT_RETRIES, DEFAULT_TIMEOUT } from '../input/values.ts'
import { registerCompletion } from './completion.ts'
import { registerFeature } from './feature.ts'
import { registerHelp } from './help.ts'
import { registerNaming } from './naming.ts'
import { registerConnectionCheck, registerProfile } from './profile.ts'
import { registerProject } from './project.ts'
import { registerSandbox } from './sandbox.ts'
import type { OpenContext } from '../old/context.ts'
import { document, DocumentedCommand } from '../help/documentation.ts'
import { linesOf } from '../old/output/text.ts'
import { version } from '../../package.json'

/** The root command with the global options, accepted before or after the subcommand. */
function createRoot() {
  return new DocumentedCommand('flagadm')
    .optionsGroup('Connection:')
    .option(
      '-p, --profile <name>',
      "profile to use; 'sandbox' is an embedded service for one command",
    )
    .option('--base-url <url>', 'address of the service')
    .option('--api-key-file <path>', "file containing the API key, '-' for standard input")
    .option('--config <file>', 'read this configuration file instead of searching for one')
    .option('--allow-http', 'allow plain http to other machines')
    .addOption(
      new Option(
        '--timeout <duration>',
        'deadline of one request, retries included: 10, 10s, 5m or 2h',
      ).default(undefined, DEFAULT_TIMEOUT),
    )
    .addOption(
      new Option('--retries <n>', 'further attempts after a failed one').default(
        undefined,
        DEFAULT_RETRIES,
      ),
    )
    .optionsGroup('Output:')
    .option('-o, --output <format>', 'output format; the help of each command lists its formats')
    .option('--json', 'short for --output json; errors become JSON as well')
    .addOption(
      new Option('--color <when>', 'when to use colour')
        .choices(['auto', 'always', 'never'] as const)
        .default('auto' as const),
    )
    .option('--no-color', 'short for --color never')
    .option('-q, --quiet', 'print no warnings or notes on stderr')
    .option('-v, --verbose', 'log each request on stderr')
    .optionsGroup('Other:')
}

/** The command tree, used to parse the command line and to generate the help and the reference. */
export function createProgram(openContext: OpenContext, output: OutputConfiguration) {
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
  registerProject(program.command('project'), openContext)
  registerFeature(program.command('feature'), openContext)
  registerNaming(program.command('naming'), openContext)
  registerProfile(program.command('profile'), openContext)
  const doctor = program
    .command('doctor')
    .description('Check the configuration and the connection (short for profile check)')
  registerConnectionCheck(doctor, openContext)
  registerSandbox(program.command('sandbox'), openContext)
  registerCompletion(program, openContext)
  registerHelp(program, openContext)
  program.command('version', { hidden: true }).action(async () => {
    const context = await openContext()
    await context.write(linesOf([context.printer.text(version)]))
  })
  refuseUnusableValues(program)
  return program
}
