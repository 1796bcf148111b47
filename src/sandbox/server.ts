import { once } from 'node:events'
import { createServer } from 'node:http'
import { isIPv6 } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Context, Define } from '../command/context.ts'
import { FlagadmError, interrupted, systemCode, refuseUsage } from '../errors.ts'
import { parseDocument } from '../input/document.ts'
import { inputName } from '../input/files.ts'
import { checkShape, describeProblem } from '../input/shape.ts'
import { isLoopback, wholeNumber } from '../input/values.ts'
import { withExamples } from '../command/options.ts'
import { defaultSeed } from './default-seed.ts'
import { respond, sandboxKeys } from './routes.ts'
import { type Seed, seedSchema } from './seed.ts'
import { initialState, Refusal, type SandboxRequest, type SandboxState } from './state.ts'

// The time in a frozen sandbox.
const FROZEN_AT = Date.parse('2026-01-05T10:00:00Z')

export interface SandboxOptions {
  /** The address to listen on: `127.0.0.1` keeps the sandbox on this machine. */
  host: string
  /** 0 takes any free port. */
  port: number
  /** The projects of an online shop by default. */
  seed?: Seed | undefined
  frozen: boolean
  /** Serves only what the specification describes; everything else is a 404. */
  specOnly?: boolean | undefined
  /** Milliseconds since the epoch. */
  now: () => number
  /** Receives a line for each request: method, path and status. Contains no key; not yet printable. */
  log: (line: string) => void
  onChange?: () => void
}

function replyTo(request: SandboxRequest, state: SandboxState) {
  try {
    return respond(request, state)
  } catch (error) {
    return error instanceof Refusal ? error : new Refusal(500, String(error))
  }
}

/**
 * Serves the specification and the optional reads over HTTP until it is closed.
 * @throws a usage error when it cannot listen there
 */
export async function startSandbox(options: SandboxOptions) {
  const { port, seed = defaultSeed, frozen, specOnly = false, log, onChange } = options
  // Without a host, Node.js would listen on every interface.
  const host = options.host || '127.0.0.1'
  const now = frozen ? () => FROZEN_AT : options.now
  const state = initialState(seed, { specOnly, frozen, now })
  const server = createServer(async (message, response) => {
    const { method = '', url = '', headers } = message
    const [path = '', query] = url.split('?', 2)
    // A client that disconnects gets no reply.
    const body = await text(message).catch(() => '')
    const { authorization: key, 'content-type': contentType } = headers
    const request = { method, path, query: new URLSearchParams(query), body, key, contentType }
    const reply = replyTo(request, state)
    log(`${method} ${path} ${reply.status}`)
    if (reply.isChange) onChange?.()
    response.statusCode = reply.status
    response.setHeader('date', new Date(now()).toUTCString())
    if (reply.body) response.setHeader('content-type', 'application/json')
    response.end(reply.body && JSON.stringify(reply.body))
  })
  server.listen(port, host)
  await once(server, 'listening').catch((cause: Error) => {
    const reason = systemCode(cause) === 'EADDRINUSE' ? 'the port is in use' : cause.message
    throw new FlagadmError('usage', `cannot listen on ${host} port ${port}: ${reason}`, {
      hint: 'choose another with --port or --host; --port 0 takes any free port',
      cause,
    })
  })
  const address = server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${actualPort}`,
    /** Fixed keys, for the sandbox only: one with all permissions, one without any. */
    keys: sandboxKeys,
    now,
    project: (id: string) => state.projects.get(id),
    /** Closes all connections immediately; can be called repeatedly. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

/** @throws a usage error about the first invalid field */
async function readSeed({ inputs }: Context, path: string): Promise<Seed> {
  const name = inputName(path)
  const text = await inputs.read(path, '--seed', 'usage')
  const document = await parseDocument(text, { name, kind: 'usage' })
  const { data, problem } = checkShape(seedSchema, document)
  if (data) return data
  refuseUsage(
    `${name}: ${describeProblem(problem)}`,
    'a seed contains projects (id, mode) and flags (name, project, usage, seenApplications)',
  )
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  return withExamples(command, [
    'flagadm sandbox',
    'flagadm sandbox --port 0 --seed seed.yaml --frozen --json',
  ])
    .option('--port <port>', 'port to listen on (0: any free port)', '4242')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--seed <file>', 'YAML or JSON file with the projects and flags to serve')
    .option('--frozen', 'keep the time fixed')
    .option('--spec-only', 'serve only what the specification describes')
    .action(async ({ host, port, seed, frozen = false, specOnly = false }) => {
      const { host: world, messages, out, redactor } = context
      const sandbox = await startSandbox({
        host,
        port: wholeNumber('--port', port, 0, 65_535),
        seed: seed === undefined ? undefined : await readSeed(context, seed),
        frozen,
        specOnly,
        now: world.clock.now,
        log: messages.note,
      })
      context.onClose(() => sandbox.close())
      // These keys are public, even if one of them is exported as FLAGADM_API_KEY.
      for (const key of Object.values(sandboxKeys)) redactor.remove(key)
      // Clients cannot connect to the wildcard addresses, which are for listening only.
      const url = sandbox.url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
      if (!isLoopback(new URL(sandbox.url).hostname)) {
        messages.warn(`other machines can reach the sandbox on ${host}, and its keys are public`)
      }
      if (format() === 'json') out.json({ baseUrl: url, keys: sandboxKeys })
      else {
        const setting =
          world.platform === 'win32'
            ? `$env:FLAGADM_BASE_URL = '${url}'; $env:FLAGADM_API_KEY = '${sandboxKeys.full}'`
            : `export FLAGADM_BASE_URL=${url} FLAGADM_API_KEY='${sandboxKeys.full}'`
        out.lines([
          `The sandbox is running at ${url}; press Ctrl-C to stop it.`,
          'In another terminal:',
          '',
          ['  ', { copy: setting }],
          '',
          `A key that may not even read: '${sandboxKeys.none}'`,
        ])
      }
      if (!world.interruption.aborted) await once(world.interruption, 'abort')
      throw interrupted()
    })
}
