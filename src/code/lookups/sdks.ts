import { escapePattern } from '../../input/words.ts'
import type { Language } from '../languages/language.ts'
import { languages, otherLanguage } from '../languages/all.ts'
import { parseCall } from './configured-calls.ts'
import type { Lookup } from './lookup.ts'
import { importsSdk } from './sdk-use.ts'

type LookupsByName = ReadonlyMap<string, readonly Lookup[]>

function sdkLookups({ calls }: Language): Map<string, Lookup[]> {
  const lookups = new Map<string, Lookup[]>()
  const add = (names: readonly string[] | undefined, lookup: Lookup) => {
    for (const name of names ?? []) lookups.set(name, [lookup])
  }
  add(calls.functions, { index: 0, sdk: 'plain' })
  add(calls.afterContext, { index: 1, sdk: 'context' })
  add(calls.annotations, { index: 0, sdk: 'annotation' })
  add(calls.ofAllFlags, { sdk: 'all' })
  add(calls.evaluations, { sdk: 'evaluation' })
  for (const path of calls.ofObjects ?? []) {
    const [owner = '', name = ''] = path.split('.')
    add([name], { index: 0, sdk: 'plain', owner })
  }
  return lookups
}

/** The functions of the SDKs, by language, and the configured ones. */
export class KnownCalls {
  /** The configured functions, which replace those of the SDKs of the same name. */
  readonly configured: LookupsByName
  readonly #sdks: ReadonlyMap<Language, LookupsByName>

  /** @param calls functions of the project that take the name of a flag, as in `--call` */
  constructor(calls: readonly string[]) {
    const configured = new Map<string, Lookup[]>()
    for (const specification of calls) {
      const { name, lookup } = parseCall(specification)
      configured.set(name, [...(configured.get(name) ?? []), lookup])
    }
    this.configured = configured
    this.#sdks = new Map(
      [...languages, otherLanguage].map((language) => [language, sdkLookups(language)]),
    )
  }

  /** The lookups of a function in a language. */
  lookupsOf(name: string, language: Language): readonly Lookup[] {
    return this.configured.get(name) ?? this.#sdks.get(language)?.get(name) ?? []
  }

  /** Whether a text can contain a call of one of the functions whose names are among its words. */
  mayBeIn(text: string, words: ReadonlySet<string>, language: Language): boolean {
    if ([...words].some((name) => this.configured.has(name))) return true
    const ofLanguage = [...words].filter((name) => this.lookupsOf(name, language).length > 0)
    return mayCall(text, ofLanguage, language)
  }

  /** Words that files with lookups have: the names of the functions in all languages. */
  get words(): Set<string> {
    const words = new Set(this.configured.keys())
    for (const lookups of this.#sdks.values()) for (const name of lookups.keys()) words.add(name)
    return words
  }
}

/** Another flag system, with functions that are called like those of the SDKs. */
interface OtherSystem {
  /** Its name in a file that uses it. */
  name: RegExp
  functions: RegExp
}

const OTHER_SYSTEMS: readonly OtherSystem[] = [
  { name: /\b(?:FunWithFlags|Flipper)\b/, functions: /^(?:enabled|disabled)\?$/ },
  {
    name: /posthog|flagsmith|optimizely/i,
    functions: /^(?:isFeatureEnabled|IsFeatureEnabled|is_feature_enabled)$/,
  },
  // The diagnostics of .NET.
  { name: /diagnostic(?:source|listener)/i, functions: /^IsEnabled$/ },
  // Configuration objects.
  { name: /(?:config(?:uration)?|settings)$/i, functions: /^[gG]et\w+[vV]alue$/ },
]

/**
 * Whether a call is one of another flag system: by its object, or where that comes from; in a file that uses no SDK of
 * Unleash or OpenFeature, also by the rest of the file.
 */
export function isOfOtherSystem(text: string, receiver: string, name: string): boolean {
  const system = OTHER_SYSTEMS.find(({ functions }) => functions.test(name))
  if (!system || receiver === '') return false
  if (system.name.test(receiver)) return true
  const source =
    new RegExp(`\\b${escapePattern(receiver)}\\s*(?::=|=)([^\\n;]*)`).exec(text)?.[1] ?? ''
  if (system.name.test(source)) return true
  return system.name.test(text) && !importsSdk(text)
}

// An opening bracket, also after type arguments or `?.`; an attribute; another name for an import; a function.
const CALL = String.raw`\s{0,99}(?:\?\.|!|::)?\s{0,9}[(<]|\s{1,99}[\w:]+=|\s{1,9}as\s|\s{0,9}[:=]\s{0,9}(?:async\s{1,9})?(?:\(|function\b|\w+\s{0,9}=>)`
// Another name for a part of a module: `{ useFlag: flag } = require('…')`. In other files, it is a property.
const PART = String.raw`\s{0,9}:\s{0,9}\w+\s{0,9}[,}]`
const MODULE = /\b(?:require|import)\s{0,9}\(/

/** Whether a text can contain a call of one of its words that are functions of the SDKs. */
function mayCall(text: string, names: readonly string[], language: Language): boolean {
  const { calls, hasCommands } = language
  const isPossible = (name: string) =>
    !calls.commonWords?.includes(name) || /openfeature|client/i.test(text)
  const possible = names.filter(isPossible).map((name) => name.replace(/[$?]/g, '\\$&'))
  if (possible.length === 0 || hasCommands) return possible.length > 0
  const forms = MODULE.test(text) ? `${CALL}|${PART}` : CALL
  const any = possible.join('|')
  return new RegExp(`(?:${any})(?:${forms})|\\b[a-z]\\w*::(?:${any})\\b`).test(text)
}
