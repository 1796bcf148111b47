import { loadFor, resolveFor } from './connection.ts'
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
import type { Resolution } from './resolve.ts'
import { tokenKind } from './token.ts'
import { proxyFor } from '../service/proxy.ts'

type Origin = EffectiveValue['origin']

const nowhere: Origin = { kind: 'default', name: '' }

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

/** Finds the origin of a value: its file and, for a field, the line. */
type FindOrigin = (source: Source, field?: readonly string[]) => Promise<Origin>

function originFinder(configurations: Configurations): FindOrigin {
  return async ({ kind, name }, field) => {
    const isFile = kind === 'user' || kind === 'project'
    const line = isFile && field ? await lineOf(configurations, name, field) : undefined
    return { kind, name, ...(line !== undefined && { line }) }
  }
}

/** The origin of a value that a field of the profile may have set. */
function originOf(
  findOrigin: FindOrigin,
  source: Source,
  profile: Profile | undefined,
  field: string,
): Promise<Origin> {
  if (!profile || (source.kind !== 'user' && source.kind !== 'project')) return findOrigin(source)
  return findOrigin({ kind: profile.trust, name: profile.file }, [...profile.path, field])
}

/** The source and the kind of the API key. Reads the key to find its kind, but does not keep it. */
async function keyValue(
  context: Context,
  { key, refusal }: Resolution,
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

type Entries = [name: string, value: EffectiveValue][]

async function profileEntries(
  { options, host }: Context,
  configurations: Configurations,
  { choice }: Resolution,
  findOrigin: FindOrigin,
): Promise<Entries> {
  const chosen = chosenName(configurations, options, host)
  if (!choice || !chosen) return []
  const { source, reason } = chosen
  const field = reason === 'profile' || reason === 'defaultProfile' ? [reason] : undefined
  return [['profile', { value: choice.profile.name, origin: await findOrigin(source, field) }]]
}

async function connectionEntries(
  context: Context,
  resolution: Resolution,
  findOrigin: FindOrigin,
): Promise<Entries> {
  const { address, key, choice, caFile } = resolution
  const { host, options } = context
  const profile = choice?.profile
  const [keyField = 'apiKey'] = key?.kind.split(' ') ?? []
  const keyOrigin = key ? await originOf(findOrigin, key.source, profile, keyField) : nowhere
  const entries: Entries = [
    [
      'baseUrl',
      {
        value: address.value,
        origin: await originOf(findOrigin, address.source, profile, 'baseUrl'),
      },
    ],
    ['apiKey', await keyValue(context, resolution, keyOrigin)],
  ]
  const own = (field: string) => originOf(findOrigin, { kind: 'user', name: '' }, profile, field)
  if (caFile !== undefined) entries.push(['caFile', { value: caFile, origin: await own('caFile') }])
  if (options.allowHttp) {
    entries.push(['allowHttp', { value: 'true', origin: { kind: 'flag', name: '--allow-http' } }])
  } else if (profile?.fields.allowHttp) {
    entries.push(['allowHttp', { value: 'true', origin: await own('allowHttp') }])
  }
  const concurrency = profile?.fields.concurrency
  if (concurrency !== undefined) {
    entries.push(['concurrency', { value: `${concurrency}`, origin: await own('concurrency') }])
  }
  const proxy = proxyFor(address.value, host.env)
  if (proxy) {
    // The origin leaves out the credentials.
    const origin = { kind: 'environment', name: proxy.variable } as const
    entries.push(['proxy', { value: proxy.url.origin, origin }])
  }
  return entries
}

async function limitEntries(
  context: Context,
  configurations: Configurations,
  findOrigin: FindOrigin,
): Promise<Entries> {
  const entries: Entries = []
  for (const name of ['timeout', 'retries'] as const) {
    const { value, source } = limitOf(context, configurations, name)
    entries.push([name, { value, origin: await findOrigin(source, [name]) }])
  }
  return entries
}

async function namingEntries(
  configurations: Configurations,
  findOrigin: FindOrigin,
): Promise<Entries> {
  const naming = configured(configurations, 'naming')
  if (!naming) return []
  const source: Source = { kind: naming.trust, name: naming.file }
  const entries: Entries = []
  for (const [field, value] of Object.entries(naming.value)) {
    const origin = await findOrigin(source, ['naming', field])
    entries.push([`naming.${field}`, { value: `${value}`, origin }])
  }
  return entries
}

/** Shows every value that a command would use, and where it comes from. Never shows the key, only its source and kind. */
export async function showProfile(given: Context, name: string | undefined): Promise<void> {
  const context = withProfile(given, name)
  const format = context.format(formats.profiles)
  const configurations = await loadFor(context)
  const resolution = await resolveFor(context, configurations)
  const findOrigin = originFinder(configurations)
  const values = new Map([
    ...(await profileEntries(context, configurations, resolution, findOrigin)),
    ...(await connectionEntries(context, resolution, findOrigin)),
    ...(await limitEntries(context, configurations, findOrigin)),
    ...(await namingEntries(configurations, findOrigin)),
  ])
  const { host, messages, printer } = context
  await context.write(
    format === 'json'
      ? jsonReport(Object.fromEntries(values), printer)
      : effectiveText(values, host, printer),
  )
  const ignored = ignoredVariables(resolution, host)
  if (ignored.length > 0) messages.note(`ignored environment variables: ${ignored.join(', ')}`)
}
