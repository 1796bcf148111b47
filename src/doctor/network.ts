import { failureOf, FlagadmError } from '../errors.ts'
import type { Connection } from '../service/connection.ts'
import { proxyFor } from '../service/proxy.ts'
import { performHandshake, reachProxy, resolveHost } from '../service/reachability.ts'
import { type Check, ok, skipped, type Step } from './steps.ts'

/** The limits of each step, and the proxy of the connection. */
function networkOf({ baseUrl, timeoutMs }: Connection, { context: { host, signal } }: Check) {
  const limits = { timeoutMs, clock: host.clock, signal }
  return { limits, proxy: proxyFor(baseUrl, host.env) }
}

/** The steps below HTTP. */
export const networkSteps: readonly Step[] = [
  {
    name: 'DNS',
    needs: 'configuration',
    async run(connection, check) {
      const { limits, proxy } = networkOf(connection, check)
      const url = proxy?.url ?? new URL(connection.baseUrl)
      const addresses = await resolveHost(url, limits).catch((cause: unknown) => {
        const { kind, message, hint } = failureOf(cause)
        throw new FlagadmError(kind, `${url.hostname}: ${message}`, {
          hint: proxy ? `check ${proxy.variable} and NO_PROXY` : hint,
          cause,
        })
      })
      return addresses
        ? ok(`${url.hostname} is ${addresses.join(', ')}`)
        : skipped(`${url.hostname} is an IP address`)
    },
  },
  {
    name: 'proxy',
    needs: 'DNS',
    async run(connection, check) {
      const { limits, proxy } = networkOf(connection, check)
      if (!proxy) return skipped('none')
      await reachProxy(proxy, limits)
      // The origin leaves out the credentials.
      return ok(`${proxy.url.origin} from ${proxy.variable}`)
    },
  },
  {
    name: 'TLS',
    needs: 'proxy',
    async run(connection, check) {
      const { baseUrl, agent } = connection
      if (!baseUrl.startsWith('https:')) return skipped('plain http')
      const { limits } = networkOf(connection, check)
      const { protocol, expiry } = await performHandshake(baseUrl, agent, limits)
      return ok(`${protocol}, certificate${expiry && ` valid until ${expiry}`}`)
    },
  },
]
