import type { Context } from '../context.ts'
import { DEFAULT_CONCURRENCY } from '../input/values.ts'
import { failureOf, FlagadmError, problemText } from '../errors.ts'
import { type Connection, openConnection, type Target } from '../service/connection.ts'
import { limitOf } from './limits.ts'
import type { Key } from './key.ts'
import { originLines, targetText, writeRefusal } from './origin.ts'
import { type Configurations, readCheckedConfiguration } from './profiles.ts'
import { type Endpoint, resolveEndpoint } from './resolve.ts'

/** Whether a run uses the embedded service. */
export function isSandbox({ host, options }: Context): boolean {
  return (options.profile ?? host.env.FLAGADM_PROFILE) === 'sandbox'
}

/** The configuration that decides on the service. The sandbox needs none, and works even when a file is broken. */
export async function connectionConfiguration(context: Context): Promise<Configurations> {
  return isSandbox(context) ? { files: [], profiles: new Map() } : readCheckedConfiguration(context)
}

/** Starts the embedded service of the profile `sandbox`; it stops when the command ends. */
async function startEmbedded({
  host,
  options,
  onClose,
}: Context): Promise<Endpoint & { now(): number }> {
  const excluded = { '--base-url': options.baseUrl, '--api-key-file': options.apiKeyFile }
  const [option] = Object.entries(excluded).find(([, value]) => value !== undefined) ?? []
  if (option !== undefined) {
    throw new FlagadmError('usage', `${option} cannot be combined with the profile sandbox`, {
      hint: `leave out ${option}, or choose another profile`,
    })
  }
  const { startSandbox } = await import('../sandbox/server.ts')
  const { url, keys, now, close } = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    frozen: true,
    now: host.clock.now,
    log: () => {},
  })
  onClose(close)
  const source = { kind: 'sandbox', name: 'the embedded sandbox' } as const
  const key = { source, origin: source.name, read: async () => keys.full }
  const unset = {
    choice: undefined,
    keyRefusal: undefined,
    addressProfile: undefined,
    caFile: undefined,
  }
  return { address: { value: url, source }, key, ...unset, now }
}

/**
 * The address and the key that a run would use; starts the embedded sandbox if that is the service.
 * No key is read.
 * @throws a configuration error if the address is missing or malformed
 */
export async function openEndpoint(
  context: Context,
  configurations: Configurations,
): Promise<Endpoint & { now(): number }> {
  if (isSandbox(context)) return startEmbedded(context)
  return { ...resolveEndpoint(context, configurations), now: context.host.clock.now }
}

/**
 * The key of a run that talks to the service.
 * @throws a configuration error if there is none, or it does not belong to the address
 */
function requiredKey({ key, keyRefusal, address }: Endpoint): Key {
  if (keyRefusal) throw keyRefusal
  if (key) return key
  throw new FlagadmError('configuration', `no API key for ${address.value}`, {
    hint: 'set FLAGADM_API_KEY, use --api-key-file, or add apiKeyEnv to the profile',
  })
}

// The values of NODE_DEBUG that make Node.js print requests and their headers to stderr.
const debugged = ['http', 'https', 'net', 'tls']

/** Refuses to send a key if Node.js would print it, because that output cannot be masked. */
function refuseDebugOutput({ NODE_DEBUG = '' }: Context['host']['env']): void {
  // As Node.js does: `*` is a wildcard, `,` separates sections.
  const escaped = NODE_DEBUG.replace(/[^\w,*]/g, '\\$&')
  const pattern = escaped.replaceAll('*', '.*').replaceAll(',', '$|^')
  const sections = new RegExp(`^${pattern}$`, 'i')
  const found = debugged.filter((name) => sections.test(name))
  if (found.length === 0) return
  throw new FlagadmError(
    'configuration',
    `the API key is not sent, because NODE_DEBUG (${found.join(', ')}) would print it`,
    { hint: `unset NODE_DEBUG, or remove ${found.join(', ')} from it` },
  )
}

/** @throws an error for a value that is invalid */
function limitsOf(context: Context, configurations: Configurations) {
  const { number: timeoutMs } = limitOf(context, configurations, 'timeout')
  const { number: retries } = limitOf(context, configurations, 'retries')
  return { timeoutMs, retries }
}

/**
 * Connects to the service that the command line, the environment or a configuration specifies. The connection
 * refuses writes with a profile that only a repository's file chose.
 * @throws a configuration error if the address or the key is missing, malformed or refused
 */
export async function connectWith(
  context: Context,
  configurations: Configurations,
): Promise<Connection> {
  const { host, redactor, messages, signal } = context
  const { timeoutMs, retries } = limitsOf(context, configurations)
  const endpoint = await openEndpoint(context, configurations)
  const key = requiredKey(endpoint)
  if (!isSandbox(context)) refuseDebugOutput(host.env)
  const { address, caFile, choice, now } = endpoint
  const apiKey = await key.read(context)
  redactor.add(apiKey)
  for (const line of originLines(endpoint, key, host)) messages.debug(line)
  const connection = await openConnection({
    baseUrl: address.value,
    target: isSandbox(context) ? address.source.name : targetText(endpoint),
    apiKey,
    keyOrigin: key.origin,
    caFile,
    concurrency:
      context.options.concurrency ?? choice?.profile.fields.concurrency ?? DEFAULT_CONCURRENCY,
    timeoutMs,
    retries,
    // Mask the arguments before the hint quotes them for a shell.
    refusal: writeRefusal(endpoint, host),
    env: host.env,
    // The embedded sandbox has a clock of its own.
    clock: { ...host.clock, now },
    signal,
    debug: messages.debug,
    redact: redactor.redact,
  })
  context.onClose(() => connection.agent.destroy())
  return connection
}

/** Connects with the configuration of the run, as `connectWith` does. */
export async function connect(context: Context): Promise<Connection> {
  return connectWith(context, await connectionConfiguration(context))
}

/**
 * Connects for a dry run, which needs an address but no key.
 * @param reads whether the dry run reads from the service; without it, no key is read
 * @returns only the target if there is no key, or if another part of the configuration is missing, invalid or refused
 * @throws an error for an invalid timeout or number of retries, a configuration error if there is no address
 */
export async function connectIfPossible(
  context: Context,
  reads: boolean,
): Promise<Target & Partial<Connection>> {
  const configurations = await connectionConfiguration(context)
  // An invalid value is an error even if nothing is sent.
  limitsOf(context, configurations)
  let failure: FlagadmError | undefined
  if (reads) {
    try {
      return await connectWith(context, configurations)
    } catch (error) {
      failure = failureOf(error)
    }
  }
  const endpoint = await openEndpoint(context, configurations)
  if (failure) context.messages.debug(`not connected: ${problemText(failure)}`)
  return { baseUrl: endpoint.address.value, target: targetText(endpoint) }
}
