import type { Link } from '../connection.ts'
import type { Host } from '../host.ts'
import { proxyFor } from '../service/proxy.ts'
import { type Limits, performHandshake, reachProxy, resolveHost } from '../service/reachability.ts'
import { ok, skipped, type Step } from './check-steps.ts'

/** The steps below HTTP. */
export function networkSteps(link: () => Link, host: Host, signal: AbortSignal): Step[] {
  const limits = (): Limits => ({ timeoutMs: link().timeoutMs, clock: host.clock, signal })
  const proxy = () => proxyFor(link().baseUrl, host.env)
  return [
    {
      name: 'DNS',
      needs: ['configuration'],
      async run() {
        const url = proxy()?.url ?? new URL(link().baseUrl)
        const addresses = await resolveHost(url, limits())
        return addresses
          ? ok(`${url.hostname} is ${addresses.join(', ')}`)
          : skipped(`${url.hostname} is an IP address`)
      },
    },
    {
      name: 'proxy',
      needs: ['DNS'],
      async run() {
        const setting = proxy()
        if (!setting) return skipped('none')
        await reachProxy(setting, limits())
        // The origin leaves out the credentials.
        return ok(`${setting.url.origin} from ${setting.variable}`)
      },
    },
    {
      name: 'TLS',
      needs: ['proxy'],
      async run() {
        const { baseUrl, agent } = link()
        if (!baseUrl.startsWith('https:')) return skipped('plain http')
        const { protocol, expiry } = await performHandshake(baseUrl, agent, limits())
        return ok(`${protocol}, certificate${expiry && ` valid until ${expiry}`}`)
      },
    },
  ]
}
