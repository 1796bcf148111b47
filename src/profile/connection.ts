import type { Context } from '../context.ts'
import { failureOf, FlagadmError, problemText } from '../errors.ts'
import { DEFAULT_CONCURRENCY } from '../input/values.ts'
import { type Connection, openConnection, type Target } from '../service/connection.ts'
import { type Configurations, readCheckedConfiguration } from './configuration.ts'
import {
  type Endpoint,
  type EndpointRun,
  limitOf,
  originLines,
  resolveEndpoint,
  targetText,
  writeRefusal,
} from './endpoint.ts'
import type { Key } from './key.ts'

/** The parts of a run that a connection needs. */
export type ConnectionRun = Pick<
  Context,
  'host' | 'options' | 'inputs' | 'redactor' | 'messages' | 'signal' | 'onClose'
>

/** Whether a run uses the embedded service. */
export function isSandbox({ host, options }: EndpointRun): boolean {
  return (options.profile ?? host.env.FLAGADM_PROFILE) === 'sandbox'
}

/** The configuration that decides on the service. The sandbox needs none, and works even when a file is broken. */
export async function connectionConfiguration(run: ConnectionRun): Promise<Configurations> {
  return isSandbox(run) ? { files: [], profiles: new Map() } : readCheckedConfiguration(run)
}

const FORGETS =
  'the embedded sandbox forgets this change when the command ends; flagadm sandbox starts one that keeps it'

/** Starts the embedded service of the profile `sandbox`; it stops when the command ends. */
async function startEmbedded({
  host,
  messages,
  options,
  onClose,
}: ConnectionRun): Promise<Endpoint & { now(): number }> {
  const excluded = { '--base-url': options.baseUrl, '--api-key-file': options.apiKeyFile }
  const [option] = Object.entries(excluded).find(([, value]) => value !== undefined) ?? []
  if (option !== undefined) {
    throw new FlagadmError('usage', `${option} cannot be combined with the profile sandbox`, {
      hint: `leave out ${option}, or choose another profile`,
    })
  }
  const { startSandbox } = await import('../sandbox/server.ts')
  let isChanged = false
  const { url, keys, now, close } = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    frozen: true,
    now: host.clock.now,
    log: () => {},
    onChange: () => {
      if (!isChanged) messages.note(FORGETS)
      isChanged = true
    },
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
  run: ConnectionRun,
  configurations: Configurations,
): Promise<Endpoint & { now(): number }> {
  if (isSandbox(run)) return startEmbedded(run)
  return { ...resolveEndpoint(run, configurations), now: run.host.clock.now }
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

/** Refuses to send a key if Node.js would print it, because that output cannot be masked. */
function refuseDebugOutput({ NODE_DEBUG = '' }: ConnectionRun['host']['env']): void {
  if (!/\*|http|net|tls/i.test(NODE_DEBUG)) return
  throw new FlagadmError('configuration', 'the API key is not sent: NODE_DEBUG would print it', {
    hint: 'unset NODE_DEBUG, or remove http, https, net and tls from it',
  })
}

/** @throws an error for a value that is invalid */
function limitsOf(run: ConnectionRun, configurations: Configurations) {
  const { number: timeoutMs } = limitOf(run, configurations, 'timeout')
  const { number: retries } = limitOf(run, configurations, 'retries')
  return { timeoutMs, retries }
}

/**
 * Connects to the service that the command line, the environment or a configuration specifies. The connection
 * refuses writes with a profile that a repository's file chose among the user's.
 * @throws a configuration error if the address or the key is missing, malformed or refused
 */
export async function connectWith(
  run: ConnectionRun,
  configurations: Configurations,
): Promise<Connection> {
  const { host, redactor, messages, signal } = run
  const limits = limitsOf(run, configurations)
  const endpoint = await openEndpoint(run, configurations)
  const key = requiredKey(endpoint)
  if (!isSandbox(run)) refuseDebugOutput(host.env)
  const { address, caFile, choice, now } = endpoint
  const apiKey = await key.read(run)
  redactor.add(apiKey)
  for (const line of originLines(endpoint, key, host)) messages.debug(line)
  const connection = await openConnection({
    baseUrl: address.value,
    target: isSandbox(run) ? address.source.name : targetText(endpoint),
    apiKey,
    keyOrigin: key.origin,
    caFile,
    concurrency:
      run.options.concurrency ?? choice?.profile.fields.concurrency ?? DEFAULT_CONCURRENCY,
    ...limits,
    refusal: writeRefusal(endpoint, host),
    env: host.env,
    // The embedded sandbox has a clock of its own.
    clock: { ...host.clock, now },
    signal,
    debug: messages.debug,
    redact: redactor.redact,
  })
  run.onClose(() => connection.agent.destroy())
  return connection
}

/** Connects with the configuration of the run, as `connectWith` does. */
export async function connect(run: ConnectionRun): Promise<Connection> {
  return connectWith(run, await connectionConfiguration(run))
}

/**
 * Connects for a dry run, which needs an address but no key.
 * @param reads whether the dry run reads from the service; without it, no key is read
 * @returns only the target if there is no key, or if another part of the configuration is missing, invalid or refused
 * @throws an error for an invalid timeout or number of retries, a configuration error if there is no address
 */
export async function connectIfPossible(
  run: ConnectionRun,
  reads: boolean,
): Promise<Target & Partial<Connection>> {
  const configurations = await connectionConfiguration(run)
  // An invalid value is an error even if nothing is sent.
  limitsOf(run, configurations)
  let failure: FlagadmError | undefined
  if (reads) {
    try {
      return await connectWith(run, configurations)
    } catch (error) {
      failure = failureOf(error)
    }
  }
  const endpoint = await openEndpoint(run, configurations)
  if (failure) run.messages.debug(`not connected: ${problemText(failure)}`)
  return { baseUrl: endpoint.address.value, target: targetText(endpoint) }
}
