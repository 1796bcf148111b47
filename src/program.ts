import type { OutputConfiguration } from '@commander-js/extra-typings'
import { registerFeature } from './commands/feature.ts'
import { registerHelp } from './commands/help.ts'
import { registerNaming } from './commands/naming.ts'
import { registerProject } from './commands/project.ts'
import { registerSandbox } from './commands/sandbox.ts'
import type { Start } from './context.ts'
import { exitCodes } from './errors.ts'
import { createRoot, examples } from './options.ts'
import { version } from '../package.json'

function exitCodeHelp(): string {
  const rows = Object.values(exitCodes).map(
    ([code, meaning]) => `  ${`${code}`.padEnd(4)} ${meaning}`,
  )
  return `\nExit codes:\n${rows.join('\n')}`
}

/** The command tree, used to parse the command line and to generate the help and the reference. */
export function createProgram(start: Start, output: OutputConfiguration) {
  const program = createRoot()
    .description('Administer feature flags: project settings, naming rules, usage.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput(output)
  program.addHelpText(
    'after',
    examples(
      'flagadm feature usage checkout-new-basket -p sandbox',
      "flagadm naming lint --pattern 'checkout-[a-z-]+' --example checkout-pay",
      'flagadm help environment',
    ),
  )
  program.addHelpText('afterAll', ({ command }) =>
    command.parent === null ? exitCodeHelp() : '\nGlobal options and exit codes: flagadm --help',
  )
  const group = (name: string, description: string, ...lines: string[]) =>
    program
      .command(name)
      .description(description)
      .addHelpText('after', examples(...lines))
  registerProject(
    group(
      'project',
      'Administer projects',
      'flagadm project settings set checkout --mode protected --dry-run -p sandbox',
      'flagadm project settings set checkout --clear-naming -p sandbox',
    ),
    start,
  )
  registerFeature(
    group(
      'feature',
      'Look at feature flags',
      'flagadm feature usage checkout-new-basket dark-mode -p sandbox',
      'flagadm feature usage --scan src --environment production',
    ),
    start,
  )
  registerNaming(
    group(
      'naming',
      'Prove naming rules and check names against them',
      'flagadm naming lint --rule naming.yaml',
      'flagadm naming check --scan src --rule naming.yaml',
      'flagadm naming diff --from old.yaml --to naming.yaml',
    ),
    start,
  )
  registerSandbox(program.command('sandbox'), start)
  registerHelp(program, start)
  return program
}
