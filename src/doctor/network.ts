import { failureOf, FlagadmError } from '../errors.ts'
import { proxyFor } from '../service/proxy.ts'
import { performHandshake, reachProxy, resolveHost } from '../service/reachability.ts'
import { type Check, ok, skipped, type Step } from './steps.ts'

/** The connection as the steps below HTTP need it. */
async function networkOf({ connection, context: { host, signal } }: Check) {
  const { baseUrl, agent, timeoutMs } = await connection
  const limits = { timeoutMs, clock: host.clock, signal }
  return { baseUrl, agent, limits, proxy: proxyFor(baseUrl, host.env) }
}

/** The steps below HTTP. */
export const networkSteps: readonly Step[] = [
  {
    name: 'DNS',
    needs: 'configuration',
    async run(check) {
      const { baseUrl, limits, proxy } = await networkOf(check)
      const url = proxy?.url ?? new URL(baseUrl)
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
    async run(check) {
      const { limits, proxy } = await networkOf(check)
      if (!proxy) return skipped('none')
      await reachProxy(proxy, limits)
      // The origin leaves out the credentials.
      return ok(`${proxy.url.origin} from ${proxy.variable}`)
    },
  },
  {
    name: 'TLS',
    needs: 'proxy',
    async run(check) {
      const { baseUrl, agent, limits } = await networkOf(check)
      if (!baseUrl.startsWith('https:')) return skipped('plain http')
      const { protocol, expiry } = await performHandshake(baseUrl, agent, limits)
      return ok(`${protocol}, certificate${expiry && ` valid until ${expiry}`}`)
    },
  },
]
