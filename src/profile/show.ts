import type { Context, Define } from '../context.ts'
import { failureOf, FlagadmError } from '../errors.ts'
import { withExamples } from '../options.ts'
import { proxyFor } from '../service/proxy.ts'
import { tokenKind, tokenName } from '../service/token.ts'
import { configured, type Source } from './configuration.ts'
import { locateService } from './connection.ts'
import type { Endpoint } from './endpoint.ts'

/** A value that a command uses. */
interface EffectiveValue {
  name: string
  value: unknown
  source?: Source | undefined
  kind?: string
  problem?: string
}

/** The kind of the API key, for which it is read but not kept, or the reason why it is not used. */
async function keyFacts(
  context: Context,
  { key, keyRefusal }: Endpoint,
): Promise<Pick<EffectiveValue, 'value' | 'kind' | 'problem'>> {
  if (!key) return { value: 'none' }
  try {
    if (keyRefusal) throw keyRefusal
    const text = await key.read(context)
    context.redactor.add(text)
    return { value: tokenName(tokenKind(text)), kind: tokenKind(text) ?? 'unknown' }
  } catch (error) {
    return { value: 'not used', problem: failureOf(error).message }
  }
}

/** The values that a command would use. */
async function effectiveValues(context: Context): Promise<EffectiveValue[]> {
  const { host, options } = context
  const endpoint = await locateService(context)
  const { address, profile, key, timeout, retries } = endpoint
  const proxy = proxyFor(address.value, host.env)
  const naming = configured(endpoint.configurations, 'naming')
  const inOption = (name: 'allowHttp' | 'concurrency', from: string): EffectiveValue => {
    const value = options[name]
    if (value !== undefined) return { name, value, source: { kind: 'flag', from } }
    return { name, value: profile?.fields[name], source: profile }
  }
  const values: EffectiveValue[] = [
    { name: 'profile', value: profile?.name, source: endpoint.chosenBy },
    { name: 'baseUrl', value: address.value, source: address },
    { name: 'apiKey', source: key, ...(await keyFacts(context, endpoint)) },
    { name: 'caFile', value: endpoint.caFile, source: profile },
    inOption('allowHttp', '--allow-http'),
    inOption('concurrency', '--concurrency'),
    // The origin leaves out the credentials.
    {
      name: 'proxy',
      value: proxy?.url.origin,
      source: proxy && { kind: 'environment', from: proxy.variable },
    },
    { name: 'timeout', value: timeout.value, source: timeout },
    { name: 'retries', value: retries.value, source: retries },
    ...Object.entries(naming?.value ?? {}).map(([field, value]) => {
      return { name: `naming.${field}`, value, source: naming }
    }),
  ]
  return values.filter(({ value }) => value !== undefined)
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
      const values = await effectiveValues(run)
      const width = Math.max(...values.map(({ name: field }) => field.length))
      const json = values.map(({ name: field, value, source, kind, problem }) => {
        const { kind: origin = 'default', from = '' } = source ?? {}
        const shown = field === 'apiKey' && source ? `from ${from}` : `${value}`
        return [field, { value: shown, origin: { kind: origin, name: from }, kind, problem }]
      })
      if (isJson) run.out.json(Object.fromEntries(json))
      for (const { name: field, value, source, problem } of isJson ? [] : values) {
        const from = source ? [' ', { dim: `(${source.from})` }] : []
        run.out.line(`${field.padEnd(width)}  ${value}`, ...from, problem ? `: ${problem}` : '')
      }
    })
}
