import type { Command } from '@commander-js/extra-typings'
import type { Start } from '../context.ts'

/** `flagadm sandbox` */
export function registerSandbox(sandbox: Command, start: Start): void {
  sandbox
    .description(
      'Serve projects, flags and their usage from memory, to try flagadm without a service',
    )
    .option('--port <port>', 'port to listen on, 0 for any free one', '4242')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--seed <file>', 'YAML or JSON file with the projects and flags to serve')
    .option('--frozen', 'keep time and usage still')
    .option('--spec-only', 'serve only the two operations of the specification, 404 for the rest')
    .addHelpText('after', '\nOutput formats: text (default), json')
    .action(async (options) => {
      const context = start()
      const { serveSandbox } = await import('./sandbox-server.ts')
      await serveSandbox(context, options)
    })
}
