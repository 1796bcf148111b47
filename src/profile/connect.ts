import type { Context } from '../command/context.ts'
import { failureOf, problemText, refuse, type Subject, withParts, refuseUsage } from '../errors.ts'
import { DEFAULT_CONCURRENCY } from '../input/values.ts'
import {
  type Connection,
  openConnection,
  type ShownService,
  type WritableConnection,
} from '../service/connection.ts'
import { readConfiguration } from './configuration.ts'
import { type Endpoint, limitsOf, resolveEndpoint, writeRefusal } from './endpoint.ts'
import { hostVariable, KEY_VARIABLE } from './key.ts'

const FORGETS =
  'the embedded sandbox forgets this change when the command ends; flagadm sandbox starts one that keeps it'

/** Starts the embedded service of the profile `sandbox`; it stops when the command ends. */
async function startEmbedded(run: Context): Promise<Endpoint> {
  const { host, messages, options, onClose } = run
  if (options.baseUrl !== undefined || options.apiKeyFile !== undefined) {
    const what = '--base-url and --api-key-file cannot be combined with the profile sandbox'
    refuseUsage(what, 'leave them out, or choose another profile')
  }
  const { startSandbox } = await import('../sandbox/server.ts')
  const now = host.clock.now
  let isChanged = false
  const onChange = () => {
    if (!isChanged) messages.note(FORGETS)
    isChanged = true
  }
  const sandbox = { host: '127.0.0.1', port: 0, frozen: true, now, log: () => {}, onChange }
  const { url, keys, now: sandboxNow, close } = await startSandbox(sandbox)
  onClose(close)
  const from = 'the embedded sandbox'
  const source = { kind: 'sandbox', from } as const
  const configurations = { files: [], profiles: new Map() }
  return {
    ...limitsOf(run, configurations),
    configurations,
    address: { ...source, value: url },
    target: from,
    key: { ...source, read: async () => keys.full },
    now: sandboxNow,
  }
}

/**
 * Finds the service of a run; starts the embedded sandbox if that is the service. No key is read.
 * @throws a configuration error if the address is missing or malformed
 */
export async function locateService(run: Context): Promise<Endpoint> {
  const { host, options } = run
  // The sandbox needs no configuration, and works even when a file is broken.
  if ((options.profile ?? host.env.FLAGADM_PROFILE) === 'sandbox') return startEmbedded(run)
  return resolveEndpoint(run, await readConfiguration(run))
}

/**
 * Connects to a service. The connection refuses writes with a profile that a repository's file chose among the user's.
 * @throws a configuration error if the key is missing, malformed or refused
 */
export async function connectTo(run: Context, endpoint: Endpoint): Promise<Connection> {
  const { host, options, redactor, messages, progress, closing } = run
  const { address, target, key, keyRefusal, caFile, profile, chosenBy, now } = endpoint
  if (keyRefusal) throw keyRefusal
  if (!key) {
    const variable = hostVariable(address.value) ?? KEY_VARIABLE
    const hint = `set ${variable}, use --api-key-file, or add apiKeyEnv to the profile`
    return refuse(`no API key for ${address.value}`, hint)
  }
  // Node.js would print the key, and that output cannot be masked.
  if (
    address.kind !== 'sandbox' &&
    /\*|http|net|tls|child_process/i.test(host.env.NODE_DEBUG ?? '')
  ) {
    const hint = 'unset NODE_DEBUG, or remove http, https, net, tls and child_process from it'
    refuse('the API key is not sent: NODE_DEBUG would print it', hint)
  }
  const apiKey = await key.read(run)
  redactor.add(apiKey)
  const chosen = profile ? `; profile ${profile.name} chosen by ${chosenBy?.from}` : ''
  messages.debug(`address ${address.value} from ${address.from}; API key from ${key.from}${chosen}`)
  const connection = await openConnection({
    baseUrl: address.value,
    target,
    apiKey,
    keyOrigin: key.from,
    caFile,
    concurrency: options.concurrency ?? profile?.fields.concurrency ?? DEFAULT_CONCURRENCY,
    progress,
    timeoutMs: endpoint.timeout.number,
    retries: endpoint.retries.number,
    refusal: writeRefusal(endpoint),
    env: host.env,
    clock: { ...host.clock, now: now ?? host.clock.now },
    closing,
    debug: messages.debug,
    warn: messages.warn,
    redact: redactor.redact,
  })
  run.onClose(() => connection.agent.destroy())
  return connection
}

/**
 * Connects to the service that the command line, the environment or a configuration specifies.
 * @throws a configuration error if the address or the key is missing, malformed or refused
 */
export async function connect(run: Context): Promise<Connection> {
  return connectTo(run, await locateService(run))
}

/**
 * Connects to a service to change something.
 * @param subject what the change concerns, for the error
 * @throws also a configuration error for a profile that only a repository chose, before anything is read
 */
export async function connectToWrite(
  run: Context,
  subject: Subject = {},
): Promise<WritableConnection> {
  const connection = await connect(run)
  const { refusal } = connection
  if (refusal) throw withParts(refusal, subject)
  return { ...connection, refusal }
}

/**
 * Connects for a dry run, which needs an address but no key.
 * @param reads whether the dry run reads from the service; without it, no key is read
 * @returns only the target if it cannot connect
 * @throws a configuration error if there is no address
 */
export async function connectIfPossible(
  run: Context,
  reads: boolean,
): Promise<ShownService & Partial<Connection>> {
  const endpoint = await locateService(run)
  const target = { baseUrl: endpoint.address.value, target: endpoint.target }
  if (!reads) return target
  try {
    return await connectTo(run, endpoint)
  } catch (error) {
    run.messages.debug(`not connected: ${problemText(failureOf(error))}`)
    return target
  }
}
