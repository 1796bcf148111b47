import { Argument, type Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import type { OpenContext } from '../old/context.ts'
import { document } from '../help/documentation.ts'
import { formats } from '../old/output/formats.ts'

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

/** `flagadm completion`, and the hidden `flagadm complete` that the scripts call. */
export function registerCompletion(program: CommandUnknownOpts, openContext: OpenContext): void {
  document(program.command('completion'), {
    formats: [formats.completion],
    notes: [
      `Load the script when the shell starts:
  bash, in ~/.bashrc:
    source <(flagadm completion bash)
  zsh, in ~/.zshrc after compinit:
    source <(flagadm completion zsh)
  fish, in ~/.config/fish/completions/flagadm.fish:
    flagadm completion fish | source
  powershell, in $PROFILE:
    flagadm completion powershell | Out-String | Invoke-Expression`,
    ],
    examples: ['flagadm completion bash', 'flagadm completion fish'],
  })
    .description('Print a script that completes flagadm command lines with Tab')
    .addArgument(new Argument('<shell>', 'shell to print the script for').choices(shells))
    .action(async (shell) => {
      const { printScript } = await import('../completion/scripts.ts')
      await printScript(await openContext(), shell)
    })
  const hidden: Command = program.command('complete', { hidden: true })
  hidden
    .argument('[word...]', 'words of a command line')
    .option('--line <text>', 'a command line up to the cursor instead, as typed in bash')
    .action(async (words, options) => {
      const { complete } = await import('../completion/complete.ts')
      await complete(await openContext(), program, words, options)
    })
}
