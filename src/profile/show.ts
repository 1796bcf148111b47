import { statSync } from 'node:fs'
import type { Context, Define } from '../command/context.ts'
import { withExamples } from '../command/options.ts'
import { failureOf } from '../errors.ts'
import { parsePlaced } from '../input/document.ts'
import type { Line } from '../output/text.ts'
import { proxyFor } from '../service/proxy.ts'
import { type TokenKind, tokenKind, tokenName } from '../service/token.ts'
import { configured, rootOf, type Source, sourceOf } from './configuration.ts'
import { locateService } from './connect.ts'
import type { Endpoint } from './endpoint.ts'

interface EffectiveValue {
  name: string
  /** Undefined if it is not set. */
  value: unknown
  source: Source | undefined
}

interface KeyFacts {
  kind?: TokenKind
  problem?: string
}

/** Reads the API key, which is not kept, to find out its kind. */
async function keyFacts(context: Context, { key, keyRefusal }: Endpoint): Promise<KeyFacts> {
  if (!key) return {}
  try {
    if (keyRefusal) throw keyRefusal
    const text = await key.read(context)
    context.redactor.add(text)
    return { kind: tokenKind(text) ?? 'unknown' }
  } catch (error) {
    return { problem: failureOf(error).message }
  }
}

function effectiveValues({ host, options }: Context, endpoint: Endpoint): EffectiveValue[] {
  const { address, profile, key, timeout, retries } = endpoint
  const proxy = proxyFor(address.value, host.env)
  const naming = configured(endpoint.configurations, 'naming')
  const rule = Object.entries(naming?.value ?? {})
  const sourceIn = (name: string) => profile && sourceOf(profile, name)
  const values: EffectiveValue[] = []
  const add = (name: string, value: unknown, source: Source | undefined) =>
    values.push({ name, value, source })
  const addGiven = (name: 'allowHttp' | 'concurrency', option: string) =>
    options[name] === undefined
      ? add(name, profile?.fields[name], sourceIn(name))
      : add(name, options[name], { kind: 'flag', from: option })
  add('profile', profile?.name, endpoint.chosenBy)
  add('baseUrl', address.value, address)
  add('apiKey', key ? `from ${key.from}` : 'none', key)
  add('caFile', endpoint.caFile, sourceIn('caFile'))
  addGiven('allowHttp', '--allow-http')
  addGiven('concurrency', '--concurrency')
  // The origin leaves out the credentials.
  add('proxy', proxy?.url.origin, proxy && { kind: 'environment', from: proxy.variable })
  add('timeout', timeout.value, timeout)
  add('retries', retries.value, retries)
  for (const [field, value] of rule) {
    add(`naming.${field}`, value, naming && { ...naming, field: ['naming', field] })
  }
  return values.filter(({ value }) => value !== undefined)
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

async function valuesJson(
  context: Context,
  values: readonly EffectiveValue[],
  facts: KeyFacts,
): Promise<Record<string, object>> {
  const json: Record<string, object> = {}
  for (const { name, value, source } of values) {
    const origin = await originOf(context, source)
    json[name] = { value: `${value}`, origin, ...(name === 'apiKey' && facts) }
  }
  return json
}

function valueLines(values: readonly EffectiveValue[], facts: KeyFacts): Line[] {
  const width = Math.max(...values.map(({ name }) => name.length))
  return values.map(({ name, value, source }) => {
    const { kind, problem } = name === 'apiKey' ? facts : {}
    const shown = kind ? tokenName(kind) : problem ? 'not used' : value
    const from = source ? [' ', { dim: `(${source.from})` }] : []
    return [`${name.padEnd(width)}  ${shown}`, ...from, problem ? `: ${problem}` : '']
  })
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
      const values = effectiveValues(run, endpoint)
      if (isJson) run.out.json(await valuesJson(run, values, facts))
      else run.out.lines(valueLines(values, facts))
    })
}
