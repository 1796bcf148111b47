import type { Group } from '../lexer/languages.ts'

/** Where a function takes the name of a flag. */
export interface Lookup {
  /** 0-based; undefined for a function that takes it by label only. */
  index?: number
  /** The label of the argument, the property of an object or of a component. */
  key?: string
  /** The member of the argument that has the name. */
  member?: string
  /** Whether the flag is the object that a method is called on: `Flags.NEW_UI.isOn()`. */
  isReceiver?: boolean
  /** Whether the members of an object, or of what a function returns, are flags. */
  hasMembers?: boolean
  /** The object or type that it must be called on. */
  owner?: string
  /** Whether the index is assumed, because the configuration has none. */
  isDefault?: boolean
  /** How to recognize a call, for the functions of the SDKs. */
  sdk?: Sdk
}

/**
 * - `plain`: a function that only SDKs of flags have.
 * - `context`: the flag follows a context.
 * - `annotation`: after `@`, or as a component.
 */
type Sdk = 'plain' | 'context' | 'annotation'

const words = (...lines: string[]) => lines.flatMap((line) => line.split(' '))
const kinds = words('Boolean String Number Integer Double Float Object Structure Int Long')
const snakeKinds = words('bool boolean string number integer int float double object struct')
/** Names with each of some kinds of values instead of their `*`. */
const each = (forms: string, values: readonly string[]) =>
  words(forms).flatMap((form) => values.map((value) => form.replace('*', value)))

// Words that other code has, too.
const goKinds = words('Boolean String Float Int Object')

const sdks: Record<Sdk, readonly string[]> = {
  plain: words(
    // Node, browsers, Java, Kotlin, PHP, Swift, Dart; Angular with `$`; Laravel with `Feature`.
    'isEnabled isDisabled isEnabled$ isDisabled$ isEnabledWithTimer',
    'isFeatureEnabled isFeatureDisabled getVariant getVariant$ forceGetVariant',
    'deprecatedGetVariant countVariant getFeatureToggleDefinition',
    // React, Vue, Svelte.
    'useFlag useFlags useFlagEnabled useFlagsEnabled useFlagStatus useSuspenseFlag',
    'useVariant useVariants useVariantName useVariantValue useVariantPayload',
    'useVariantEnabled useVariantStatus useIsFlagEnabled',
    // Go, C#; attributes of Symfony.
    'IsEnabled IsNotEnabled IsFeatureEnabled GetVariant GetVariants IfEnabled',
    // Python; Rust.
    'is_enabled is_enabled_str is_feature_enabled get_variant get_variant_str',
    // Guards of Angular; directives of Blade; functions of Twig.
    'featureEnabled featureDisabled feature_is_enabled feature_variant',
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
  context: [...each('*Value *ValueDetails', kinds), ...goKinds],
  // Spring, Quarkus, Nest.
  annotation: words(
    'FeatureToggle Toggle FeatureFlag FeatureVariant',
    ...each('*FeatureFlag', words('Boolean String Number Object')),
  ),
}

/** The lookups of the SDKs by the names of their functions. */
export function sdkLookups(): Map<string, Lookup[]> {
  const lookups = new Map<string, Lookup[]>()
  for (const sdk of ['plain', 'context', 'annotation'] as const) {
    for (const name of sdks[sdk]) lookups.set(name, [{ index: sdk === 'context' ? 1 : 0, sdk }])
  }
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
  return otherSystems.find(([system]) => system.test(text))?.[1] ?? NO_FUNCTION
}

// An opening bracket, also after type arguments or `?.`; an attribute.
const CALL = String.raw`\s{0,99}(?:\?\.|!|::)?\s{0,9}[(<]|\s{1,99}[\w:]+=`

/** Whether a text can contain a call of a lookup, by those of its words that are functions of the SDKs. */
export function mayCall(text: string, names: readonly string[], group: Group): boolean {
  const isPossible = (name: string) => {
    if (name.endsWith('?')) return group === 'ruby'
    return !goKinds.includes(name) || (group === 'go' && /openfeature|client/i.test(text))
  }
  const possible = names.filter(isPossible).map((name) => name.replace(/[$?]/g, '\\$&'))
  // Ruby has calls without brackets.
  if (possible.length === 0 || group === 'ruby') return possible.length > 0
  return new RegExp(`(?:${possible.join('|')})(?:${CALL})`).test(text)
}
