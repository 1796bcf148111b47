import { HttpProxyAgent } from 'http-proxy-agent'
import { ProxyError, type ProxySetting } from './proxy.ts'

/** An agent for plain http through a proxy, whose connection failures name the proxy. */
export class ForwardAgent extends HttpProxyAgent<string> {
  readonly #proxy: ProxySetting

  constructor(proxy: ProxySetting) {
    super(proxy.url, { keepAlive: true })
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
