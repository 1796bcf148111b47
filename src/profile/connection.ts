import type { Agent } from 'node:http'
import type { Context } from '../context.ts'
import { FlagadmError, problemText } from '../errors.ts'
import { limitOf } from './limits.ts'
import { originLines, targetText, writeRefusal } from './origin.ts'
import { checkPermissions, type Configurations, loadConfigurations } from './profiles.ts'
import {
  type Connection,
  given,
  resolve,
  resolveAddress,
  resolveConnection,
  type Resolution,
} from './resolve.ts'
import { createAgent } from '../service/agent.ts'
import { createClient, type Service } from '../service/client.ts'
import { createTransport, type HttpResponse, type Transport } from '../service/transport.ts'
import { version } from '../../package.json'

/** A service and its address. */
export interface Connected {
  service: Service
  baseUrl: string
  /** Profile and address as shown to the user: `production, https://flags.example.com`. */
  target: string
  /** The largest number of concurrent requests. */
  concurrency: number
  /** How long one request may take. */
  timeoutMs: number
  /** The time of the service in milliseconds since the epoch: this machine's, or the sandbox's. */
  now(): number
  /** Why writes are refused, if they are. */
  refusal: FlagadmError | undefined
}

/** A connection with what `profile check` examines. */
export interface Link extends Connected {
  connection: Connection
  apiKey: string
  agent: Agent
}

/** A service; one that could not be connected to has only an address. */
export type Reachable = Connected | { baseUrl: string; target: string; service?: never }

// Many installations have small database pools.
const DEFAULT_CONCURRENCY = 4

const noConfiguration: Configurations = { files: [], profiles: new Map() }

/** Loads the configuration of a run, without the warnings of `loadAll`. */
export function reload({ host, options }: Context): Promise<Configurations> {
  const file = given('--config', options.config, 'FLAGADM_CONFIG', host.env)
  return loadConfigurations(host, file?.value)
}

/** Loads the configuration of a run. Warns about files that others can read or change. */
export async function loadAll(context: Context): Promise<Configurations> {
  const { host, messages } = context
  const configurations = await reload(context)
  for (const warning of checkPermissions(configurations, host)) messages.warn(warning)
  return configurations
}

function isSandbox({ host, options }: Context): boolean {
  return (options.profile ?? host.env.FLAGADM_PROFILE) === 'sandbox'
}

/** Starts the embedded service of the profile `sandbox`; it stops when the command ends. */
async function startEmbedded({
  host,
  options,
  onClose,
}: Context): Promise<{ connection: Connection; now(): number }> {
  for (const option of ['baseUrl', 'apiKeyFile'] as const) {
    if (options[option] === undefined) continue
    const flag = option === 'baseUrl' ? '--base-url' : '--api-key-file'
    throw new FlagadmError('usage', `${flag} cannot be combined with the profile sandbox`, {
      hint: `leave out ${flag}, or choose another profile`,
    })
  }
  const { startSandbox } = await import('../sandbox/server.ts')
  const { defaultSeed } = await import('../sandbox/default-seed.ts')
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    seed: defaultSeed,
    frozen: true,
    now: host.clock.now,
    log: () => {},
  })
  onClose(() => sandbox.close())
  const source = { kind: 'sandbox', name: 'the embedded sandbox' } as const
  return {
    connection: {
      address: { value: sandbox.url, source },
      key: { source, kind: source.name, read: async () => sandbox.keys.full },
    },
    now: sandbox.now,
  }
}

/**
 * The address of the service, for a dry run: no key is read and nothing is sent.
 * @throws a configuration error if there is none
 */
export async function findAddress(context: Context): Promise<string> {
  if (isSandbox(context)) return (await startEmbedded(context)).connection.address.value
  return resolveAddress(await loadAll(context), context.options, context.host).value
}

/** The configuration of a run. The sandbox needs none, and works even when a file is broken. */
export async function loadFor(context: Context): Promise<Configurations> {
  return isSandbox(context) ? noConfiguration : loadAll(context)
}

/**
 * What a run would use; no key is read.
 * @throws a configuration error if the address is missing or malformed
 */
export async function resolveFor(
  context: Context,
  configurations: Configurations,
): Promise<Resolution> {
  const { options, host, inputs } = context
  if (isSandbox(context)) {
    const { connection } = await startEmbedded(context)
    return { ...connection, refusal: undefined }
  }
  return resolve(configurations, options, host, inputs)
}

// The values of NODE_DEBUG that make Node.js print requests and their headers to stderr.
const debugged = ['http', 'https', 'net', 'tls']

/** Refuses to send a key if Node.js would print it, since that output cannot be masked. */
function refuseDebugOutput({ NODE_DEBUG = '' }: Context['host']['env']): void {
  const sections = NODE_DEBUG.toLowerCase().split(',')
  const matches = (pattern: string, name: string) => {
    const parts = pattern.split('*').map((part) => part.replace(/\W/g, '\\$&'))
    return new RegExp(`^${parts.join('.*')}$`).test(name)
  }
  const found = debugged.filter((name) => sections.some((section) => matches(section, name)))
  if (found.length === 0) return
  throw new FlagadmError(
    'configuration',
    `the API key is not sent, since NODE_DEBUG (${found.join(', ')}) would print it`,
    { hint: `unset NODE_DEBUG, or remove ${found.join(', ')} from it` },
  )
}

/** The transport, limited to reading if writing is refused. */
function restricted(transport: Transport, refusal: FlagadmError | undefined): Transport {
  if (!refusal) return transport
  return {
    async send(request) {
      if (request.writes) throw refusal
      return transport.send(request)
    },
  }
}

async function findConnection(context: Context, configurations: Configurations) {
  const { host, options, inputs } = context
  if (isSandbox(context)) {
    return { ...(await startEmbedded(context)), target: 'the embedded sandbox' }
  }
  const connection = resolveConnection(configurations, options, host, inputs)
  refuseDebugOutput(host.env)
  return { connection, target: targetText(connection), now: host.clock.now }
}

/** Observes each complete response. */
type Observe = (response: HttpResponse) => void

async function connectWith(
  context: Context,
  configurations: Configurations,
  observe?: Observe,
): Promise<Link> {
  const { host, redactor, messages } = context
  const { number: timeoutMs } = limitOf(context, configurations, 'timeout')
  const { number: retries } = limitOf(context, configurations, 'retries')
  const { connection, target, now } = await findConnection(context, configurations)
  const { address, key, caFile, choice } = connection
  const baseUrl = address.value
  const apiKey = await key.read(context)
  redactor.add(apiKey)
  for (const line of originLines(connection, host)) messages.debug(line)
  const agent = await createAgent(baseUrl, host.env, context.signal, caFile)
  context.onClose(() => agent.destroy())
  const transport = createTransport({
    baseUrl,
    apiKey,
    userAgent: `flagadm/${version}`,
    agent,
    timeoutMs,
    retries,
    clock: host.clock,
    signal: context.signal,
    debug: messages.debug,
    observe,
  })
  // Mask the arguments before the hint quotes them for a shell.
  const refusal = writeRefusal(connection, host, context.argv.map(redactor.redact))
  const service = createClient(restricted(transport, refusal), redactor.redact)
  const { concurrency = DEFAULT_CONCURRENCY } = choice?.profile.fields ?? {}
  const parts = { connection, apiKey, agent, timeoutMs, concurrency }
  return { service, baseUrl, target, now, refusal, ...parts }
}

/**
 * The same as `connect`, with more details.
 * @param observe called with each response
 */
export async function establish(context: Context, observe?: Observe): Promise<Link> {
  return connectWith(context, await loadFor(context), observe)
}

/**
 * Connects to the service that the command line, the environment or the configuration specifies.
 * Refuses writes with a profile that only a project's file chose.
 * @throws a configuration error if the address or the key is missing, malformed or refused
 */
export async function connect(context: Context): Promise<Connected> {
  return connectWith(context, await loadFor(context))
}

/**
 * Connects for a dry run, which needs an address but no key.
 * @returns no service if there is no key, or another part of the configuration is missing or refused
 * @throws a configuration error if there is no address
 */
export async function connectIfPossible(context: Context): Promise<Reachable> {
  const configurations = await loadFor(context)
  try {
    return await connectWith(context, configurations)
  } catch (error) {
    if (!(error instanceof FlagadmError) || error.kind === 'interrupted') throw error
    const { value: baseUrl } = resolveAddress(configurations, context.options, context.host)
    context.messages.debug(`not connected: ${problemText(error)}`)
    return { baseUrl, target: baseUrl }
  }
}
