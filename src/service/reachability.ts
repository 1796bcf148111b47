import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { Agent } from 'node:http'
import { request } from 'node:https'
import { connect as connectTcp, isIP } from 'node:net'
import { TLSSocket } from 'node:tls'
import { FlagadmError, interrupted } from '../errors.ts'
import type { Clock } from '../host.ts'
import { aborted } from './fetch.ts'
import { networkFailure } from './network.ts'
import { portOf, ProxyError, type ProxySetting } from './proxy.ts'
import { startDeadline } from './retry.ts'

/** How long one step may take, and what ends it earlier. */
interface Limits {
  timeoutMs: number
  clock: Clock
  signal: AbortSignal
}

/** Runs a step until the deadline; its network failures become errors. */
async function bounded<Result>(
  { timeoutMs, clock, signal }: Limits,
  step: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = startDeadline(timeoutMs, clock, signal)
  try {
    return await Promise.race([step(deadline.signal), aborted(deadline.signal)])
  } catch (cause) {
    if (signal.aborted) throw interrupted()
    if (deadline.signal.aborted) {
      const what = `no response within ${timeoutMs / 1000} s`
      throw new FlagadmError('unavailable', what, { hint: 'try again, or raise --timeout', cause })
    }
    const failure = networkFailure(cause)
    if (!failure) throw cause
    throw new FlagadmError('unavailable', failure.what, { hint: failure.hint, cause })
  } finally {
    deadline.clear()
  }
}

/** The host name of an address without the brackets around IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/[[\]]/g, '')
}

/** The IP addresses of a host; undefined if the host is one itself. */
export async function resolveHost(url: URL, limits: Limits): Promise<string[] | undefined> {
  const host = hostOf(url)
  if (isIP(host)) return undefined
  const found = await bounded(limits, () => lookup(host, { all: true }))
  return [...new Set(found.map(({ address }) => address))]
}

/** Connects to a proxy and closes the connection. */
export function reachProxy(proxy: ProxySetting, limits: Limits): Promise<void> {
  const { url } = proxy
  return bounded(limits, async (signal) => {
    const socket = connectTcp({ host: hostOf(url), port: Number(portOf(url)), signal })
    await once(socket, 'connect').catch((cause: unknown) => {
      throw new ProxyError(proxy, undefined, cause)
    })
    socket.destroy()
  })
}

/** The result of a TLS handshake. */
interface Handshake {
  protocol: string
  /** The day on which the certificate expires, for example `2027-01-31`; empty if it is unknown. */
  expiry: string
}

function detailsOf(socket: TLSSocket): Handshake {
  const expiry = Date.parse(socket.getPeerCertificate().valid_to)
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    expiry: Number.isNaN(expiry) ? '' : new Date(expiry).toISOString().slice(0, 10),
  }
}

/** Performs a TLS handshake with the service, through the proxy of the agent if it has one; sends no request. */
export function performHandshake(
  baseUrl: string,
  agent: Agent,
  limits: Limits,
): Promise<Handshake> {
  return bounded(limits, async (signal) => {
    const sent = request(baseUrl, { agent, signal })
    // The request also reports the errors of its socket.
    sent.on('error', () => {})
    const [socket] = await once(sent, 'socket')
    if (!(socket instanceof TLSSocket)) throw new Error('the socket has no TLS')
    await once(socket, 'secureConnect')
    const details = detailsOf(socket)
    sent.destroy()
    return details
  })
}
