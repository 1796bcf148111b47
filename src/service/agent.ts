import { Agent } from 'node:http'
import { fileReason, FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import { readWithin } from '../input/files.ts'
import { proxyFor } from './proxy.ts'

async function readAuthorities(caFile: string): Promise<Buffer> {
  try {
    return await readWithin(caFile, `caFile ${caFile}`, 'configuration')
  } catch (cause) {
    if (cause instanceof FlagadmError) throw cause
    const what = `cannot read caFile ${caFile}: ${fileReason(cause)}`
    throw new FlagadmError('configuration', what, { hint: 'check the path', cause })
  }
}

/**
 * The connections to a service: kept open between requests, through the proxy that the environment
 * specifies.
 * @param signal ends connections that are being made
 * @param caFile certificates of authorities to trust instead of the built-in ones
 */
export async function createAgent(
  baseUrl: string,
  env: Host['env'],
  signal: AbortSignal,
  caFile?: string,
): Promise<Agent> {
  const ca = caFile === undefined ? {} : { ca: await readAuthorities(caFile) }
  const proxy = proxyFor(baseUrl, env)
  const secure = baseUrl.startsWith('https:')
  if (!proxy && secure) {
    const { Agent: HttpsAgent } = await import('node:https')
    return new HttpsAgent({ keepAlive: true, ...ca })
  }
  if (!proxy) return new Agent({ keepAlive: true })
  if (secure) {
    const { TunnelAgent } = await import('./tunnel.ts')
    return new TunnelAgent(proxy, signal, { keepAlive: true, ...ca })
  }
  const { ForwardAgent } = await import('./forward.ts')
  return new ForwardAgent(proxy)
}
