import type { Connection } from '../service/connection.ts'
import type { Host } from '../host.ts'
import { FlagadmError } from '../errors.ts'
import { proxyFor, type ProxySetting } from '../service/proxy.ts'
import { type Limits, performHandshake, reachProxy, resolveHost } from '../service/reachability.ts'
import { ok, skipped, type Step } from './steps.ts'

/** Adds the host that cannot be resolved to the error, and for a proxy the variable that sets it. */
function unresolved(url: URL, proxy: ProxySetting | undefined, error: unknown): unknown {
  if (!(error instanceof FlagadmError) || error.kind === 'interrupted') return error
  const hint = proxy ? `check ${proxy.variable} and NO_PROXY` : error.hint
  return new FlagadmError(error.kind, `${url.hostname}: ${error.message}`, { hint, cause: error })
}

/** The steps below HTTP. */
export function networkSteps(
  connection: () => Connection,
  host: Host,
  signal: AbortSignal,
): Step[] {
  const limits = (): Limits => ({ timeoutMs: connection().timeoutMs, clock: host.clock, signal })
  const proxy = () => proxyFor(connection().baseUrl, host.env)
  return [
    {
      name: 'DNS',
      needs: ['configuration'],
      async run() {
        const setting = proxy()
        const url = setting?.url ?? new URL(connection().baseUrl)
        const addresses = await resolveHost(url, limits()).catch((error: unknown) => {
          throw unresolved(url, setting, error)
        })
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
        const { baseUrl, agent } = connection()
        if (!baseUrl.startsWith('https:')) return skipped('plain http')
        const { protocol, expiry } = await performHandshake(baseUrl, agent, limits())
        return ok(`${protocol}, certificate${expiry && ` valid until ${expiry}`}`)
      },
    },
  ]
}
