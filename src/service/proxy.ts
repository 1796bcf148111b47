// Ours, because the packages for this read the environment of the process, and do not return the variable.
import { BlockList, isIP, isIPv6 } from 'node:net'
import { unescape as decoded } from 'node:querystring'
import { refuse } from '../errors.ts'
import type { Host } from '../host.ts'
import { isLoopback } from '../input/values.ts'

export interface ProxySetting {
  /** Without the credentials, so that it can be shown. */
  url: URL
  headers: { 'Proxy-Authorization'?: string }
  variable: string
}

/** Parses the value of a variable. A password may contain any character, also without percent-encoding. */
function parse(text: string): Omit<ProxySetting, 'variable'> | undefined {
  // Like curl, treat a proxy without a scheme as an http proxy, also for https requests.
  const [, scheme = 'http://', user = '', password = '', host = ''] =
    /^([a-z][a-z\d+.-]*:\/\/)?(?:([^:]*?)(?::(.*))?@)?([^@]*)$/is.exec(text) ?? []
  const address = scheme + host
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol)) return undefined
  if (!user && !password) return { url, headers: {} }
  const credentials = Buffer.from(`${decoded(user)}:${decoded(password)}`).toString('base64')
  return { url, headers: { 'Proxy-Authorization': `Basic ${credentials}` } }
}

function coversAddress(entry: string, host: string): boolean {
  const [network = '', bits] = entry.split('/')
  const most = isIPv6(network) ? 128 : 32
  if (!isIP(network) || !/^\d+$/.test(bits ?? `${most}`)) return false
  const prefix = Number(bits ?? most)
  if (prefix > most) return false
  const list = new BlockList()
  list.addSubnet(network, prefix, isIPv6(network) ? 'ipv6' : 'ipv4')
  return list.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
}

// A name, an address or a range, each with an optional port; IPv6 with a port is in brackets.
const ENTRY = /^(?:\[([^\]]+)\]|([^:]+|.*:.*:.*))(?::(\d+))?$/

/** Whether an entry of NO_PROXY covers a host: as in curl, where a name covers its subdomains, and with ports. */
function covers(entry: string, host: string, port: string): boolean {
  const [, bracketed, plain = '', entryPort = port] = ENTRY.exec(entry) ?? []
  const covered = bracketed ?? plain
  if (covered === '' || entryPort !== port) return false
  if (covered === '*') return true
  if (isIP(host)) return coversAddress(covered, host)
  const name = covered.replace(/^\*?\.|\.$/g, '')
  return host === name || host.endsWith(`.${name}`)
}

function isExempt(url: URL, env: Host['env']): boolean {
  // Like curl and Go, never use a proxy for this machine.
  if (isLoopback(url.hostname)) return true
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const entries = (env.no_proxy || env.NO_PROXY)?.toLowerCase().split(/[,\s]/)
  return entries?.some((entry) => covers(entry, host, port)) ?? false
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
  const proxy = parse(env[variable] ?? '')
  if (proxy) return { ...proxy, variable }
  const hint = `set ${variable} to http://host:port, or exempt the service with NO_PROXY`
  return refuse(`${variable} is not an http or https address`, hint)
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
