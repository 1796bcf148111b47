import { type Context, shownLine } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { parseDocument } from '../input/document.ts'
import { checkSeed, defaultSeed, type Seed } from '../sandbox/seed.ts'
import { type Sandbox, startSandbox } from '../sandbox/server.ts'
import { systemCode } from '../system.ts'

interface SandboxCommandOptions {
  port: string
  host: string
  seed?: string | undefined
  frozen?: true | undefined
}

async function readSeed({ inputs }: Context, path: string | undefined): Promise<Seed> {
  if (path === undefined) return defaultSeed
  const text = await inputs.read(path, '--seed', 'usage')
  return checkSeed(await parseDocument(text, path, 'usage'), path)
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new FlagadmError('usage', `--port: '${text}' is no port`, { hint: 'give 0 to 65535' })
}

const listenFailures: Record<string, string> = {
  EADDRINUSE: 'something else listens there',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'name resolution failed for now',
  EINVAL: 'nobody can listen on such an address',
}

async function start(context: Context, options: SandboxCommandOptions): Promise<Sandbox> {
  const { host, port } = options
  const print = (line: string) =>
    context.host.stderr.write(`${shownLine(line, context.redactor)}\n`, () => {})
  try {
    return await startSandbox({
      host,
      port: portOf(port),
      seed: await readSeed(context, options.seed),
      frozen: options.frozen === true,
      now: context.host.clock.now,
      log: (line) => context.options.quiet || print(line),
    })
  } catch (cause) {
    const code = systemCode(cause)
    // Node's own codes tell of a bug.
    if (code === undefined || code.startsWith('ERR_')) throw cause
    const reason = listenFailures[code] ?? code
    throw new FlagadmError('usage', `cannot listen on ${host} port ${port}: ${reason}`, {
      hint: 'choose another one with --port or --host, or --port 0 for any free port',
      cause,
    })
  }
}

/** Serves the sandbox until the user interrupts; prints what to paste to use it. */
export async function serveSandbox(
  context: Context,
  options: SandboxCommandOptions,
): Promise<void> {
  const format = context.format(['text', 'json'])
  const sandbox = await start(context, options)
  context.onClose(() => sandbox.close())
  const { keys } = sandbox
  // Who listens everywhere is reached here.
  const url = sandbox.url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
  await context.write(
    format === 'json'
      ? `${JSON.stringify({ baseUrl: url, keys })}\n`
      : `The sandbox serves ${url} until you press Ctrl-C. In another terminal:\n\n` +
          `  export FLAGADM_BASE_URL=${url} FLAGADM_API_KEY='${keys.full}'\n\n` +
          `A key without permissions: '${keys.none}'\n`,
  )
  await untilInterrupted(context.host.signal)
}

function untilInterrupted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(new FlagadmError('interrupted', 'interrupted'))
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
  })
}
