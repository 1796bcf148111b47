import type { OutputConfiguration } from '@commander-js/extra-typings'
import { registerFeature } from './commands/feature.ts'
import { registerNaming } from './commands/naming.ts'
import { registerProject } from './commands/project.ts'
import { registerSandbox } from './commands/sandbox.ts'
import type { Start } from './context.ts'
import { endings } from './errors.ts'
import { createRoot } from './options.ts'
import { version } from './version.ts'

function exitCodes(): string {
  const rows = Object.values(endings).map(
    ([code, meaning]) => `  ${`${code}`.padEnd(4)} ${meaning}`,
  )
  return `\nExit codes:\n${rows.join('\n')}`
}

/** The whole command tree: the parser, the help and the README's reference are this. */
export function createProgram(start: Start, output: OutputConfiguration) {
  const program = createRoot()
    .description('Administer feature flags: project settings, naming rules, usage.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .exitOverride()
    .configureOutput(output)
  program.addHelpText('afterAll', ({ command }) =>
    command.parent === null ? exitCodes() : '\nGlobal options and exit codes: flagadm --help',
  )
  registerProject(program.command('project').description('Administer projects'), start)
  registerFeature(program.command('feature').description('Look at feature flags'), start)
  registerNaming(
    program.command('naming').description('Prove naming rules and check names against them'),
    start,
  )
  registerSandbox(program.command('sandbox'), start)
  return program
}
