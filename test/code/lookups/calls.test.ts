import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namesIn, referencesIn } from '../../support/scan.ts'

/** Calls by the extension of the file, and the names in them. */
const calls: Record<string, [string, string[]][]> = {
  tsx: [
    ["unleash.isEnabled('new-ui')", ['new-ui']],
    ['isEnabled(`new-ui`)', ['new-ui']],
    ["isEnabled.bind(unleash); isEnabled.call(unleash); const names = ['isEnabled']", []],
    ["handlers[isEnabled]('new-ui')", []],
    ["const mocks = { isEnabled: isOn }; isOn('new-ui')", []],
    ["unleash.isEnabledWithTimer('new-ui')", ['new-ui']],
    ["unleash.getVariant('checkout').name", ['checkout']],
    ["unleash.getFeatureToggleDefinition('checkout')", ['checkout']],
    ["unleash.countVariant('checkout', 'blue')", ['checkout']],
    ["useFlag<boolean>('new-ui')", ['new-ui']],
    ["useFlag<Map<string, Flag>>('new-ui')", ['new-ui']],
    ["useFlag('new-ui' as FlagName)", ['new-ui']],
    ["useFlagStatus('a'); useFlagsEnabled('b'); useVariantName('c')", ['a', 'b', 'c']],
    ['const { flagsReady } = useFlagsStatus()', []],
    ["unleash.isEnabled$('new-ui'); unleash.isDisabled('old-ui')", ['new-ui', 'old-ui']],
    ["isEnabled(\n  // the redesign\n  'new-ui', /* no context */\n)", ['new-ui']],
  ],
  py: [
    ['client.is_enabled("new-ui")', ['new-ui']],
    ['client.is_enabled(feature_name="new-ui")', ['new-ui']],
    ['client.get_variant(  # which colour\n    "checkout",\n)', ['checkout']],
  ],
  go: [
    ['unleash.IsEnabled("new-ui")', ['new-ui']],
    ['variant := unleash.GetVariant(`checkout`)', ['checkout']],
  ],
  kt: [
    ['if (unleash.isEnabled("new-ui", context)) {', ['new-ui']],
    ['Variant v = unleash.getVariant("checkout");', ['checkout']],
    ['unleash.deprecatedGetVariant("checkout")', ['checkout']],
    ['unleash.isEnabled(toggleName = "new-ui", defaultSetting = true)', ['new-ui']],
  ],
  cs: [
    ['if (unleash.IsEnabled("new-ui"))', ['new-ui']],
    ['unleash.GetVariants("checkout")', ['checkout']],
    ['unleash.IsEnabled (toggleName: "new-ui")', ['new-ui']],
  ],
  rb: [
    ["UNLEASH.enabled?('new-ui') && UNLEASH.disabled?('old-ui')", ['new-ui', 'old-ui']],
    ["return if UNLEASH.is_disabled? 'old-ui'", ['old-ui']],
    ["UNLEASH.if_enabled 'new-ui', context do", ['new-ui']],
    ["UNLEASH.if_disabled('old-ui') { hide }", ['old-ui']],
    ["return unless UNLEASH.is_enabled? 'rb-13' # legacy", ['rb-13']],
    ["x = client.is_enabled? 'rb-13' == true", ['rb-13']],
    ["variant = UNLEASH.get_variant 'checkout'\n", ['checkout']],
  ],
  php: [
    ["if ($unleash->isEnabled('new-ui', $context)) {", ['new-ui']],
    ["$unleash?->getVariant(featureName: 'checkout')", ['checkout']],
    ["#[IsEnabled('new-ui')] #[IsNotEnabled('old-ui', 404)]", ['new-ui', 'old-ui']],
  ],
  rs: [
    ['client.is_enabled_str("new-ui", Some(&context), false)', ['new-ui']],
    ['client.get_variant_str("checkout", &context)', ['checkout']],
    ['client.is_enabled(UserFeatures::NewUi, None, false)', []],
  ],
  dart: [
    ['if unleash.isEnabled(name: "new-ui") {', ['new-ui']],
    ['let variant = unleash.getVariant(name: "checkout")', ['checkout']],
    ["if (unleash.isEnabled('new-ui', defaultValue: true)) {", ['new-ui']],
  ],
}

describe.each(Object.entries(calls))('in .%s', (extension, cases) => {
  it.each(cases)('finds the names of %j', async (text, expected) => {
    expect(await namesIn(text, `a.${extension}`)).toEqual(expected)
  })
})

// A word before a call, as the type in a declaration.
it.each([
  ['a.kt', 'val states = mapOf("new" to isEnabled("x"), "all" to true)'],
  ['a.py', 'total = sum(1 for one in all if one and is_enabled("x"))'],
  ['a.cs', 'var on = from one in all select IsEnabled("x");'],
  ['a.js', 'const on = a instanceof B || void isEnabled("x")'],
])('finds a call after a word: %s %s', async (file, text) => {
  expect(await namesIn(text, file)).toEqual(['x'])
})

it.each([
  ['A.java', 'boolean isEnabled(String name) { return client.isEnabled("x"); }'],
  ['a.ts', 'class A { async isEnabled(name) { return client.isEnabled("x") } }'],
])('does not take a declaration for a call: %s %s', async (file, text) => {
  const { references, unresolved } = await referencesIn({ [file]: text })
  expect([references.map(({ name }) => name), unresolved]).toEqual([['x'], []])
})

it.each([
  ['a method of a string', 'a.ts', "isEnabled('new-ui'.trim())"],
  ['a Ruby string with a value', 'a.rb', 'is_enabled?("new-#{part}"); is_enabled? "new-" + part'],
  ['a condition after a flag called enabled', 'a.rb', "enabled? 'on' : 'off'"],
  ['a string over several lines', 'a.ts', "isEnabled('new\nui')"],
  ['a later argument', 'a.ts', "isEnabled(name, 'default')"],
  [
    'another function',
    'a.ts',
    "reisEnabled('a'); $isEnabled('b'); isEnabledFor('c'); IsEnabledAsync('d')",
  ],
  ['an escape that depends on the language', 'a.ts', "isEnabled('new\\u002dui')"],
])('does not find a name in %s', async (_, file, text) => {
  expect(await namesIn(text, file)).toEqual([])
})

it.each([
  ["isEnabled('it\\'s')", "it's"],
  ["isEnabled('back\\\\slash')", 'back\\slash'],
  ["isEnabled('\u001b[31m')", '\u001b[31m'],
])('decodes the name in %j', async (text, name) => {
  expect(await namesIn(text, 'a.ts')).toEqual([name])
})

it('reports line, column and text of a call', async () => {
  const text = "import x\r\n\r\nif (isEnabled('🎉-a')) isEnabled(\n  'b'\n)"
  expect((await referencesIn({ 'a.ts': text })).references).toMatchObject([
    { name: '🎉-a', file: 'a.ts', line: 3, column: 16, kind: 'call', text: "isEnabled('🎉-a')" },
    { name: 'b', file: 'a.ts', line: 4, column: 4, kind: 'call', text: "isEnabled( 'b' )" },
  ])
})

const parts = ['isEnabled(', 'useFlag<A>(', 'is_enabled? ', 'get_variant', '(', ')', "'a'"]
const others = ['"b\\""', '`c`', ',', '\n', '\r\n', ' ', '//', '/*', '*/', '# ', ...'\\\'"`']
const marks = '${|#{|}|{|🎉|name: |+|<a b="|<%|%>|{{|-->|def f(|=>'.split('|')
const fragment = fc.constantFrom(...parts, ...others, ...marks)

const types = 'ts py rb kt vue php swift cs erb cshtml svelte blade.php jsp twig'.split(' ')

it.each(types)('reports the right place of every name in any text of .%s', async (type) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fragment, { maxLength: 40 }), async (fragments) => {
      const text = fragments.join('')
      const { references } = await referencesIn({ [`a.${type}`]: text })
      for (const { name, origin } of references.filter(({ name }) => /^[ac]$/.test(name))) {
        expect(text.split('\n')[origin.line - 1]?.startsWith(name, origin.column - 1)).toBe(true)
      }
      const places = references.map(({ line, column }) => line * 1000 + column)
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b))
    }),
  )
})

it('finds any name in a call with any quotes and spaces', async () => {
  const space = fc.stringMatching(/^[ \t\n]{0,4}$/)
  const name = fc.stringMatching(/^[A-Za-z0-9._~-]{1,30}$/)
  const quote = fc.constantFrom("'", '"', '`')
  await fc.assert(
    fc.asyncProperty(name, quote, space, space, async (flag, mark, before, after) => {
      const text = `x = f(); unleash.isEnabled(${before}${mark}${flag}${mark}${after})`
      expect(await namesIn(text, 'a.ts')).toEqual([flag])
    }),
  )
})

it.each([
  [
    'the function around it is called with the names',
    {
      'flags.ts': 'export const hasFlag = (flag) => unleash.isEnabled(known(flag))',
      'shop.ts': "hasFlag('new-ui')",
    },
    String.raw`hasFlag\('(?<flag>[^']+)`,
  ],
  [
    'the property that it reads has them',
    { 'a.ts': "const rows = [{ flag: 'new-ui' }]\nrows.filter((row) => isEnabled(row.flag))" },
    "flag: '(?<flag>[^']+)",
  ],
])('settles a lookup whose names a custom pattern finds: %s', async (_, files, pattern) => {
  const { unresolved } = await referencesIn(files)
  const matched = await referencesIn(files, { patterns: [pattern] })
  expect(unresolved.length).toBe(1)
  expect([matched.references.map(({ name }) => name), matched.unresolved]).toEqual([['new-ui'], []])
})

it('does not settle a lookup with a custom pattern for properties of another file', async () => {
  const files = {
    'a.ts': "const rows = [{ flag: 'new-ui' }]",
    'b.ts': 'rows.filter((row) => isEnabled(row.flag))',
  }
  const { unresolved } = await referencesIn(files, {
    patterns: ["flag: '(?<flag>[^']+)"],
  })
  expect(unresolved.length).toBe(1)
})
