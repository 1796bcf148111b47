import { statSync } from 'node:fs'
import type { Context, Define } from '../cli/context.ts'
import { failureOf } from '../errors.ts'
import { parsePlaced } from '../input/document.ts'
import { withExamples } from '../cli/options.ts'
import { proxyFor } from '../service/proxy.ts'
import { tokenKind, tokenName } from '../service/token.ts'
import { configured, rootOf, type Source, sourceOf } from './configuration.ts'
import { locateService } from './connect.ts'
import type { Endpoint } from './endpoint.ts'

/** A value that a command uses; undefined if it is not set. */
type Entry = readonly [name: string, value: unknown, source: Source | undefined]

/** The kind of the API key, for which it is read but not kept, or the reason why it is not used. */
async function keyFacts(context: Context, { key, keyRefusal }: Endpoint) {
  if (!key) return {}
  try {
    if (keyRefusal) throw keyRefusal
    const text = await key.read(context)
    context.redactor.add(text)
    return { kind: tokenKind(text) ?? 'unknown' } as const
  } catch (error) {
    return { problem: failureOf(error).message }
  }
}

/** The values that a command would use. */
function entriesOf({ host, options }: Context, endpoint: Endpoint): Entry[] {
  const { address, profile, key, timeout, retries } = endpoint
  const proxy = proxyFor(address.value, host.env)
  const naming = configured(endpoint.configurations, 'naming')
  const rule = Object.entries(naming?.value ?? {})
  const own = (name: string) => profile && sourceOf(profile, name)
  const given = (name: 'allowHttp' | 'concurrency', option: string): Entry =>
    options[name] === undefined
      ? [name, profile?.fields[name], own(name)]
      : [name, options[name], { kind: 'flag', from: option }]
  return [
    ['profile', profile?.name, endpoint.chosenBy],
    ['baseUrl', address.value, address],
    ['apiKey', key ? `from ${key.from}` : 'none', key],
    ['caFile', endpoint.caFile, own('caFile')],
    given('allowHttp', '--allow-http'),
    given('concurrency', '--concurrency'),
    // The origin leaves out the credentials.
    ['proxy', proxy?.url.origin, proxy && { kind: 'environment', from: proxy.variable }],
    ['timeout', timeout.value, timeout],
    ['retries', retries.value, retries],
    ...rule.map(([field, value]): Entry => {
      return [`naming.${field}`, value, naming && { ...naming, field: ['naming', field] }]
    }),
  ]
}

/** The origin of a value in JSON. A pipe has no lines, because it cannot be read again. */
async function originOf({ inputs }: Context, source: Source | undefined) {
  const { kind = 'default', from = '', path, field = [] } = source ?? {}
  if (path === undefined || field.length === 0 || !statSync(path).isFile()) {
    return { kind, name: path ?? from }
  }
  const text = await inputs.read(path, path, 'configuration')
  const document = await parsePlaced(text, { name: path, kind: 'configuration' })
  return { kind, name: path, line: document.positionOf([...rootOf(path), ...field]).line }
}

/** The context of a command that takes the profile as an argument, which precedes `--profile`. */
export function withProfile(context: Context, name: string | undefined): Context {
  const { options } = context
  return { ...context, options: { ...options, profile: name ?? options.profile } }
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  return withExamples(
    command,
    ['flagadm profile show', 'flagadm profile show staging', 'flagadm profile show -p sandbox'],
    'Shows only the source of the API key and the kind of token, never the key.',
  )
    .argument('[profile]', 'profile to show, instead of the default one')
    .action(async (name) => {
      const isJson = format() === 'json'
      const run = withProfile(context, name)
      const endpoint = await locateService(run)
      const facts = await keyFacts(run, endpoint)
      const entries = entriesOf(run, endpoint).filter(([, value]) => value !== undefined)
      const width = Math.max(...entries.map(([field]) => field.length))
      const json: Record<string, object> = {}
      for (const [field, value, source] of entries) {
        const isKey = field === 'apiKey'
        if (isJson) {
          const origin = await originOf(run, source)
          json[field] = { value: `${value}`, origin, ...(isKey && facts) }
          continue
        }
        const { kind, problem } = isKey ? facts : {}
        const shown = kind ? tokenName(kind) : problem ? 'not used' : value
        const from = source ? [' ', { dim: `(${source.from})` }] : []
        run.out.line(`${field.padEnd(width)}  ${shown}`, ...from, problem ? `: ${problem}` : '')
      }
      if (isJson) run.out.json(json)
    })
}
