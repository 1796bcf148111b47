import { FORM_WORDS } from './forms.ts'
import { type Group, isRubyLike } from '../lexer/languages.ts'
import type { Lookup, Sdk } from './arguments.ts'
import { splitWords } from './words.ts'

const kinds = splitWords('Boolean String Number Integer Double Float Object Structure Int Long')
const snakeKinds = splitWords('bool boolean string number integer int float double object struct')
/** Names with each of some kinds of values instead of their `*`. */
const each = (forms: string, values: readonly string[]) =>
  splitWords(forms).flatMap((form) => values.map((value) => form.replace('*', value)))

const sdks: Record<Exclude<Sdk, 'component'>, readonly string[]> = {
  plain: splitWords(
    // Node, browsers, Java, Kotlin, PHP, Swift, Dart; Angular with `$`; Laravel with `Feature`.
    'isEnabled isDisabled isEnabled$ isDisabled$ isEnabledWithTimer',
    'isFeatureEnabled isFeatureDisabled getVariant getVariant$ forceGetVariant',
    'deprecatedGetVariant countVariant getFeatureToggleDefinition',
    // React, Vue, Svelte.
    'useFlag useFlags useFlagEnabled useFlagsEnabled useFlagStatus useSuspenseFlag',
    'useVariant useVariants useVariantName useVariantValue useVariantPayload',
    'useVariantEnabled useVariantStatus useIsFlagEnabled',
    // Go, C#; attributes of Symfony; decorators of Nest.
    'IsEnabled IsNotEnabled IsFeatureEnabled GetVariant GetVariants IfEnabled',
    // Python; Rust, whose other methods take an enum; Twig.
    'is_enabled is_enabled_str is_feature_enabled get_variant get_variant_str',
    'feature_is_enabled feature_variant',
    // Guards of Angular; directives of Blade.
    'featureEnabled featureDisabled',
    // Ruby, Elixir.
    'enabled? is_enabled? disabled? is_disabled? if_enabled if_disabled',
    // OpenFeature.
    ...each('get*Value get*Details get*ValueAsync get*Evaluation', kinds),
    ...each('Get*Value Get*ValueAsync Get*DetailsAsync', kinds),
    ...each('resolve*Value Resolve*ValueAsync use*FlagValue use*FlagDetails', kinds),
    ...each('get_*_value get_*_value_async get_*_details get_*_details_async', snakeKinds),
    ...each('fetch_*_value fetch_*_value_async fetch_*_details fetch_*_details_async', snakeKinds),
    ...each('resolve_*_value resolve_*_value_async', snakeKinds),
    ...each('resolve_*_details resolve_*_details_async', snakeKinds),
  ),
  // OpenFeature for Go.
  context: splitWords(...each('*Value *ValueDetails', kinds), 'Boolean String Float Int Object'),
  // Spring, Quarkus, Nest.
  annotation: splitWords(
    'FeatureToggle Toggle FeatureFlag FeatureVariant',
    ...each('*FeatureFlag', splitWords('Boolean String Number Object')),
  ),
  // OpenFeature for Swift.
  labelled: splitWords('getValue getDetails'),
  owned: splitWords('enabled disabled getFeature count get'),
  settings: ['flags'],
}

/** The lookups of the SDKs by the names of their functions. */
export function sdkLookups(): Map<string, Lookup[]> {
  const lookups = new Map<string, Lookup[]>()
  for (const sdk of ['plain', 'context', 'annotation', 'owned'] as const) {
    for (const name of sdks[sdk]) lookups.set(name, [{ index: sdk === 'context' ? 1 : 0, sdk }])
  }
  // OpenFeature for React.
  lookups.get('FeatureFlag')?.push({ key: 'flagKey', sdk: 'component' })
  for (const name of sdks.labelled) lookups.set(name, [{ key: 'key', sdk: 'labelled' }])
  for (const name of sdks.settings) lookups.set(name, [{ hasMembers: true, sdk: 'settings' }])
  return lookups
}

// Other flag systems, and their functions that the SDKs have, too: `receiver.name`.
const otherSystems: readonly (readonly [words: RegExp, functions: RegExp])[] = [
  [/\b(?:FunWithFlags|Flipper)\b/, /\.(?:enabled|disabled)\?$/],
  [/posthog/i, /\.(?:isFeatureEnabled|IsFeatureEnabled|is_feature_enabled)$/],
  // Configuration objects.
  [/(?:config(?:uration)?|settings)\W/i, /(?:config(?:uration)?|settings)\.[gG]et\w+[vV]alue$/i],
]
const NO_FUNCTION = /(?!)/

/** The functions of another flag system in a text that has that and no SDK of Unleash or OpenFeature. */
export function otherSystemIn(text: string): RegExp {
  if (/unleash|open_?feature/i.test(text)) return NO_FUNCTION
  return otherSystems.find(([words]) => words.test(text))?.[1] ?? NO_FUNCTION
}

/** Common words that count as lookups only in files of one language with one of some other words. */
const commonWords: readonly { words: string; group: Group; others: readonly string[] }[] = [
  { words: 'enabled disabled get', group: 'php', others: ['Feature', 'feature', 'is'] },
  // A tag of Twig, and a middleware of Laravel.
  { words: 'feature', group: 'php', others: ['feature'] },
  { words: 'getValue getDetails', group: 'swift', others: ['defaultValue'] },
  { words: 'flags', group: 'js', others: ['config', 'Config', 'uiConfig', 'appConfig'] },
  { words: 'count getFeature', group: 'js', others: ['unleash', 'Unleash', 'client'] },
  {
    words: 'Boolean String Int Float Object',
    group: 'go',
    others: ['openfeature', 'client', 'Client'],
  },
]
const COMMON = new Map(
  commonWords.flatMap((entry) => splitWords(entry.words).map((word) => [word, entry] as const)),
)

/** The words that decide whether a file can contain a lookup. */
export function indexedWords(lookups: ReadonlyMap<string, readonly Lookup[]>): string[] {
  const companions = commonWords.flatMap(({ others }) => others)
  return [...new Set([...lookups.keys(), ...FORM_WORDS, ...COMMON.keys(), ...companions])]
}

// Calls without parentheses, and the syntax of templates.
const OTHER_CALLS: readonly Group[] = ['ruby', 'elixir', 'php']
// An opening bracket, also after type arguments, a comment or `?.`; `['isEnabled']`; call and apply.
const CALL = String.raw`\s*(?:(?:\?\.|!|::)\s*)?[(</]|['"\`]\s*\]|\s*\??\.\s*(?:call|apply)\b`
// `isEnabled as isOn`; `{ isEnabled: isOn } =`.
const ALIAS = String.raw`\s+as\b|\s*:[^{}]{0,500}\}\s*=`

/** A function that finds out whether a file can contain a lookup, by the indexed words in it. */
export function createCandidateTest(lookups: ReadonlyMap<string, readonly Lookup[]>) {
  /** Whether a word alone, without being called, may be part of a lookup. */
  const needsNoCall = (word: string) =>
    FORM_WORDS.has(word) ||
    (lookups.get(word) ?? []).some(({ sdk }) => sdk === undefined || sdk === 'settings')
  /** Whether a lookup may begin with a word in a file that has some of the indexed words. */
  const mayBegin = (word: string, words: ReadonlySet<string>, group: Group): boolean => {
    if (word.endsWith('?') && !isRubyLike(group)) return false
    const common = COMMON.get(word)
    const isOwn = lookups.get(word)?.some(({ sdk }) => sdk === undefined) === true
    if (!common || isOwn) return lookups.has(word) || FORM_WORDS.has(word)
    return common.group === group && common.others.some((other) => words.has(other))
  }
  return (words: ReadonlySet<string>, group: Group, text: string): boolean => {
    const beginning = [...words].filter((word) => mayBegin(word, words, group))
    if (beginning.length === 0) return false
    if (OTHER_CALLS.includes(group) || beginning.some(needsNoCall)) return true
    const names = beginning.map((word) => word.replace(/[$?]/g, '\\$&')).join('|')
    return new RegExp(`(?:${names})(?:${CALL}|${ALIAS})`).test(text)
  }
}
