import { FlagadmError } from '../errors.ts'
import { proxyFor, type ProxySetting } from '../service/proxy.ts'
import { type Limits, performHandshake, reachProxy, resolveHost } from '../service/reachability.ts'
import { type Check, ok, skipped, type Step } from './steps.ts'

/** Adds the host that cannot be resolved to the error, and for a proxy the variable that sets it. */
function unresolved(url: URL, proxy: ProxySetting | undefined, error: unknown): unknown {
  if (!(error instanceof FlagadmError) || error.kind === 'interrupted') return error
  const hint = proxy ? `check ${proxy.variable} and NO_PROXY` : error.hint
  return new FlagadmError(error.kind, `${url.hostname}: ${error.message}`, { hint, cause: error })
}

function limitsOf({ connection, context: { host, signal } }: Check): Limits {
  return { timeoutMs: connection.timeoutMs, clock: host.clock, signal }
}

function proxyOf({ connection, context }: Check): ProxySetting | undefined {
  return proxyFor(connection.baseUrl, context.host.env)
}

/** The steps below HTTP. */
export const networkSteps: readonly Step[] = [
  {
    name: 'DNS',
    needs: 'configuration',
    async run(check) {
      const proxy = proxyOf(check)
      const url = proxy?.url ?? new URL(check.connection.baseUrl)
      const addresses = await resolveHost(url, limitsOf(check)).catch((error: unknown) => {
        throw unresolved(url, proxy, error)
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
      const proxy = proxyOf(check)
      if (!proxy) return skipped('none')
      await reachProxy(proxy, limitsOf(check))
      // The origin leaves out the credentials.
      return ok(`${proxy.url.origin} from ${proxy.variable}`)
    },
  },
  {
    name: 'TLS',
    needs: 'proxy',
    async run(check) {
      const { baseUrl, agent } = check.connection
      if (!baseUrl.startsWith('https:')) return skipped('plain http')
      const { protocol, expiry } = await performHandshake(baseUrl, agent, limitsOf(check))
      return ok(`${protocol}, certificate${expiry && ` valid until ${expiry}`}`)
    },
  },
]
