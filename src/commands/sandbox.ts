import type { Command } from '@commander-js/extra-typings'
import type { Start } from '../context.ts'
import { formatHelp, formats } from '../formats.ts'
import { examples } from '../options.ts'

/** `flagadm sandbox` */
export function registerSandbox(sandbox: Command, start: Start): void {
  sandbox
    .description('Serve projects and flags from memory, to try flagadm without a service')
    .option('--port <port>', 'port to listen on (0: any free port)', '4242')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--seed <file>', 'YAML or JSON file with the projects and flags to serve')
    .option('--frozen', 'keep the time and all usage fixed')
    .option('--spec-only', 'serve only what the specification describes')
    .addHelpText('after', formatHelp(formats.sandbox))
    .addHelpText(
      'after',
      examples('flagadm sandbox', 'flagadm sandbox --port 0 --seed seed.yaml --frozen --json'),
    )
    .action(async (options) => {
      const context = start()
      const { serveSandbox } = await import('./sandbox-server.ts')
      await serveSandbox(context, options)
    })
}
