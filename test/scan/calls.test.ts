import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findFlagCalls } from '../../src/scan/calls.ts'

function names(text: string, file?: string): string[] {
  return findFlagCalls(text, file).names.map(({ name }) => name)
}

const calls: Record<string, [string, string[]][]> = {
  'JavaScript and TypeScript': [
    ["unleash.isEnabled('new-ui')", ['new-ui']],
    ['unleash.isEnabled("new-ui", context, false)', ['new-ui']],
    ['isEnabled(`new-ui`)', ['new-ui']],
    ["client?.isEnabled?.('new-ui')", ['new-ui']],
    ["unleash.isEnabledWithTimer('new-ui')", ['new-ui']],
    ["unleash.getVariant('checkout').name", ['checkout']],
    ["unleash.forceGetVariant('checkout')", ['checkout']],
    ["unleash.getFeatureToggleDefinition('checkout')", ['checkout']],
    ["unleash.countVariant('checkout', 'blue')", ['checkout']],
    ["const on = useFlag('new-ui')", ['new-ui']],
    ["useFlag<boolean>('new-ui')", ['new-ui']],
    ["useFlag<Map<string, Flag>>('new-ui')", ['new-ui']],
    ["useFlag('new-ui' as FlagName)", ['new-ui']],
    ["useFlag('new-ui' satisfies FlagName)", ['new-ui']],
    ["const v = useVariant('checkout')", ['checkout']],
    ["useFlagStatus('a'); useFlagsEnabled('b'); useVariantName('c')", ['a', 'b', 'c']],
    ['const { flagsReady } = useFlagsStatus()', []],
    ["unleash.isEnabled$('new-ui'); unleash.isDisabled('old-ui')", ['new-ui', 'old-ui']],
    ['<p v-if="isEnabled(\'new-ui\')">', ['new-ui']],
    ["isEnabled(\n  // the redesign\n  'new-ui', /* no context */\n)", ['new-ui']],
    ["isEnabled('new-ui' // the redesign\n)", ['new-ui']],
  ],
  Python: [
    ['client.is_enabled("new-ui")', ['new-ui']],
    ["client.is_enabled('new-ui', context, fallback_function=f)", ['new-ui']],
    ['client.is_enabled(feature_name="new-ui")', ['new-ui']],
    ['client.get_variant(  # which colour\n    "checkout",\n)', ['checkout']],
  ],
  Go: [
    ['unleash.IsEnabled("new-ui")', ['new-ui']],
    ['if client.IsEnabled("new-ui", unleash.WithContext(ctx)) {', ['new-ui']],
    ['variant := unleash.GetVariant(`checkout`)', ['checkout']],
  ],
  'Java and Kotlin': [
    ['if (unleash.isEnabled("new-ui", context)) {', ['new-ui']],
    ['Variant v = unleash.getVariant("checkout");', ['checkout']],
    ['unleash.deprecatedGetVariant("checkout")', ['checkout']],
    ['unleash.isEnabled(toggleName = "new-ui", defaultSetting = true)', ['new-ui']],
  ],
  'C#': [
    ['if (unleash.IsEnabled("new-ui"))', ['new-ui']],
    ['unleash?.GetVariant("checkout", context)', ['checkout']],
    ['unleash.GetVariants("checkout")', ['checkout']],
    ['unleash.IsEnabled (toggleName: "new-ui")', ['new-ui']],
  ],
  Ruby: [
    ['UNLEASH.is_enabled?("new-ui", context)', ['new-ui']],
    ["UNLEASH.enabled?('new-ui') && UNLEASH.disabled?('old-ui')", ['new-ui', 'old-ui']],
    ['@unleash.is_enabled? "new-ui", context', ['new-ui']],
    ["return if UNLEASH.is_disabled? 'old-ui'", ['old-ui']],
    ["UNLEASH.if_enabled 'new-ui', context do", ['new-ui']],
    ["UNLEASH.if_disabled('old-ui') { hide }", ['old-ui']],
    ["variant = UNLEASH.get_variant 'checkout'\n", ['checkout']],
  ],
  PHP: [
    ["if ($unleash->isEnabled('new-ui', $context)) {", ['new-ui']],
    ["$unleash?->getVariant(featureName: 'checkout')", ['checkout']],
    ["#[IsEnabled('new-ui')] #[IsNotEnabled('old-ui', 404)]", ['new-ui', 'old-ui']],
  ],
  Rust: [
    ['client.is_enabled_str("new-ui", Some(&context), false)', ['new-ui']],
    ['client.get_variant_str("checkout", &context)', ['checkout']],
    ['client.is_enabled(UserFeatures::NewUi, None, false)', []],
  ],
  'Swift and Dart': [
    ['if unleash.isEnabled(name: "new-ui") {', ['new-ui']],
    ['let variant = unleash.getVariant(name: "checkout")', ['checkout']],
    ["if (unleash.isEnabled('new-ui', defaultValue: true)) {", ['new-ui']],
  ],
}

describe.each(Object.entries(calls))('in %s', (_, cases) => {
  it.each(cases)('finds the names of %j', (text, expected) => {
    expect(names(text)).toEqual(expected)
  })
})

it.each([
  ['a variable', 'isEnabled(name)'],
  ['a template with a value', `isEnabled(\`new-\${part}\`)`],
  ['a sum', "isEnabled('new-' + part)"],
  ['a sum in PHP', "$unleash->isEnabled('new-' . $part)"],
  ['adjacent Python strings', 'is_enabled("new-" "ui")'],
  ['a formatted Python string', 'is_enabled(f"new-{part}"); is_enabled("new-%s" % part)'],
  ['a method of a string', "isEnabled('new-ui'.trim())"],
  ['a Kotlin or PHP string with a value', `isEnabled("new-$part"); isEnabled("new-\${part}")`],
  ['a Ruby string with a value', 'is_enabled?("new-#{part}"); is_enabled? "new-" + part'],
  ['a Swift string with a value', 'isEnabled(name: "new-\\(part)")'],
  ['a condition after a flag called enabled', "enabled? 'on' : 'off'"],
  ['a string over several lines', "isEnabled('new\nui')"],
  ['a string that does not end', "isEnabled('new-ui"],
  ['an empty string', "isEnabled('')"],
  ['a later argument', "isEnabled(name, 'default')"],
  ['another function', "reisEnabled('a'); $isEnabled('b'); isEnabledFor('c'); IsEnabledAsync('d')"],
  ['an escape that depends on the language', "isEnabled('new\\u002dui')"],
])('does not find a name in %s', (_, text) => {
  expect(names(text)).toEqual([])
})

it.each([
  ["isEnabled('it\\'s')", "it's"],
  ['isEnabled("say \\"hi\\"")', 'say "hi"'],
  ["isEnabled('back\\\\slash')", 'back\\slash'],
  ["isEnabled('back\\\\\\'')", "back\\'"],
  ["isEnabled('with space')", 'with space'],
  ["isEnabled('\u001b[31m')", '\u001b[31m'],
  ["isEnabled('::error::owned')", '::error::owned'],
])('decodes the name in %j', (text, name) => {
  expect(names(text)).toEqual([name])
})

it('reports line, column and offset of the first character of the name', () => {
  const text = "import x\r\n\r\nif (isEnabled('🎉-a')) isEnabled(\n  'b'\n)"
  expect(findFlagCalls(text).names).toEqual([
    { name: '🎉-a', line: 3, column: 16, offset: 27 },
    { name: 'b', line: 4, column: 4, offset: 49 },
  ])
})

const fragment = fc.constantFrom(
  ...['isEnabled(', 'useFlag<A>(', 'is_enabled? ', 'get_variant', '(', ')', "'a'", '"b\\""', '`c`'],
  ...[
    ',',
    '\n',
    '\r\n',
    ' ',
    '//',
    '/*',
    '*/',
    '# ',
    '\\',
    "'",
    '"',
    '`',
    '${',
    '🎉',
    'name: ',
    '+',
  ],
)

it('reports the right place of every name in any text', () => {
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 40 }), (fragments) => {
      const text = fragments.join('')
      const found = findFlagCalls(text).names
      for (const { name, line, column, offset } of found) {
        const shown = name.replaceAll('"', '\\"')
        expect(text.startsWith(shown, offset)).toBe(true)
        expect(text.split('\n')[line - 1]?.startsWith(shown, column - 1)).toBe(true)
      }
      const offsets = found.map(({ offset }) => offset)
      expect(offsets).toEqual([...new Set(offsets)].sort((a, b) => a - b))
    }),
  )
})

it('finds any name in a call with any quotes and spaces', () => {
  const space = fc.stringMatching(/^[ \t\n]{0,4}$/)
  const name = fc.stringMatching(/^[A-Za-z0-9._~-]{1,30}$/)
  fc.assert(
    fc.property(
      name,
      fc.constantFrom("'", '"', '`'),
      space,
      space,
      (flag, quote, before, after) => {
        const head = `x = f(); unleash.isEnabled(${before}`
        const text = `${head}${quote}${flag}${quote}${after})`
        expect(findFlagCalls(text).names).toMatchObject([{ name: flag, offset: head.length + 1 }])
      },
    ),
  )
})

const LONG = 256 * 1024

// With quadratic work, one of these would exceed the time limit of a test.
it.each(
  [
    ...['isEnabled(', 'isEnabled(/*', 'isEnabled(/**', 'isEnabled(//', 'isEnabled(# # ', 'useFlag'],
    ...["isEnabled('\\", "isEnabled('a'/*", 'isEnabled<a<b>', 'isEnabled ', '# // /* '],
    ...["isEnabled('${", 'isEnabled(name:', 'isEnabled?.'],
  ].map((part) => [part]),
)('finds no name in a long text of %j in linear time', (part) => {
  expect(names(part.repeat(LONG / part.length))).toEqual([])
})

it.each([
  ["isEnabled('a')", 'a'],
  ["isEnabled('", 'isEnabled('],
  ['enabled? "', 'enabled? '],
])('finds the names in a long text of %j in linear time', (part, name) => {
  expect(new Set(names(part.repeat(LONG / part.length)))).toEqual(new Set([name]))
})

it.each([
  "function isEnabled(name = 'default-name') {}",
  "export function useFlag(flag: 'x'): boolean {}",
  'def is_enabled(name="no-default"): pass',
  "def enabled?(name = 'no-default')",
  'func IsEnabled(name = "x") {}',
])('does not mistake a declaration for a call: %s', (text) => {
  expect(findFlagCalls(text).names).toEqual([])
})

it.each([
  "return unless UNLEASH.is_enabled? 'rb-13' # legacy",
  "x = client.is_enabled? 'rb-13' == true",
])('finds a Ruby call without parentheses: %s', (text) => {
  expect(findFlagCalls(text).names.map(({ name }) => name)).toEqual(['rb-13'])
})
