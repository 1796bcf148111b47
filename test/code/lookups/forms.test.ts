import { describe, expect, it } from 'vitest'
import { namesIn, referencesIn } from '../../support/scan.ts'

const forms: Record<string, [string, string, string[]][]> = {
  'atoms of Ruby and Elixir': [
    ['a.rb', 'UNLEASH.enabled?(:new_ui)', ['new_ui']],
    ['a.rb', 'UNLEASH.enabled?(:"new-ui")', ['new-ui']],
    ['a.erb', '<% if UNLEASH.enabled? "new-ui" %><p></p><% end %>', ['new-ui']],
    ['a.ex', 'if Unleash.enabled?(:new_ui, context, false) do', ['new_ui']],
  ],
  'raw and prefixed literals': [
    ['a.py', "client.is_enabled(r'new-ui')", ['new-ui']],
    ['a.py', "client.is_enabled(f'new-{part}')", []],
    ['a.py', 'client.is_enabled("""new-ui""")', ['new-ui']],
    ['a.cs', 'unleash.IsEnabled(@"new-ui")', ['new-ui']],
    ['a.cs', 'unleash.IsEnabled($"new-{part}")', []],
    ['a.rs', 'client.is_enabled_str(r#"new-ui"#, None, false)', ['new-ui']],
    ['a.dart', "unleash.isEnabled(r'new-ui')", ['new-ui']],
    ['a.rb', 'UNLEASH.get_variant"new-ui"', ['new-ui']],
    ['a.rb', "UNLEASH.enabled?('new-ui'.freeze)", ['new-ui']],
  ],
  'keyword arguments in any position': [
    ['a.py', 'client.is_enabled(context=ctx, feature_name="new-ui")', ['new-ui']],
    ['a.cs', 'unleash.IsEnabled(context: ctx, toggleName: "new-ui")', ['new-ui']],
  ],
  OpenFeature: [
    ['a.ts', "await client.getBooleanValue('new-ui', false)", ['new-ui']],
    ['a.ts', "client.getStringDetails('a', ''); client.getNumberValue('b', 1)", ['a', 'b']],
    ['a.tsx', "useBooleanFlagValue('a', false); useStringFlagDetails('b', '')", ['a', 'b']],
    ['a.tsx', '<FeatureFlag match={() => 1 > 0} flagKey={"new-ui"}>a</FeatureFlag>', ['new-ui']],
    ['a.tsx', "enum Flags { X = 'x' }\nconst a = <FeatureFlag flagKey={Flags.X} />", ['x']],
    ['a.tsx', "const C = ({ a }) => <FeatureFlag flagKey={a} />\nconst b = <C a='x' />", ['x']],
    ['a.go', 'client.BooleanValue(ctx, "new-ui", false, evalCtx)', ['new-ui']],
    ['a.py', 'client.get_boolean_value(flag_key="new-ui", default_value=False)', ['new-ui']],
    ['a.rb', "client.fetch_boolean_value(default_value: false, flag_key: 'new-ui')", ['new-ui']],
    ['a.cs', 'await client.GetBooleanValueAsync("new-ui", false)', ['new-ui']],
  ],
  Laravel: [
    ['a.php', "Unleash::isFeatureEnabled('a'); $unleash->isFeatureDisabled('b')", ['a', 'b']],
    ['a.blade.php', "@featureEnabled('new-ui')\n@featureDisabled('old-ui')", ['new-ui', 'old-ui']],
  ],
  Angular: [
    [
      'a.ts',
      "canActivate: [featureEnabled('a'), featureDisabled(['b', 'c'], '/')]",
      ['a', 'b', 'c'],
    ],
  ],
  'Spring and Quarkus': [
    ['A.java', '@Toggle(name = "new-ui", alterBean = "newService")', ['new-ui']],
  ],
  Nest: [
    ['a.ts', "@IfEnabled('new-ui')\n@Get('/x')", ['new-ui']],
    ['a.ts', "@BooleanFeatureFlag({ flagKey: 'new-ui', defaultValue: false })", ['new-ui']],
  ],
  Twig: [
    ['a.twig', "{% if feature_is_enabled('a') %}{{ feature_variant('b').name }}", ['a', 'b']],
    ['a.svelte', "{#if isEnabled('a')}A{:else if isEnabled('b')}B{/if}", ['a', 'b']],
    [
      'a.svelte',
      "<script lang=\"ts\">const on = useFlag('a')</script><A on={isEnabled('b')} />",
      ['a', 'b'],
    ],
    [
      'a.svelte',
      "<button on:click={() => isEnabled('a') && run()}>{isEnabled('b')}</button>",
      ['a', 'b'],
    ],
  ],
}

describe.each(Object.entries(forms))('in %s', (_, cases) => {
  it.each(cases)('%s: finds the names of %j', async (file, text, expected) => {
    expect(await namesIn(text, file)).toEqual(expected)
  })
})

it.each([
  ['a.tsx', "useVariantColor('primary')"],
  ['a.java', 'logger.isEnabled("DEBUG") || LOG.isEnabled("a") || getLogger().isEnabled("b")'],
  ['a.ts', "collection.count('a', {}); 'abc'.count('a', true)"],
  ['a.ts', 'log("call isEnabled(\'x\') first")'],
  ['a.go', 'fmt.Println("IsEnabled(`x`) is true")'],
  ['a.ts', "// isEnabled('x')"],
  ['a.ts', "/**\n * isEnabled('x')\n */\ngo()"],
  ['a.tsx', "{/* isEnabled('x') */}"],
  ['a.py', "go()  # client.is_enabled('x')"],
  ['a.py', 'def go():\n    """Call client.is_enabled(\'x\') first."""\n'],
  ['a.py', '"""\nclient.is_enabled("x")\n"""\nimport os\n'],
  ['a.rb', "=begin\nUNLEASH.enabled?('x')\n=end\n"],
  ['a.vue', "<!-- isEnabled('x') -->"],
  ['a.twig', "{# feature_is_enabled('x') #}"],
  ['a.swift', 'store.getValue(key: "x"); store.getValue("x", defaultValue: 1)'],
  ['a.go', 'featureEnabled(ctx, store, id, feature)'],
  ['a.blade.php', "{{-- @featureEnabled('x') --}}"],
])('finds no name in %s: %s', async (file, text) => {
  expect(await referencesIn({ [file]: text })).toMatchObject({ references: [], unresolved: [] })
})

it.each([
  ['a.ts', "fetch('https://x') && isEnabled('x')"],
  ['a.ts', "const accept = '*/*' || isEnabled('x')"],
  ['a.ts', `\`https://x/\${isEnabled('x') ? 1 : 2}\``],
  ['a.tsx', "<p>Don't {isEnabled('x') && 'do'}</p>"],
  ['a.rs', 'let a: &\'static str = f(); client.is_enabled_str("x", None, false)'],
  ['a.py', '"""Doc."""\nx = """\ntext\n"""\nclient.is_enabled(\'x\')\ny = """\n"""'],
  ['a.py', "a // client.is_enabled('x')"],
  ['a.ts', "this.#client.isEnabled('x')"],
  ['a.rb', 'puts "on: #{UNLEASH.enabled?(\'x\')}"'],
])('finds the name in %s: %s', async (file, text) => {
  expect(await namesIn(text, file)).toEqual(['x'])
})

it.each([
  [
    'a.tsx',
    '<FeatureFlag flagKey={`my_${area}`}>a</FeatureFlag>',
    'FeatureFlag flagKey={`my_${area}',
  ],
  [
    'a.ts',
    '@BooleanFeatureFlag({ flagKey: flag, defaultValue: false })',
    'BooleanFeatureFlag({ flagKey: flag, defaultValue: false })',
  ],
])('counts a flag in %s that cannot be read: %s', async (file, text, shown) => {
  const { references, unresolved } = await referencesIn({ [file]: text })
  expect({ references, unresolved }).toMatchObject({
    references: [],
    unresolved: [{ text: shown }],
  })
})
