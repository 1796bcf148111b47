import { readFile } from 'node:fs/promises'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { FlagadmError } from '../errors.ts'
import { isLoopback } from '../input/loopback.ts'
import { fileReason } from '../system.ts'

async function readAuthorities(caFile: string): Promise<Buffer> {
  try {
    return await readFile(caFile)
  } catch (cause) {
    const what = `cannot read caFile ${caFile}: ${fileReason(cause)}`
    throw new FlagadmError('configuration', what, { hint: 'check the path', cause })
  }
}

function isProxyAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  try {
    decodeURIComponent(username + password)
  } catch {
    return false
  }
  return protocol === 'http:' || protocol === 'https:'
}

async function proxyFor(baseUrl: string): Promise<URL | undefined> {
  // As with curl and Go, a proxy is never asked for this machine itself.
  if (isLoopback(new URL(baseUrl).hostname)) return undefined
  const { getProxyForUrl } = await import('proxy-from-env')
  const proxy = getProxyForUrl(baseUrl)
  if (proxy === '') return undefined
  if (isProxyAddress(proxy)) return new URL(proxy)
  throw new FlagadmError('configuration', 'the proxy of the environment is no http address', {
    hint: 'set HTTPS_PROXY to http://host:port, or NO_PROXY for this service',
  })
}

/**
 * The connections to a service: kept open between requests, through the proxy that the environment
 * (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`) names.
 * @param signal ends connections that are being made
 * @param caFile certificates of authorities to trust instead of the built-in ones
 */
export async function createAgent(
  baseUrl: string,
  signal: AbortSignal,
  caFile?: string,
): Promise<HttpAgent> {
  const ca = caFile === undefined ? {} : { ca: await readAuthorities(caFile) }
  const proxy = await proxyFor(baseUrl)
  const secure = baseUrl.startsWith('https:')
  if (!proxy)
    return secure ? new HttpsAgent({ keepAlive: true, ...ca }) : new HttpAgent({ keepAlive: true })
  if (secure) {
    const { TunnelAgent } = await import('./tunnel.ts')
    return new TunnelAgent(proxy, signal, { keepAlive: true, ...ca })
  }
  const { HttpProxyAgent } = await import('http-proxy-agent')
  return new HttpProxyAgent(proxy, { keepAlive: true })
}
