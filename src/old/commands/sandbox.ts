import type { Define } from '../../context.ts'
import { openOld } from '../context.ts'
import { document } from './document.ts'
import { formats } from '../output/formats.ts'

/** `flagadm sandbox` */
export const defineSandbox: Define = (command, context) => {
  document(command, context, {
    formats: [formats.textOrJson],
    examples: ['flagadm sandbox', 'flagadm sandbox --port 0 --seed seed.yaml --frozen --json'],
  })
    .option('--port <port>', 'port to listen on (0: any free port)', '4242')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--seed <file>', 'YAML or JSON file with the projects and flags to serve')
    .option('--frozen', 'keep the time and all usage fixed')
    .option('--spec-only', 'serve only what the specification describes')
    .action(async (options) => {
      const { serveSandbox } = await import('../../sandbox/serve.ts')
      context.host.holdSignals()
      await serveSandbox(openOld(context), options)
    })
}
