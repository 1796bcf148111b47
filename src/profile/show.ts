import type { Context, Define } from '../context.ts'
import { failureOf, FlagadmError } from '../errors.ts'
import { withExamples } from '../options.ts'
import { proxyFor } from '../service/proxy.ts'
import { tokenKind, tokenName } from '../service/token.ts'
import { configured, type Source, sourceOf, sourceText } from './configuration.ts'
import { locateService } from './connection.ts'
import { type Endpoint, limitOf } from './endpoint.ts'

/** A value that a command uses, and where it comes from. */
interface EffectiveValue {
  value: string
  origin: Source
  /** The kind of token, for the API key. */
  kind?: ReturnType<typeof tokenKind> | 'unknown'
  /** Why the kind is unknown or the key is not used. */
  problem?: string
}

/** The kind of the API key, for which it is read but not kept, or the reason why that is unknown. */
async function keyFacts(
  context: Context,
  { key, keyRefusal }: Endpoint,
): Promise<Pick<EffectiveValue, 'kind' | 'problem'>> {
  if (!key) return {}
  if (keyRefusal) return { problem: keyRefusal.message }
  try {
    const text = await key.read(context)
    context.redactor.add(text)
    return { kind: tokenKind(text) ?? 'unknown' }
  } catch (error) {
    return { problem: failureOf(error).message }
  }
}

/** The values that a command would use, by name. */
async function effectiveValues(context: Context): Promise<Map<string, EffectiveValue>> {
  const { host, options } = context
  const { configurations, endpoint } = await locateService(context)
  const { address, key, choice, caFile } = endpoint
  const own = choice && sourceOf(choice.profile)
  const proxy = proxyFor(address.value, host.env)
  const naming = configured(configurations, 'naming')
  const none: Source = { kind: 'default', name: '' }
  const values = new Map<string, EffectiveValue>()
  const add = (name: string, value: unknown, origin: Source = none, facts = {}) => {
    if (value !== undefined) values.set(name, { value: `${value}`, origin, ...facts })
  }
  add('profile', choice?.profile.name, choice?.source)
  add('baseUrl', address.value, address.source)
  const facts = await keyFacts(context, endpoint)
  add('apiKey', key ? `from ${key.origin}` : 'none', key?.source, facts)
  add('caFile', caFile, own)
  for (const [name, option] of [
    ['allowHttp', '--allow-http'],
    ['concurrency', '--concurrency'],
  ] as const) {
    const origin: Source | undefined = options[name] ? { kind: 'flag', name: option } : own
    add(name, options[name] ?? choice?.profile.fields[name], origin)
  }
  // The origin leaves out the credentials.
  add('proxy', proxy?.url.origin, proxy && { kind: 'environment', name: proxy.variable })
  for (const name of ['timeout', 'retries'] as const) {
    const { value, source } = limitOf(context, configurations, name)
    add(name, value, source)
  }
  for (const [field, value] of Object.entries(naming?.value ?? {})) {
    add(`naming.${field}`, value, naming?.source)
  }
  return values
}

/**
 * The context of a command that takes the profile as an argument, which counts as `--profile`.
 * @throws a usage error if both are given
 */
export function withProfile(context: Context, name: string | undefined): Context {
  if (name === undefined) return context
  if (context.options.profile !== undefined) {
    throw new FlagadmError('usage', '--profile cannot be combined with the name of a profile', {
      hint: 'leave out --profile',
    })
  }
  return { ...context, options: { ...context.options, profile: name } }
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  return command
    .description(
      withExamples(
        command.summary(),
        'flagadm profile show',
        'flagadm profile show staging',
        'flagadm profile show -p sandbox',
      ).concat('\n\nShows only the source of the API key and the kind of token, never the key.'),
    )
    .argument('[profile]', 'profile to show, instead of the default one')
    .action(async (name) => {
      const isJson = format() === 'json'
      const run = withProfile(context, name)
      const { host, out } = run
      const values = await effectiveValues(run)
      if (isJson) out.json(Object.fromEntries(values))
      const width = Math.max(...Array.from(values.keys(), (field) => field.length))
      for (const [field, { value, kind, problem, origin }] of isJson ? [] : values) {
        const shown = kind ? `${tokenName(kind)}, ${value}` : value
        const from = origin.name === '' ? [] : [' ', { dim: `(${sourceText(origin, host)})` }]
        out.line(`${field.padEnd(width)}  ${shown}`, ...from, problem ? `: ${problem}` : '')
      }
    })
}
