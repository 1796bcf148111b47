import { connectionConfiguration, endpointOf } from './connection.ts'
import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { formats } from '../output/formats.ts'
import { jsonReport } from '../output/json.ts'
import { limitOf } from './limits.ts'
import { type EffectiveValue, effectiveText } from './report/profiles.ts'
import { chosenName, type Source, withProfile } from './choice.ts'
import { locate } from '../input/document.ts'
import { readWithin } from '../input/files.ts'
import { rootOf } from './files/places.ts'
import { ignoredVariables } from './origin.ts'
import { type Configurations, configured, type Profile } from './profiles.ts'
import type { Endpoint } from './resolve.ts'
import { tokenKind } from '../service/token.ts'
import { proxyFor } from '../service/proxy.ts'

type Origin = EffectiveValue['origin']

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

/** Where a value is set: its source and, in a file, the path of the field. */
type Place = [source: Source, field?: readonly string[]]

function isFile({ kind }: Source): boolean {
  return kind === 'user' || kind === 'project'
}

async function originOf(configurations: Configurations, [source, field]: Place): Promise<Origin> {
  const { kind, name } = source
  const line = isFile(source) && field ? await lineOf(configurations, name, field) : undefined
  return { kind, name, ...(line !== undefined && { line }) }
}

/** The place of a value that a field of the profile may have set. */
function placeOf(profile: Profile | undefined, source: Source, field: string): Place {
  if (!profile || !isFile(source)) return [source]
  return [{ kind: profile.trust, name: profile.file }, [...profile.path, field]]
}

/** The source and the kind of the API key. Reads the key to find its kind, but does not keep it. */
async function keyValue(
  context: Context,
  { key, refusal }: Endpoint,
  origin: Origin,
): Promise<EffectiveValue> {
  if (!key) return { value: 'none', origin }
  const shown = { value: `from ${key.kind}`, origin }
  if (refusal) return { ...shown, problem: refusal.message }
  try {
    const text = await key.read(context)
    context.redactor.add(text)
    return { ...shown, kind: tokenKind(text) ?? 'unknown' }
  } catch (error) {
    if (error instanceof FlagadmError) return { ...shown, problem: error.message }
    throw error
  }
}

/** The values of the connection and their places, without the key. */
function connectionValues(
  { host, options }: Context,
  { address, choice, caFile }: Endpoint,
): [name: string, value: string | number | true | undefined, Place][] {
  const profile = choice?.profile
  const { allowHttp, concurrency } = profile?.fields ?? {}
  const own = (field: string) => placeOf(profile, { kind: 'user', name: '' }, field)
  const proxy = proxyFor(address.value, host.env)
  return [
    ['caFile', caFile, own('caFile')],
    options.allowHttp
      ? ['allowHttp', true, [{ kind: 'flag', name: '--allow-http' }]]
      : ['allowHttp', allowHttp || undefined, own('allowHttp')],
    ['concurrency', concurrency, own('concurrency')],
    // The origin leaves out the credentials.
    ['proxy', proxy?.url.origin, [{ kind: 'environment', name: proxy?.variable ?? '' }]],
  ]
}

async function effectiveValues(
  context: Context,
  configurations: Configurations,
  endpoint: Endpoint,
): Promise<Map<string, EffectiveValue>> {
  const { address, key, choice } = endpoint
  const values = new Map<string, EffectiveValue>()
  const add = async (name: string, value: string | number | true | undefined, place: Place) => {
    if (value === undefined) return
    values.set(name, { value: `${value}`, origin: await originOf(configurations, place) })
  }
  const chosen = choice && chosenName(context, configurations)
  if (chosen) {
    const { source, reason } = chosen
    const isField = reason === 'profile' || reason === 'defaultProfile'
    await add('profile', choice.profile.name, isField ? [source, [reason]] : [source])
  }
  await add('baseUrl', address.value, placeOf(choice?.profile, address.source, 'baseUrl'))
  const [keyField = 'apiKey'] = key?.kind.split(' ') ?? []
  const keyPlace: Place = key ? placeOf(choice?.profile, key.source, keyField) : [nowhere]
  const keyOrigin = await originOf(configurations, keyPlace)
  values.set('apiKey', await keyValue(context, endpoint, keyOrigin))
  for (const entry of connectionValues(context, endpoint)) await add(...entry)
  for (const name of ['timeout', 'retries'] as const) {
    const { value, source } = limitOf(context, configurations, name)
    await add(name, value, [source, [name]])
  }
  const naming = configured(configurations, 'naming')
  if (naming) {
    const source: Source = { kind: naming.trust, name: naming.file }
    for (const [field, value] of Object.entries(naming.value)) {
      await add(`naming.${field}`, value, [source, ['naming', field]])
    }
  }
  return values
}

/** Shows every value that a command would use, and where it comes from. Never shows the key, only its source and kind. */
export async function showProfile(given: Context, name: string | undefined): Promise<void> {
  const context = withProfile(given, name)
  const format = context.format(formats.textOrJson)
  const configurations = await connectionConfiguration(context)
  const { endpoint } = await endpointOf(context, configurations)
  const values = await effectiveValues(context, configurations, endpoint)
  const { host, messages, printer } = context
  await context.write(
    format === 'json'
      ? jsonReport(Object.fromEntries(values), printer)
      : effectiveText(values, host, printer),
  )
  const ignored = ignoredVariables(endpoint, host)
  if (ignored.length > 0) messages.note(`ignored environment variables: ${ignored.join(', ')}`)
}
