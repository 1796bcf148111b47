import type { OutputConfiguration } from '@commander-js/extra-typings'
import { refuseRepeatedOptions } from '../help/options.ts'
import { registerCompletion } from './completion.ts'
import { registerFeature } from './feature.ts'
import { registerHelp } from './help.ts'
import { registerNaming } from './naming.ts'
import { registerCheck, registerProfile } from './profile.ts'
import { registerProject } from './project.ts'
import { registerSandbox } from './sandbox.ts'
import type { OpenContext } from '../context.ts'
import { document } from '../help/documentation.ts'
import { linesOf } from '../output/text.ts'
import { createRoot } from './options.ts'
import { version } from '../../package.json'

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
  registerCheck(doctor, openContext, 'flagadm doctor')
  registerSandbox(program.command('sandbox'), openContext)
  registerCompletion(program, openContext)
  registerHelp(program, openContext)
  program.command('version', { hidden: true }).action(async () => {
    const context = await openContext()
    await context.write(linesOf([context.printer.text(version)]))
  })
  refuseRepeatedOptions(program)
  return program
}
