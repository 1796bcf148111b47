import type { Context } from '../context.ts'
import { failureOf, FlagadmError, problemText } from '../errors.ts'
import { type Connection, openConnection, type Target } from '../service/connection.ts'
import type { TransportOptions } from '../service/transport.ts'
import { limitOf } from './limits.ts'
import { originLines, targetText, writeRefusal } from './origin.ts'
import { checkPermissions, type Configurations, loadConfigurations } from './profiles.ts'
import {
  type Endpoint,
  optionOrVariable,
  requireKey,
  resolveAddress,
  resolveEndpoint,
} from './resolve.ts'

// Many installations have small database pools.
const DEFAULT_CONCURRENCY = 4

const noConfiguration: Configurations = { files: [], profiles: new Map() }

/** Reads the configuration of a run from its files. */
export function readConfiguration({ host, options }: Context): Promise<Configurations> {
  const file = optionOrVariable('--config', options.config, 'FLAGADM_CONFIG', host.env)
  return loadConfigurations(host, file?.value)
}

/** Reads the configuration of a run, and warns about files that others can read or change. */
export async function readCheckedConfiguration(context: Context): Promise<Configurations> {
  const { host, messages } = context
  const configurations = await readConfiguration(context)
  for (const warning of checkPermissions(configurations, host)) messages.warn(warning)
  return configurations
}

/** Whether a run uses the embedded service. */
export function isSandbox({ host, options }: Context): boolean {
  return (options.profile ?? host.env.FLAGADM_PROFILE) === 'sandbox'
}

/** The configuration that decides on the service. The sandbox needs none, and works even when a file is broken. */
export async function connectionConfiguration(context: Context): Promise<Configurations> {
  return isSandbox(context) ? noConfiguration : readCheckedConfiguration(context)
}

/** Starts the embedded service of the profile `sandbox`; it stops when the command ends. */
async function startEmbedded(
  { host, options, onClose }: Context,
  isLive = false,
): Promise<{ endpoint: Endpoint; now(): number }> {
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
    frozen: !isLive,
    now: host.clock.now,
    log: () => {},
  })
  onClose(() => sandbox.close())
  const source = { kind: 'sandbox', name: 'the embedded sandbox' } as const
  const key = { source, kind: source.name, read: async () => sandbox.keys.full }
  return {
    endpoint: { address: { value: sandbox.url, source }, key, refusal: undefined },
    now: sandbox.now,
  }
}

/**
 * The address and the key that a run would use, of the embedded sandbox included; no key is read.
 * @throws a configuration error if the address is missing or malformed
 */
export async function endpointOf(
  context: Context,
  configurations: Configurations,
  isLive = false,
): Promise<{ endpoint: Endpoint; now(): number }> {
  if (isSandbox(context)) return startEmbedded(context, isLive)
  return { endpoint: resolveEndpoint(context, configurations), now: context.host.clock.now }
}

/**
 * The address of the service, for a dry run: no key is read and nothing is sent.
 * @throws a configuration error if there is none
 */
export async function addressOf(context: Context): Promise<string> {
  if (isSandbox(context)) return (await startEmbedded(context)).endpoint.address.value
  const configurations = await readCheckedConfiguration(context)
  return resolveAddress(context, configurations).value
}

// The values of NODE_DEBUG that make Node.js print requests and their headers to stderr.
const debugged = ['http', 'https', 'net', 'tls']

/** Refuses to send a key if Node.js would print it, because that output cannot be masked. */
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
    `the API key is not sent, because NODE_DEBUG (${found.join(', ')}) would print it`,
    { hint: `unset NODE_DEBUG, or remove ${found.join(', ')} from it` },
  )
}

/** How a connection is used. */
interface ConnectionParts {
  observe?: TransportOptions['observe']
  /** Whether usage is read repeatedly, so that the figures of the embedded sandbox move with the time. */
  isLive?: boolean
}

/**
 * Connects to the service that the command line, the environment or a configuration specifies.
 * @throws a configuration error if the address or the key is missing, malformed or refused
 */
export async function connectWith(
  context: Context,
  configurations: Configurations,
  { observe, isLive }: ConnectionParts = {},
): Promise<Connection> {
  const { host, redactor, messages, signal } = context
  const { number: timeoutMs } = limitOf(context, configurations, 'timeout')
  const { number: retries } = limitOf(context, configurations, 'retries')
  const { endpoint: found, now } = await endpointOf(context, configurations, isLive)
  const endpoint = requireKey(found)
  if (!isSandbox(context)) refuseDebugOutput(host.env)
  const { address, key, caFile, choice } = endpoint
  const apiKey = await key.read(context)
  redactor.add(apiKey)
  for (const line of originLines(endpoint, host)) messages.debug(line)
  const connection = await openConnection({
    baseUrl: address.value,
    target: isSandbox(context) ? key.kind : targetText(endpoint),
    apiKey,
    keyOrigin: key.kind,
    caFile,
    concurrency: choice?.profile.fields.concurrency ?? DEFAULT_CONCURRENCY,
    timeoutMs,
    retries,
    now,
    // Mask the arguments before the hint quotes them for a shell.
    refusal: writeRefusal(endpoint, host, context.argv.map(redactor.redact)),
    env: host.env,
    clock: host.clock,
    signal,
    debug: messages.debug,
    observe,
    redact: redactor.redact,
  })
  context.onClose(() => connection.agent.destroy())
  return connection
}

/**
 * Connects to the service that the command line, the environment or the configuration specifies.
 * Refuses writes with a profile that only a project's file chose.
 * @param observe called with each complete response
 * @throws a configuration error if the address or the key is missing, malformed or refused
 */
export async function connect(context: Context, parts: ConnectionParts = {}): Promise<Connection> {
  return connectWith(context, await connectionConfiguration(context), parts)
}

/**
 * Connects for a dry run, which needs an address but no key.
 * @returns only the target if there is no key, or if another part of the configuration is missing or refused
 * @throws a configuration error if there is no address
 */
export async function connectIfPossible(context: Context): Promise<Target & Partial<Connection>> {
  const configurations = await connectionConfiguration(context)
  try {
    return await connectWith(context, configurations)
  } catch (error) {
    const reason = problemText(failureOf(error))
    const baseUrl = resolveAddress(context, configurations).value
    context.messages.debug(`not connected: ${reason}`)
    return { baseUrl, target: baseUrl }
  }
}
