import { connectionConfiguration, openEndpoint } from './connection.ts'
import type { Context } from '../old/context.ts'
import { failureOf } from '../errors.ts'
import { formats } from '../old/output/formats.ts'
import { jsonReport } from '../old/output/json.ts'
import { type EffectiveValue, effectiveText } from './report/profiles.ts'
import { withProfile } from './names.ts'
import { locate } from '../input/document.ts'
import { readWithin } from '../input/files.ts'
import { type Configurations, configured, rootOf, type Source, sourceOf } from './configuration.ts'
import { type Endpoint, ignoredVariables, limitOf } from './endpoint.ts'
import { tokenKind } from '../service/token.ts'
import { proxyFor } from '../service/proxy.ts'

const nowhere: Source = { kind: 'default', name: '' }

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

type Entry = [name: string, value: string | number | true | undefined, Source | undefined]

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
  return [
    ['profile', profile?.name, choice?.source],
    ['baseUrl', address.value, address.source],
    ['apiKey', key ? `from ${key.origin}` : 'none', key?.source ?? nowhere],
    ['caFile', caFile, own('caFile')],
    options.allowHttp
      ? ['allowHttp', true, { kind: 'flag', name: '--allow-http' }]
      : ['allowHttp', allowHttp || undefined, own('allowHttp')],
    ['concurrency', concurrency, own('concurrency')],
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
): Promise<Map<string, EffectiveValue>> {
  const values = new Map<string, EffectiveValue>()
  for (const [name, value, source] of entriesOf(context, configurations, endpoint)) {
    if (value === undefined || !source) continue
    const facts = name === 'apiKey' ? await keyFacts(context, endpoint) : {}
    const { kind, name: place, field } = source
    const line = field && (await lineOf(configurations, place, field))
    values.set(name, { value: `${value}`, origin: { kind, name: place, line }, ...facts })
  }
  return values
}

/** Shows every value that a command would use, and where it comes from. Never shows the key, only its source and kind. */
export async function showProfile(given: Context, name: string | undefined): Promise<void> {
  const context = withProfile(given, name)
  const format = context.format(formats.textOrJson)
  const configurations = await connectionConfiguration(context)
  const endpoint = await openEndpoint(context, configurations)
  const values = await effectiveValues(context, configurations, endpoint)
  const { host, messages, printer } = context
  await context.write(
    format === 'json'
      ? jsonReport(Object.fromEntries(values), printer)
      : effectiveText(values, host, printer),
  )
  for (const note of ignoredVariables(endpoint, host)) messages.note(note)
}
