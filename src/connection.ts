import type { Context } from './context.ts'
import { FlagadmError } from './errors.ts'
import { parseDuration } from './input/numbers.ts'
import {
  type Configurations,
  configured,
  exposedFiles,
  loadConfigurations,
} from './profile/profiles.ts'
import { type Connection, given, resolveAddress, resolveConnection } from './profile/resolve.ts'
import { createAgent } from './service/agent.ts'
import { createClient, type Service } from './service/client.ts'
import { createTransport } from './service/transport.ts'
import { version } from './version.ts'

/** A service and the address that it is at. */
export interface Connected {
  service: Service
  baseUrl: string
}

const noConfiguration: Configurations = { files: [], profiles: new Map() }

/** All configuration that the run may use, with a warning for each file that others can read. */
export async function loadAll(context: Context): Promise<Configurations> {
  const { host, options, messages } = context
  const file = given('--config', options.config, 'FLAGADM_CONFIG', host.env)
  const configurations = await loadConfigurations(host, file?.value)
  for (const warning of await exposedFiles(configurations)) messages.warn(warning)
  return configurations
}

interface Limit {
  name: 'timeout' | 'retries'
  fallback: string
  /** The value of a text; undefined when it is invalid or out of range. */
  parse(text: string): number | undefined
  expected: string
  hint: string
}

const LONGEST_TIMEOUT_MS = 86_400_000
const MOST_RETRIES = 100

const limits = {
  /** Milliseconds. */
  timeout: {
    name: 'timeout',
    fallback: '10s',
    parse(text) {
      const milliseconds = parseDuration(text)
      return milliseconds && milliseconds <= LONGEST_TIMEOUT_MS ? milliseconds : undefined
    },
    expected: 'a duration of up to 24h',
    hint: 'give seconds, or a number with s, m or h: 10, 90s, 5m or 2h',
  },
  retries: {
    name: 'retries',
    fallback: '2',
    parse(text) {
      const count = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN
      return count <= MOST_RETRIES ? count : undefined
    },
    expected: `a whole number from 0 to ${MOST_RETRIES}`,
    hint: `give a whole number from 0 to ${MOST_RETRIES}`,
  },
} satisfies Record<string, Limit>

function limitOf(context: Context, configurations: Configurations, limit: Limit): number {
  const { name, fallback, parse, expected, hint } = limit
  const { host, options } = context
  const text = given(`--${name}`, options[name], `FLAGADM_${name.toUpperCase()}`, host.env)
  const file = configured(configurations, name)
  const value = text?.value ?? `${file?.value ?? fallback}`
  const parsed = parse(value)
  if (parsed !== undefined) return parsed
  const from = text?.source.name ?? `${file?.file}: ${name}`
  const kind = text?.source.kind === 'flag' ? 'usage' : 'configuration'
  throw new FlagadmError(kind, `${from}: '${value}' is not ${expected}`, { hint })
}

function isSandbox({ host, options }: Context): boolean {
  return (options.profile ?? host.env.FLAGADM_PROFILE) === 'sandbox'
}

/** The embedded service of the profile `sandbox`: it lives as long as the run. */
async function startEmbedded({ host, options, onClose }: Context): Promise<Connection> {
  for (const option of ['baseUrl', 'apiKeyFile'] as const) {
    if (options[option] === undefined) continue
    const flag = option === 'baseUrl' ? '--base-url' : '--api-key-file'
    throw new FlagadmError('usage', `${flag} does not go with the profile sandbox`, {
      hint: `leave out ${flag}, or choose another profile`,
    })
  }
  const { startSandbox } = await import('./sandbox/server.ts')
  const { defaultSeed } = await import('./sandbox/seed.ts')
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
    address: { value: sandbox.url, source },
    apiKey: { value: sandbox.keys.full, source },
  }
}

/**
 * The address of the service alone, for a dry run: no key is read and nothing is sent.
 * @throws a configuration error when there is none
 */
export async function findAddress(context: Context): Promise<string> {
  if (isSandbox(context)) return (await startEmbedded(context)).address.value
  return resolveAddress(await loadAll(context), context.options, context.host).value
}

/**
 * Connects to the service that command line, environment and configuration name.
 * @throws a configuration error when address or key is missing, malformed or refused
 */
export async function connect(context: Context): Promise<Connected> {
  const { host, options, inputs, redactor, messages } = context
  // The sandbox must be there to try even when a configuration file is broken.
  const configurations = isSandbox(context) ? noConfiguration : await loadAll(context)
  const timeoutMs = limitOf(context, configurations, limits.timeout)
  const retries = limitOf(context, configurations, limits.retries)
  const { address, apiKey, caFile } = isSandbox(context)
    ? await startEmbedded(context)
    : await resolveConnection(configurations, options, host, inputs)
  redactor.add(apiKey.value)
  messages.debug(`address ${address.value} from ${address.source.name}`)
  messages.debug(`API key from ${apiKey.source.name}`)
  const agent = await createAgent(address.value, context.signal, caFile)
  context.onClose(() => agent.destroy())
  const transport = createTransport({
    baseUrl: address.value,
    apiKey: apiKey.value,
    userAgent: `flagadm/${version}`,
    agent,
    timeoutMs,
    retries,
    clock: host.clock,
    signal: context.signal,
    debug: messages.debug,
  })
  return { service: createClient(transport, redactor.redact), baseUrl: address.value }
}
