import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { text } from 'node:stream/consumers'
import { FlagadmError } from '../errors.ts'
import { isLoopback } from '../input/values.ts'
import { defaultSeed } from './default-seed.ts'
import { type Reply, respond, sandboxKeys } from './routes.ts'
import type { Seed } from './seed.ts'
import { initialState, Refusal, type SandboxState } from './state.ts'

// The time in a frozen sandbox.
const FROZEN_AT = Date.parse('2026-01-05T10:00:00Z')

export interface SandboxOptions {
  /** The address to listen on: `127.0.0.1` keeps the sandbox on this machine. */
  host: string
  /** 0 takes any free port. */
  port: number
  /** The projects of an online shop by default. */
  seed?: Seed | undefined
  /** Keeps the time fixed. */
  frozen: boolean
  /** Serves only what the specification describes; everything else is a 404. */
  specOnly?: boolean | undefined
  /** Milliseconds since the epoch. */
  now: () => number
  /** Receives a line for each request: method, path and status. Contains no key; not yet printable. */
  log: (line: string) => void
  /** Called after each request that changed something. */
  onChange?: () => void
}

/** An IP address as it appears in a URL; IPv4 addresses mapped to IPv6 as IPv4. */
function urlHost(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIPv6(plain) ? `[${plain}]` : plain
}

/**
 * Checks that the `Host` header of a request is the sandbox's own: a loopback name, the host from its options or the
 * address of the connection. A web page whose domain resolves to this machine (DNS rebinding) sends another name.
 */
function checkHost({ headers, socket }: IncomingMessage, host: string): void {
  const name = (headers.host ?? '').replace(/:\d*$/, '').toLowerCase()
  const own = [host, socket.localAddress ?? ''].map((address) => urlHost(address).toLowerCase())
  if (isLoopback(name) || own.includes(name)) return
  throw new Refusal(
    421,
    'The Host header is not an address of the sandbox; use its address or localhost',
  )
}

async function replyTo(
  message: IncomingMessage,
  host: string,
  state: SandboxState,
): Promise<Reply> {
  const { method = '', url = '', headers } = message
  const [path = '', query] = url.split('?', 2)
  try {
    checkHost(message, host)
    const body = await text(message)
    const parts = { method, path, query: new URLSearchParams(query), body }
    const { authorization: key, 'content-type': contentType } = headers
    return respond({ ...parts, key, contentType }, state)
  } catch (error) {
    return error instanceof Refusal ? error : new Refusal(500, String(error))
  }
}

/**
 * Serves the specification and the optional reads over HTTP until it is closed.
 * @throws the system's error (`EADDRINUSE`) when it cannot listen there
 */
export async function startSandbox(options: SandboxOptions) {
  const { host, port, seed = defaultSeed, frozen, specOnly = false, log, onChange } = options
  // Without a host, Node.js would listen on every interface.
  if (!host) {
    throw new FlagadmError('usage', '--host is empty', {
      hint: 'use --host with an address such as 127.0.0.1',
    })
  }
  const now = frozen ? () => FROZEN_AT : options.now
  const state = initialState(seed, { specOnly, frozen, now })
  const server = createServer(async (message, response) => {
    const { status, body, isChange } = await replyTo(message, host, state)
    log(`${message.method} ${message.url?.split('?', 1)} ${status}`)
    if (isChange) onChange?.()
    response.statusCode = status
    response.setHeader('date', new Date(now()).toUTCString())
    if (body) response.setHeader('content-type', 'application/json')
    response.end(body && JSON.stringify(body))
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port
  return {
    url: `http://${urlHost(host)}:${actualPort}`,
    /** Fixed keys, for the sandbox only: one with all permissions, one without any. */
    keys: sandboxKeys,
    now,
    /** A project in its current state. */
    project: (id: string) => state.projects.get(id),
    /** Closes all connections immediately; can be called repeatedly. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A running sandbox. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>
