import { Agent } from 'node:http'
import { FlagadmError, fileReason, refuse } from '../errors.ts'
import type { Host } from '../host.ts'
import { readWithin } from '../input/files.ts'
import type { Progress } from '../output/progress.ts'
import type { Redact } from '../output/redact.ts'
import { createClient, type Service } from './client.ts'
import { operations, requestOf } from './operations.ts'
import { type ProxySetting, proxyFor } from './proxy.ts'
import { createTransport, type TransportOptions } from './transport.ts'

export interface ShownService {
  baseUrl: string
  /** The profile, if the address is its own, and the address: `production, https://flags.example.com`. */
  target: string
}

/** What a service is called in files that are read again: its address, but for an embedded sandbox, which has another one each time. */
export function lastingName({ baseUrl, target }: ShownService): string {
  return target.includes(baseUrl) ? baseUrl : target
}

/** The clock of the service, by the `Date` header of its responses. */
export interface ServiceClock {
  /** The time of the service in milliseconds since the epoch: that of this machine until a response has a date. */
  now(): number
  /** Milliseconds by which it was ahead of this machine's clock; undefined until a response has a date. */
  readonly offsetMs: number | undefined
  /** The same time as `now`, after a request if no response has had a date. @throws if the service cannot be reached */
  read(): Promise<number>
}

export interface Connection extends ShownService {
  service: Service
  agent: Agent
  apiKey: string
  /** Where the API key comes from, as shown to the user. */
  keyOrigin: string
  concurrency: number
  progress: Progress
  clock: ServiceClock
  refusal: FlagadmError | undefined
}

export type WritableConnection = Connection & { refusal: undefined }

interface ConnectionOptions
  extends Omit<Connection, 'clock' | 'service' | 'agent'>,
    Omit<TransportOptions, 'agent' | 'observe' | 'proxy'> {
  env: Host['env']
  /** Certificates of authorities to trust instead of the built-in ones. */
  caFile: string | undefined
  redact: Redact
  warn: (message: string) => void
}

async function readAuthorities(caFile: string): Promise<Buffer> {
  const name = `caFile ${caFile}`
  const text = await readWithin(caFile, name, 'configuration').catch((cause: unknown) => {
    if (cause instanceof FlagadmError) throw cause
    return refuse(`cannot read ${name}: ${fileReason(cause)}`, 'check the path')
  })
  // Node.js would trust no authority at all.
  if (/-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(text.toString('latin1'))) return text
  const hint = 'use a PEM file; for a DER file: openssl x509 -inform der -in ca.der -out ca.pem'
  return refuse(`${name} contains no PEM certificate`, hint)
}

/**
 * The agent for a service: keeps connections open between requests, and uses the proxy that the
 * environment specifies.
 */
async function createAgent(
  { baseUrl, closing, caFile }: ConnectionOptions,
  proxy: ProxySetting | undefined,
): Promise<Agent> {
  const ca = caFile === undefined ? {} : { ca: await readAuthorities(caFile) }
  const secure = baseUrl.startsWith('https:')
  if (!proxy && secure) {
    const { Agent: HttpsAgent } = await import('node:https')
    return new HttpsAgent({ keepAlive: true, ...ca })
  }
  if (!proxy) return new Agent({ keepAlive: true })
  const { ForwardAgent, TunnelAgent } = await import('./proxy-agents.ts')
  return secure
    ? new TunnelAgent(proxy, closing, { keepAlive: true, ...ca })
    : new ForwardAgent(proxy)
}

/** A connection to a service. The first request connects; destroying the agent ends it. */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const proxy = proxyFor(options.baseUrl, options.env)
  const agent = await createAgent(options, proxy)
  let offsetMs: number | undefined
  const now = () => options.clock.now() + (offsetMs ?? 0)
  const send = createTransport({
    ...options,
    agent,
    proxy,
    observe(response) {
      const time = Date.parse(response.date ?? '')
      if (!Number.isNaN(time)) offsetMs = time - options.clock.now()
    },
  })
  const clock = {
    get offsetMs() {
      return offsetMs
    },
    now,
    async read() {
      // Any response will do, also an error.
      if (offsetMs === undefined) await send(requestOf(operations.health, {}))
      return now()
    },
  }
  return { ...options, agent, clock, service: createClient(send, options) }
}
