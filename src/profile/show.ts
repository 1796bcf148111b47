import type { Context, Define } from '../context.ts'
import { failureOf, FlagadmError } from '../errors.ts'
import { locate } from '../input/document.ts'
import { readWithin } from '../input/files.ts'
import { withExamples } from '../options.ts'
import { proxyFor } from '../service/proxy.ts'
import { tokenKind, tokenName } from '../service/token.ts'
import {
  type Configurations,
  configured,
  rootOf,
  type Source,
  sourceOf,
  sourceText,
} from './configuration.ts'
import { locateService } from './connection.ts'
import { type Endpoint, limitOf } from './endpoint.ts'

/** A value that a command uses, and where it comes from. */
interface EffectiveValue {
  value: string
  /** The kind of token, for the API key. */
  kind?: ReturnType<typeof tokenKind> | 'unknown'
  /** Why the kind is unknown or the key is not used. */
  problem?: string
  origin: Pick<Source, 'kind' | 'name'> & { line: number | undefined }
}

// In larger files, finding a line takes too long.
const MAX_BYTES = 1_000_000

/** The line of a field in a configuration file; undefined for a large file, and for a pipe, which cannot be read again. */
async function lineOf(
  { files }: Configurations,
  file: string,
  field: readonly string[],
): Promise<number | undefined> {
  const stats = files.find(({ path }) => path === file)?.stats
  if (!stats?.isFile() || stats.size > MAX_BYTES) return undefined
  const text = new TextDecoder().decode(await readWithin(file, file, 'configuration'))
  return (await locate(text, [...rootOf(file), ...field]))?.line
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

type Entry = [name: string, value: string | number | true | undefined, source: Source | undefined]

/** The values of a run and their sources; values that are not set are undefined. */
function entriesOf(
  context: Context,
  configurations: Configurations,
  { address, key, choice, caFile }: Endpoint,
): Entry[] {
  const { host, options } = context
  const profile = choice?.profile
  const own = (field: string) => profile && sourceOf(profile, field)
  const { allowHttp, concurrency } = profile?.fields ?? {}
  const proxy = proxyFor(address.value, host.env)
  const limits = (['timeout', 'retries'] as const).map((name): Entry => {
    const { value, source } = limitOf(context, configurations, name)
    return [name, value, source]
  })
  const { value: rule = {}, source: ruleSource } = configured(configurations, 'naming') ?? {}
  const naming = Object.entries(rule).map(([field, value]): Entry => {
    return [`naming.${field}`, value, ruleSource && { ...ruleSource, field: ['naming', field] }]
  })
  const option = (name: string): Source => ({ kind: 'flag', name })
  return [
    ['profile', profile?.name, choice?.source],
    ['baseUrl', address.value, address.source],
    ['apiKey', key ? `from ${key.origin}` : 'none', key?.source ?? { kind: 'default', name: '' }],
    ['caFile', caFile, own('caFile')],
    options.allowHttp
      ? ['allowHttp', true, option('--allow-http')]
      : ['allowHttp', allowHttp || undefined, own('allowHttp')],
    options.concurrency !== undefined
      ? ['concurrency', options.concurrency, option('--concurrency')]
      : ['concurrency', concurrency, own('concurrency')],
    // The origin leaves out the credentials.
    ['proxy', proxy?.url.origin, proxy && { kind: 'environment', name: proxy.variable }],
    ...limits,
    ...naming,
  ]
}

async function effectiveValues(
  context: Context,
  configurations: Configurations,
  endpoint: Endpoint,
): Promise<[name: string, value: EffectiveValue][]> {
  const values: [string, EffectiveValue][] = []
  for (const [name, value, source] of entriesOf(context, configurations, endpoint)) {
    if (value === undefined || !source) continue
    const facts = name === 'apiKey' ? await keyFacts(context, endpoint) : {}
    const { kind, name: place, field } = source
    const line = field && (await lineOf(configurations, place, field))
    values.push([name, { value: `${value}`, origin: { kind, name: place, line }, ...facts }])
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
      const { configurations, endpoint } = await locateService(run)
      const values = await effectiveValues(run, configurations, endpoint)
      if (isJson) out.json(Object.fromEntries(values))
      else {
        const width = Math.max(...values.map(([field]) => field.length))
        for (const [field, { value, kind, problem, origin }] of values) {
          const shown = kind ? `${tokenName(kind)}, ${value}` : value
          const place = sourceText(origin, host) + (origin.line ? `:${origin.line}` : '')
          const from = place === '' ? [] : [' ', { dim: `(${place})` }]
          out.line(`${field.padEnd(width)}  ${shown}`, ...from, problem ? `: ${problem}` : '')
        }
      }
    })
}
