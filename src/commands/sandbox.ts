import type { Command } from '@commander-js/extra-typings'
import type { OpenContext } from '../old/context.ts'
import { document } from '../help/documentation.ts'
import { formats } from '../old/output/formats.ts'

/** `flagadm sandbox` */
export function registerSandbox(sandbox: Command, openContext: OpenContext): void {
  document(sandbox, {
    formats: [formats.textOrJson],
    examples: ['flagadm sandbox', 'flagadm sandbox --port 0 --seed seed.yaml --frozen --json'],
  })
    .description('Serve projects and flags from memory, to try flagadm without a service')
    .option('--port <port>', 'port to listen on (0: any free port)', '4242')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--seed <file>', 'YAML or JSON file with the projects and flags to serve')
    .option('--frozen', 'keep the time and all usage fixed')
    .option('--spec-only', 'serve only what the specification describes')
    .action(async (options) => {
      const { serveSandbox } = await import('../sandbox/serve.ts')
      await serveSandbox(await openContext(), options)
    })
}
