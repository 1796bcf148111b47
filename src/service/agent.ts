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
 * The agent for a service: keeps connections open between requests, and uses the proxy that the
 * environment specifies.
 * @param signal aborts connections that are being made
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
  const { ForwardAgent, TunnelAgent } = await import('./proxy-agents.ts')
  return secure
    ? new TunnelAgent(proxy, signal, { keepAlive: true, ...ca })
    : new ForwardAgent(proxy)
}
