import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { isIPv6 } from 'node:net'
import { FlagadmError } from '../errors.ts'
import { errorBody, Refusal } from './refusal.ts'
import { refuseConnection, sendReply } from './reply.ts'
import { readRequest, type SandboxRequest } from './request.ts'
import { type Answer, answer, sandboxKeys } from './routes.ts'
import type { Seed } from './seed.ts'
import type { SandboxProject } from './settings.ts'
import { initialState, type SandboxState } from './state.ts'

export interface SandboxOptions {
  /** The address to listen on: `127.0.0.1` keeps the sandbox on this machine. */
  host: string
  /** 0 takes any free port. */
  port: number
  seed: Seed
  /** Usage stays as the seed states it. */
  frozen: boolean
  /** Serves only what the specification describes; everything else is a 404. */
  specOnly?: boolean | undefined
  /** Milliseconds since the epoch. */
  now: () => number
  /** Takes a line for each request: method, path, status, changes. Never a key; not made printable. */
  log: (line: string) => void
}

/** A running sandbox. */
export interface Sandbox {
  url: string
  /** Fixed keys, for the sandbox only: one with all permissions, one without any. */
  keys: { full: string; none: string }
  /** A project in its current state. */
  project(id: string): SandboxProject | undefined
  /** Ends every connection at once; may be called again. */
  close(): Promise<void>
}

const timeLimits = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 500,
}

function replyTo(request: SandboxRequest, state: SandboxState): Answer {
  try {
    return answer(request, state)
  } catch (error) {
    const status = error instanceof Refusal ? error.status : 500
    return {
      status,
      body: errorBody(status, error instanceof Error ? error.message : String(error)),
    }
  }
}

/** Starts to listen; gives the port. */
async function listen(server: Server, host: string, port: number): Promise<number> {
  // Without a host Node would listen on every interface.
  if (!host) {
    throw new FlagadmError('usage', 'no host to listen on', { hint: 'give one such as 127.0.0.1' })
  }
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : port
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/**
 * Serves the specification and the optional reads over HTTP until it is closed.
 * @throws the system's error (`EADDRINUSE`) when it cannot listen there
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host, log } = options
  const state = initialState(options)
  const server = createServer(timeLimits, async (message, response) => {
    const request = await readRequest(message)
    if (!request) return
    const reply = replyTo(request, state)
    const changed = reply.changes?.join('; ')
    log(`${request.method} ${request.path} ${reply.status}${changed ? ` ${changed}` : ''}`)
    await sendReply(reply, message, response)
  })
  server.on('clientError', refuseConnection)
  const port = await listen(server, host, options.port)
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    keys: sandboxKeys,
    project: (id) => state.projects.get(id),
    close: () => close(server),
  }
}
