import { once } from 'node:events'
import type { Context } from '../old/context.ts'
import { FlagadmError, interrupted, systemCode } from '../errors.ts'
import { formats } from '../old/output/formats.ts'
import { jsonReport } from '../old/output/json.ts'
import { linesOf, safe } from '../old/output/text.ts'
import { wrapIndented } from '../old/output/width.ts'
import { parseDocument } from '../input/document.ts'
import { inputName } from '../input/files.ts'
import { wholeNumber } from '../input/values.ts'
import { settingOf } from '../shell.ts'
import { checkSeed, type Seed } from './seed.ts'
import { type Sandbox, startSandbox } from './server.ts'

interface SandboxCommandOptions {
  port: string
  host: string
  seed?: string | undefined
  frozen?: true | undefined
  specOnly?: true | undefined
}

async function readSeed({ inputs }: Context, path: string | undefined): Promise<Seed | undefined> {
  if (path === undefined) return undefined
  const text = await inputs.read(path, '--seed', 'usage')
  const name = inputName(path)
  return checkSeed(await parseDocument(text, name, 'usage'), name)
}

const listenFailures: Record<string, string> = {
  EADDRINUSE: 'address already in use',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'not an address of this machine',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'name resolution failed temporarily',
  EINVAL: 'not an address to listen on',
}

async function start(context: Context, options: SandboxCommandOptions): Promise<Sandbox> {
  const { host, port } = options
  const print = (line: string) => context.stderr.show(linesOf([context.printer.text(line)]))
  try {
    return await startSandbox({
      host,
      port: wholeNumber('--port', port, 0, 65_535),
      seed: await readSeed(context, options.seed),
      frozen: options.frozen === true,
      specOnly: options.specOnly,
      now: context.host.clock.now,
      log: (line) => context.options.quiet || print(line),
    })
  } catch (cause) {
    const code = systemCode(cause)
    // Node's own codes (`ERR_…`) indicate a bug.
    if (code === undefined || code.startsWith('ERR_')) throw cause
    const reason = listenFailures[code] ?? code
    throw new FlagadmError('usage', `cannot listen on ${host} port ${port}: ${reason}`, {
      hint: 'choose another with --port or --host; --port 0 takes any free port',
      cause,
    })
  }
}

/** Serves the sandbox until the user interrupts, and prints a command that uses it. */
export async function serveSandbox(
  context: Context,
  options: SandboxCommandOptions,
): Promise<void> {
  const format = context.format(formats.textOrJson)
  const sandbox = await start(context, options)
  context.onClose(() => sandbox.close())
  const { keys, exposedAddress } = sandbox
  // These keys are public, even if one of them is exported as FLAGADM_API_KEY.
  for (const key of Object.values(keys)) context.redactor.remove(key)
  // Clients cannot connect to the wildcard addresses, which are for listening only.
  const url = sandbox.url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
  if (exposedAddress !== undefined) {
    context.messages.warn(
      `the sandbox listens on ${exposedAddress} port ${new URL(url).port}: other machines can reach it, and its keys are public`,
    )
  }
  const { printer } = context
  const wrapped = (line: string) => wrapIndented(printer.text(line), printer.width, 2)
  const variables = { FLAGADM_BASE_URL: url, FLAGADM_API_KEY: keys.full }
  const setting = settingOf(variables, context.host.platform)
  const announced = await context.write(
    format === 'json'
      ? jsonReport({ baseUrl: url, keys }, printer)
      : linesOf([
          ...wrapped(`The sandbox is running at ${url}; press Ctrl-C to stop it.`),
          safe`In another terminal:`,
          safe``,
          printer.text(`  ${setting}`),
          safe``,
          ...wrapped(`A key without permissions: '${keys.none}'`),
        ]),
  )
  if (!announced) return
  const { signal } = context.host
  if (!signal.aborted) await once(signal, 'abort')
  throw interrupted()
}
