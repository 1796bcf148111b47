// The tunnel is ours, because the packages for this keep the connection to a hanging proxy open after an abort, return
// the proxy's refusal as the service's response, and log headers.
import { request as httpRequest } from 'node:http'
import { Agent, type AgentOptions, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect } from 'node:tls'
import { HttpProxyAgent } from 'http-proxy-agent'
import { ProxyError, type ProxySetting } from './proxy.ts'

interface Destination extends ConnectionOptions {
  host?: string
  port?: number
}

/** An agent for https that connects through a proxy with CONNECT. */
export class TunnelAgent extends Agent {
  readonly #proxy: ProxySetting
  readonly #signal: AbortSignal

  /** @param signal aborts connections that are being made */
  constructor(proxy: ProxySetting, signal: AbortSignal, options: AgentOptions) {
    super(options)
    this.#proxy = proxy
    this.#signal = signal
  }

  override createConnection(
    target: Destination,
    done: (error: Error | null, socket?: Duplex) => void,
  ): undefined {
    const { url, headers } = this.#proxy
    const address = `${target.host}:${target.port ?? 443}`
    const connecting = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'CONNECT',
      path: address,
      headers: { Host: address, ...headers },
      agent: false,
      signal: this.#signal,
    })
    connecting.once('connect', ({ statusCode }: { statusCode?: number }, socket: Socket) => {
      if (statusCode === 200) {
        return done(null, connect({ servername: target.host, ...target, socket }))
      }
      socket.destroy()
      return done(new ProxyError(this.#proxy, statusCode))
    })
    connecting.once('error', (cause) => done(new ProxyError(this.#proxy, undefined, cause)))
    connecting.end()
  }
}

/** An agent for plain http through a proxy. Its connection failures are a `ProxyError`. */
export class ForwardAgent extends HttpProxyAgent<string> {
  readonly #proxy: ProxySetting

  constructor(proxy: ProxySetting) {
    super(proxy.url, { keepAlive: true, headers: proxy.headers })
    this.#proxy = proxy
  }

  override async connect(...args: Parameters<HttpProxyAgent<string>['connect']>) {
    try {
      return await super.connect(...args)
    } catch (cause) {
      throw new ProxyError(this.#proxy, undefined, cause)
    }
  }
}
