// Ours, because the packages for this read the environment of the process, and do not return the variable.
import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import { isLoopback } from '../input/values.ts'

/** A proxy and the variable that specifies it. The address may include credentials. */
export interface ProxySetting {
  url: URL
  variable: string
}

function parse(text: string): URL | undefined {
  // Like curl, treat a proxy without a scheme as an http proxy, also for https requests.
  const address = text.includes('://') ? text : `http://${text}`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  try {
    decodeURIComponent(url.username + url.password)
  } catch {
    return undefined
  }
  return /^https?:/.test(url.protocol) ? url : undefined
}

function exempts(entry: string, hostname: string, port: string): boolean {
  const name = entry.endsWith(`:${port}`) ? entry.slice(0, -port.length - 1) : entry
  return /^[.*]/.test(name) ? hostname.endsWith(name.replace(/^\*/, '')) : hostname === name
}

/** The port of an address, which a URL leaves out if it is the default one. */
export function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80')
}

function isExempt(url: URL, env: Host['env']): boolean {
  const { hostname } = url
  // Like curl and Go, never use a proxy for this machine.
  if (isLoopback(hostname)) return true
  const port = portOf(url)
  const entries = (env.no_proxy || env.NO_PROXY)?.toLowerCase().split(/[,\s]/)
  return entries?.some((entry) => exempts(entry, hostname, port)) ?? false
}

/**
 * The proxy for a service, from `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`; lower case
 * takes precedence over upper case.
 * @throws a configuration error when the variable is not an address
 */
export function proxyFor(baseUrl: string, env: Host['env']): ProxySetting | undefined {
  const service = new URL(baseUrl)
  const names = [`${service.protocol.slice(0, -1)}_proxy`, 'all_proxy']
  const variable = names.flatMap((name) => [name, name.toUpperCase()]).find((name) => env[name])
  if (variable === undefined || isExempt(service, env)) return undefined
  const url = parse(env[variable] ?? '')
  if (url) return { url, variable }
  throw new FlagadmError('configuration', `${variable} is not an http or https address`, {
    hint: `set ${variable} to http://host:port, or exempt the service with NO_PROXY`,
  })
}

/** A failure of the proxy, as opposed to the service behind it. */
export class ProxyError extends Error {
  readonly proxy: ProxySetting
  /** The status with which the proxy refused; undefined without a response. */
  readonly status: number | undefined

  constructor(proxy: ProxySetting, status?: number, cause?: unknown) {
    super('proxy failed', { cause })
    this.proxy = proxy
    this.status = status
  }
}
