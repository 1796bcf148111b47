import { readFile } from 'node:fs/promises'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { FlagadmError } from '../errors.ts'
import { fileReason } from '../system.ts'

// As elsewhere (curl, Go): a proxy is never asked for this machine itself.
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

async function readAuthorities(caFile: string): Promise<string> {
  try {
    return await readFile(caFile, 'utf8')
  } catch (cause) {
    const what = `cannot read caFile ${caFile}: ${fileReason(cause)}`
    throw new FlagadmError('configuration', what, { hint: 'check the path', cause })
  }
}

async function proxyFor(baseUrl: string): Promise<URL | undefined> {
  if (loopback.test(new URL(baseUrl).hostname)) return undefined
  const { getProxyForUrl } = await import('proxy-from-env')
  const proxy = getProxyForUrl(baseUrl)
  if (proxy === '') return undefined
  if (URL.canParse(proxy) && /^https?:$/.test(new URL(proxy).protocol)) return new URL(proxy)
  throw new FlagadmError('configuration', 'the proxy of the environment is no http address', {
    hint: 'set HTTPS_PROXY to http://host:port, or NO_PROXY for this service',
  })
}

/**
 * The connections to a service: kept open between requests, through the proxy that the environment
 * (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`) names.
 * @param caFile certificates of authorities to trust instead of the built-in ones
 */
export async function createAgent(baseUrl: string, caFile?: string): Promise<HttpAgent> {
  const ca = caFile === undefined ? {} : { ca: await readAuthorities(caFile) }
  const proxy = await proxyFor(baseUrl)
  const secure = baseUrl.startsWith('https:')
  if (!proxy)
    return secure ? new HttpsAgent({ keepAlive: true, ...ca }) : new HttpAgent({ keepAlive: true })
  if (secure) {
    const { HttpsProxyAgent } = await import('https-proxy-agent')
    const agent = new HttpsProxyAgent(proxy, { keepAlive: true })
    // What the constructor takes is for the connection to the proxy; this is for the one inside.
    Object.assign(agent.options, ca)
    return agent
  }
  const { HttpProxyAgent } = await import('http-proxy-agent')
  return new HttpProxyAgent(proxy, { keepAlive: true })
}
