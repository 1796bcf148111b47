import { request as httpRequest } from 'node:http'
import { Agent, type AgentOptions, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect } from 'node:tls'
import { codedError } from './network.ts'

interface Target extends ConnectionOptions {
  host?: string
  port?: number
}

function credentials({ username, password }: URL): Record<string, string> {
  if (!username && !password) return {}
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(plain).toString('base64')}` }
}

/**
 * An agent whose connections go through a proxy with CONNECT. Our own, since the well-known ones leave
 * a hanging proxy connected when a request is given up, take a refusal of the proxy for the
 * service's answer, and log headers.
 */
export class TunnelAgent extends Agent {
  readonly #proxy: URL
  readonly #signal: AbortSignal

  /** @param signal ends connections that are being made */
  constructor(proxy: URL, signal: AbortSignal, options: AgentOptions) {
    super(options)
    this.#proxy = proxy
    this.#signal = signal
  }

  override createConnection(
    target: Target,
    done: (error: Error | null, socket?: Duplex) => void,
  ): undefined {
    const proxy = this.#proxy
    const address = `${target.host}:${target.port ?? 443}`
    const connecting = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)(proxy, {
      method: 'CONNECT',
      path: address,
      headers: { Host: address, ...credentials(proxy) },
      agent: false,
      signal: this.#signal,
    })
    // Of an error that an agent throws, fetch passes on nothing but the code.
    const fail = (status?: number) => done(codedError(`PROXY_FAILED${status ?? ''}`))
    connecting.once('connect', ({ statusCode }: { statusCode?: number }, socket: Socket) => {
      if (statusCode === 200)
        return done(null, connect({ servername: target.host, ...target, socket }))
      socket.destroy()
      return fail(statusCode)
    })
    connecting.once('error', () => fail())
    connecting.end()
  }
}
