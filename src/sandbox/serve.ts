import { once } from 'node:events'
import type { Context, Define } from '../context.ts'
import { FlagadmError, interrupted, systemCode } from '../errors.ts'
import { parseDocument } from '../input/document.ts'
import { inputName } from '../input/files.ts'
import { checkShape, describeProblem } from '../input/shape.ts'
import { isLoopback, wholeNumber } from '../input/values.ts'
import { withExamples } from '../options.ts'
import { settingOf } from '../shell.ts'
import { type Seed, seedSchema } from './seed.ts'
import { startSandbox } from './server.ts'

/** @throws a usage error about the first invalid field */
async function readSeed({ inputs }: Context, path: string): Promise<Seed> {
  const name = inputName(path)
  const text = await inputs.read(path, '--seed', 'usage')
  const { data, problem } = checkShape(seedSchema, await parseDocument(text, name, 'usage'))
  if (data) return data
  throw new FlagadmError('usage', `${name}: ${describeProblem(problem)}`, {
    hint: 'a seed contains projects (id, mode) and flags (name, project, usage, seenApplications)',
  })
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  return command
    .description(
      withExamples(
        command.summary(),
        'flagadm sandbox',
        'flagadm sandbox --port 0 --seed seed.yaml --frozen --json',
      ),
    )
    .option('--port <port>', 'port to listen on (0: any free port)', '4242')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--seed <file>', 'YAML or JSON file with the projects and flags to serve')
    .option('--frozen', 'keep the time fixed')
    .option('--spec-only', 'serve only what the specification describes')
    .action(async ({ host, port, seed, frozen = false, specOnly = false }) => {
      const { host: world, messages, out, redactor } = context
      const isJson = format() === 'json'
      const sandbox = await startSandbox({
        host,
        port: wholeNumber('--port', port, 0, 65_535),
        seed: seed === undefined ? undefined : await readSeed(context, seed),
        frozen,
        specOnly,
        now: world.clock.now,
        log: messages.note,
      }).catch((cause: unknown) => {
        // Node's own codes (`ERR_…`) indicate a bug.
        if (!(cause instanceof Error) || /^(ERR_|$)/.test(systemCode(cause) ?? '')) throw cause
        throw new FlagadmError('usage', `cannot listen on ${host} port ${port}: ${cause.message}`, {
          hint: 'choose another with --port or --host; --port 0 takes any free port',
          cause,
        })
      })
      context.onClose(() => sandbox.close())
      const { keys } = sandbox
      // These keys are public, even if one of them is exported as FLAGADM_API_KEY.
      for (const key of Object.values(keys)) redactor.remove(key)
      // Clients cannot connect to the wildcard addresses, which are for listening only.
      const url = sandbox.url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
      if (!isLoopback(new URL(sandbox.url).hostname)) {
        const what = `the sandbox listens on ${host}: other machines can reach it, and its keys are public`
        messages.warn(what)
      }
      if (isJson) out.json({ baseUrl: url, keys })
      else {
        const variables = { FLAGADM_BASE_URL: url, FLAGADM_API_KEY: keys.full }
        out.lines([
          `The sandbox is running at ${url}; press Ctrl-C to stop it.`,
          'In another terminal:',
          '',
          `  ${settingOf(variables, world.platform)}`,
          '',
          `A key without permissions: '${keys.none}'`,
        ])
      }
      if (!world.signal.aborted) await once(world.signal, 'abort')
      throw interrupted()
    })
}
