import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { FlagadmError } from '../errors.ts'
import { isLoopback } from '../input/values.ts'
import {
  errorBody,
  readRequest,
  Refusal,
  refuseConnection,
  type Reply,
  type SandboxRequest,
  sendReply,
} from './http.ts'
import { respond, type RouteResult, sandboxKeys } from './routes.ts'
import type { SandboxProject } from './settings.ts'
import { initialState, type SandboxState, type StateOptions } from './state.ts'

/** An IP address as it appears in a URL; IPv4 addresses mapped to IPv6 as IPv4. */
function urlHost(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIPv6(plain) ? `[${plain}]` : plain
}

export interface SandboxOptions extends StateOptions {
  /** The address to listen on: `127.0.0.1` keeps the sandbox on this machine. */
  host: string
  /** 0 takes any free port. */
  port: number
  /** Receives a line for each request: method, path, status, changes. Contains no key; not yet printable. */
  log: (line: string) => void
}

/** A running sandbox. */
export interface Sandbox {
  url: string
  /** The address that it listens on when other machines can reach it, as in a URL. */
  exposedAddress: string | undefined
  /** Fixed keys, for the sandbox only: one with all permissions, one without any. */
  keys: { full: string; none: string }
  /** Its time in milliseconds since the epoch. */
  now(): number
  /** A project in its current state. */
  project(id: string): SandboxProject | undefined
  /** Closes all connections immediately; can be called repeatedly. */
  close(): Promise<void>
}

const timeLimits = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 500,
}

// More than the requests that flagadm makes at once.
const MAX_CONNECTIONS = 200

/**
 * Checks that the `Host` header of a request is the sandbox's own: a loopback name, the host from its
 * options or the address of the connection. A web page whose domain resolves to this machine
 * (DNS rebinding) sends the name of that domain.
 * @throws Refusal for another host
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

function replyTo(
  message: IncomingMessage,
  request: SandboxRequest,
  { host }: SandboxOptions,
  state: SandboxState,
): RouteResult & Reply {
  try {
    checkHost(message, host)
    return { status: 200, ...respond(request, state), now: state.clock().now }
  } catch (error) {
    if (error instanceof Refusal) {
      const { status, message, errorName } = error
      return { status, body: errorBody(status, message, errorName), now: state.clock().now }
    }
    return {
      status: 500,
      body: errorBody(500, error instanceof Error ? error.message : `${error}`),
    }
  }
}

/** Starts to listen; returns the address and the port. */
async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  // Without a host, Node.js would listen on every interface.
  if (!host) {
    throw new FlagadmError('usage', '--host is empty', {
      hint: 'use --host with an address such as 127.0.0.1',
    })
  }
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address : { address: host, family: '', port }
}

/**
 * Serves the specification and the optional reads over HTTP until it is closed.
 * @throws the system's error (`EADDRINUSE`) when it cannot listen there
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host, log } = options
  const state = initialState(options)
  const server = createServer(timeLimits, async (message, response) => {
    const request = await readRequest(message).catch(() => undefined)
    if (!request) return
    const reply = replyTo(message, request, options, state)
    const changed = reply.changes?.join('; ')
    log(`${request.method} ${request.path} ${reply.status}${changed ? ` ${changed}` : ''}`)
    await sendReply(reply, message, response)
  })
  server.on('clientError', refuseConnection)
  server.maxConnections = MAX_CONNECTIONS
  const { address, port } = await listen(server, host, options.port)
  return {
    url: `http://${urlHost(host)}:${port}`,
    exposedAddress: isLoopback(urlHost(address)) ? undefined : urlHost(address),
    keys: sandboxKeys,
    now: () => state.clock().now,
    project: (id) => state.projects.get(id),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
