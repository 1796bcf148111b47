import { describe, expect, it } from 'vitest'
import { namesIn, referencesIn } from '../support/scan.ts'

const forms: Record<string, [string, string, string[]][]> = {
  'atoms of Ruby and Elixir': [
    ['a.rb', 'UNLEASH.enabled?(:new_ui)', ['new_ui']],
    ['a.rb', 'UNLEASH.is_enabled? :new_ui, context', ['new_ui']],
    ['a.rb', 'UNLEASH.enabled?(:"new-ui")', ['new-ui']],
    ['a.erb', '<% if UNLEASH.enabled? "new-ui" %><p></p><% end %>', ['new-ui']],
    ['a.erb', '<p><%= "on" if UNLEASH.enabled? :new_ui %></p>', ['new_ui']],
    ['a.ex', 'if Unleash.enabled?(:new_ui, context, false) do', ['new_ui']],
    ['a.ex', 'Unleash.get_variant(:checkout)', ['checkout']],
  ],
  'templates in Elixir': [
    ['a.ex', '~H"""\n<%= if Unleash.enabled?(:a) do %>x<% end %>\n"""', ['a']],
    [
      'a.ex',
      '~H"""\n<p class="a" :if={Unleash.enabled?(:a)}>{Unleash.enabled? :b}\n"""',
      ['a', 'b'],
    ],
    [
      'a.exs',
      '~L"""\n<p title="<%= Unleash.enabled?(:a) %>">\n"""\nUnleash.enabled?(:b)',
      ['a', 'b'],
    ],
    ['a.ex', '~H"<.link :if={Unleash.enabled?(:a)}>{Unleash.enabled?(\\"b\\")}</.link>"', ['a']],
    ['a.ex', '~F"""\n<p class={Unleash.enabled?(:a)}>{Unleash.enabled?(:b)}</p>\n"""', ['a', 'b']],
    ['a.ex', '~E"<%= Unleash.enabled?(:a) %>\n<p>Don\'t</p>"', ['a']],
    ['a.heex', '<p :if={Unleash.enabled?(:a)}>{Unleash.enabled?(:b)}</p>', ['a', 'b']],
  ],
  'pipes of Elixir': [
    ['a.ex', ':a |> Unleash.enabled?()', ['a']],
    ['a.ex', 'x = y()\n"a"\n|> Unleash.enabled?(ctx, false)', ['a']],
    ['a.ex', 'if :"a" |> Unleash.enabled?, do: :b |> Unleash.enabled?', ['a', 'b']],
    ['a.ex', '[:a |> enabled?(), :b |> @client.enabled?()]', ['a', 'b']],
    ['a.ex', '@flag "a"\ndef f, do: @flag |> Unleash.enabled?(ctx)', ['a']],
    ['a.ex', 'def on?(name), do: name |> Unleash.enabled?()\n:a |> on?()', ['a']],
    ['a.ex', 'def on?(a, name), do: Unleash.enabled?(name)\nctx |> on?(:a)', ['a']],
    ['a.ex', 'client |> Client.get_boolean_value("a", false)', ['a']],
    ['a.heex', '<p :if={:a |> Unleash.enabled?()}>{:b |> Unleash.enabled?()}', ['a', 'b']],
  ],
  'raw and prefixed literals': [
    ['a.py', "client.is_enabled(r'new-ui')", ['new-ui']],
    ['a.py', "client.is_enabled(f'new-ui')", ['new-ui']],
    ['a.py', "client.is_enabled(f'new-{part}')", []],
    ['a.py', 'client.is_enabled("""new-ui""")', ['new-ui']],
    ['a.java', 'unleash.isEnabled("""\n    new-ui""")', ['new-ui']],
    ['a.swift', 'unleash.isEnabled(name: """\n  new-ui\n  """)', ['new-ui']],
    ['a.cs', 'unleash.IsEnabled("""\n    new-ui\n    """)', ['new-ui']],
    ['a.cs', 'unleash.IsEnabled(@"new-ui")', ['new-ui']],
    ['a.cs', 'unleash.IsEnabled($"new-ui")', ['new-ui']],
    ['a.cs', 'unleash.IsEnabled($"new-{part}")', []],
    ['a.rs', 'client.is_enabled_str(r#"new-ui"#, None, false)', ['new-ui']],
    ['a.dart', "unleash.isEnabled(r'new-ui')", ['new-ui']],
    ['a.rb', "UNLEASH.enabled?('new-ui'.freeze)", ['new-ui']],
  ],
  'keyword arguments in any position': [
    ['a.py', 'client.is_enabled(context=ctx, feature_name="new-ui")', ['new-ui']],
    [
      'a.py',
      'client.get_variant(\n  context={"a": f(1, 2)},\n  feature_name="new-ui",\n)',
      ['new-ui'],
    ],
    ['a.cs', 'unleash.IsEnabled(context: ctx, toggleName: "new-ui")', ['new-ui']],
  ],
  OpenFeature: [
    ['a.ts', "await client.getBooleanValue('new-ui', false)", ['new-ui']],
    ['a.ts', "client.getStringDetails('a', ''); client.getNumberValue('b', 1)", ['a', 'b']],
    ['a.ts', "client.getObjectValue<Shape>('a', {})", ['a']],
    ['a.tsx', "useBooleanFlagValue('a', false); useStringFlagDetails('b', '')", ['a', 'b']],
    ['a.tsx', "useSuspenseFlag('a', false)", ['a']],
    ['a.tsx', '<FeatureFlag match={() => 1 > 0} flagKey={"new-ui"}>a</FeatureFlag>', ['new-ui']],
    ['a.tsx', '<FeatureFlag flagKey="new-ui">a</FeatureFlag>', ['new-ui']],
    ['a.tsx', "enum Flags { X = 'x' }\nconst a = <FeatureFlag flagKey={Flags.X} />", ['x']],
    ['a.tsx', "const C = ({ a }) => <FeatureFlag flagKey={a} />\nconst b = <C a='x' />", ['x']],
    ['a.go', 'client.BooleanValue(ctx, "new-ui", false, evalCtx)', ['new-ui']],
    ['a.go', 'client.StringValueDetails(context.Background(), "new-ui", "", e)', ['new-ui']],
    ['a.py', 'client.get_boolean_value(flag_key="new-ui", default_value=False)', ['new-ui']],
    ['a.py', 'client.get_string_details("new-ui", "")', ['new-ui']],
    ['a.rb', "client.fetch_boolean_value(default_value: false, flag_key: 'new-ui')", ['new-ui']],
    ['a.cs', 'await client.GetBooleanValueAsync("new-ui", false)', ['new-ui']],
    ['a.swift', 'client.getValue(key: "new-ui", defaultValue: false)', ['new-ui']],
    ['a.swift', 'client.getDetails<Bool>(\n  key: "new-ui",\n  defaultValue: false\n)', ['new-ui']],
    [
      'a.swift',
      'func isOn(_ k: String) -> Bool { c.getValue(key: k, defaultValue: false) }\nisOn("new-ui")',
      ['new-ui'],
    ],
    ['a.ex', 'Client.get_boolean_value(client, "new-ui", false)', ['new-ui']],
  ],
  Laravel: [
    ['a.php', "Unleash::isFeatureEnabled('a'); $unleash->isFeatureDisabled('b')", ['a', 'b']],
    ['a.php', "Feature::enabled('a'); Feature::disabled('b'); Feature::get('c')", ['a', 'b', 'c']],
    ['a.php', "Route::get('/x')->middleware('feature.enabled:new-ui')", ['new-ui']],
    ['a.blade.php', "@featureEnabled('new-ui')\n@featureDisabled('old-ui')", ['new-ui', 'old-ui']],
  ],
  Angular: [
    ['a.html', '<p *featureEnabled="\'new-ui\'; else other">', ['new-ui']],
    ['a.html', "<p *featureEnabled=\"['a', 'b'] operator 'and'\">", ['a', 'b']],
    ['a.ts', 'template: `<p *featureDisabled="\'new-ui\'">`', ['new-ui']],
    ['a.html', '<p *booleanFeatureFlag="\'new-ui\'; default: true">', ['new-ui']],
    [
      'a.ts',
      "canActivate: [featureEnabled('a'), featureDisabled(['b', 'c'], '/')]",
      ['a', 'b', 'c'],
    ],
  ],
  'Spring and Quarkus': [
    ['A.java', '@Toggle(name = "new-ui", alterBean = "newService")', ['new-ui']],
    ['A.java', '@FeatureToggle(name = "new-ui")\nInstance<Boolean> on;', ['new-ui']],
    ['A.java', '@FeatureVariant(name = "green", variantBean = "greenService")', []],
    ['A.java', '@ConditionalOnExpression("@unleash.isEnabled(\'new-ui\')")', ['new-ui']],
  ],
  Nest: [
    ['a.ts', "@IfEnabled('new-ui')\n@Get('/x')", ['new-ui']],
    ['a.ts', "@BooleanFeatureFlag({ flagKey: 'new-ui', defaultValue: false })", ['new-ui']],
    ['a.ts', "const X = 'x'\n@StringFeatureFlag({ flagKey: X })", ['x']],
    ['a.ts', "@RequireFlagsEnabled({ flags: [{ flagKey: 'new-ui' }] })", ['new-ui']],
  ],
  Twig: [
    ['a.twig', "{% if feature_is_enabled('a') %}{{ feature_variant('b').name }}", ['a', 'b']],
    ['a.twig', "{% if 'a'|feature_is_enabled %}{% set v = 'b' | feature_variant %}", ['a', 'b']],
    ['a.html.twig', "{% if 'a' is enabled or 'b' is not enabled %}", ['a', 'b']],
    ['a.html.twig', "{% feature 'new-ui' %}", ['new-ui']],
    ['a.svelte', "{#if isEnabled('a')}A{:else if isEnabled('b')}B{/if}", ['a', 'b']],
    ['a.svelte', "{@const on = isEnabled('a')}{#await isEnabled('b')}{/await}", ['a', 'b']],
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
  Node: [
    [
      'a.js',
      "client.count('new-ui', true); unleash.count('old-ui', enabled)",
      ['new-ui', 'old-ui'],
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
  ['a.ts', "this.requestLogger.isEnabled('debug')"],
  ['a.tsx', "theme.getVariant('contained')"],
  ['a.py', "text.count('a', 1)"],
  ['a.ts', "collection.count('a', {}); 'abc'.count('a', true)"],
  ['a.ts', 'log("call isEnabled(\'x\') first")'],
  ['a.go', 'fmt.Println("IsEnabled(`x`) is true")'],
  ['a.ts', "// isEnabled('x')"],
  ['a.ts', "go() // isEnabled('x')"],
  ['a.ts', "/* isEnabled('x') */ go()"],
  ['a.ts', "/**\n * isEnabled('x')\n */\ngo()"],
  ['a.tsx', "{/* isEnabled('x') */}"],
  ['a.py', "go()  # client.is_enabled('x')"],
  ['a.py', 'def go():\n    """Call client.is_enabled(\'x\') first."""\n'],
  ['a.py', '"""\nclient.is_enabled("x")\n"""\nimport os\n'],
  ['a.rb', "# UNLEASH.enabled?('x')"],
  ['a.rb', "=begin\nUNLEASH.enabled?('x')\n=end\n"],
  ['a.ex', '@doc """\n  Unleash.enabled?(:x)\n"""\ndef go, do: 1'],
  ['a.php', "# $unleash->isEnabled('x')"],
  ['a.vue', "<!-- isEnabled('x') -->"],
  ['a.ts', "template: `<p id='a'><!-- {{ isEnabled('x') }} --></p>`"],
  ['a.ts', 'template: `<p id="a"><!-- <p *ngIf="isEnabled(\'x\')">{{ a }}</p> --></p>`'],
  ['a.twig', "{# feature_is_enabled('x') #}"],
  ['a.ex', '~H"""\n<%# Unleash.enabled?(:x) %><!-- {Unleash.enabled?(:x)} -->\n"""'],
  ['a.ex', 'names |> Enum.filter(&Unleash.enabled?/1)'],
  ['a.html', '<app-x [featureEnabled]="isOn" featureDisabled="x">'],
  ['a.swift', 'store.getValue(key: "x"); store.getValue("x", defaultValue: 1)'],
  ['a.kt', 'store.getValue(key = "x", defaultValue = 1)'],
  ['a.go', 'featureEnabled(ctx, store, id, feature)'],
  ['a.blade.php', "{{-- @featureEnabled('x') --}}"],
])('finds no name in %s: %s', async (file, text) => {
  expect(await referencesIn({ [file]: text })).toMatchObject({ references: [], unresolved: [] })
})

it.each([
  ['a.ts', "fetch('https://x') && isEnabled('x')"],
  ['a.ts', "glob('src/**/*.ts')\nisEnabled('x')\nglob('**/*.js')"],
  ['a.ts', "const accept = '*/*' || isEnabled('x')"],
  ['a.ts', `\`https://x/\${isEnabled('x') ? 1 : 2}\``],
  ['a.tsx', "<p>Don't {isEnabled('x') && 'do'}</p>"],
  ['a.tsx', '<p title="a" hidden={isEnabled(\'x\')}>'],
  ['a.vue', '<p v-if="isEnabled(\'x\')">'],
  ['a.ts', 'template: \'<p v-if="isEnabled(`x`)">\''],
  ['a.rs', 'let a: &\'static str = f(); c.is_enabled_str("x", None, false)'],
  ['a.py', '"""Doc."""\nx = """\ntext\n"""\nclient.is_enabled(\'x\')\ny = """\n"""'],
  ['a.py', "a // client.is_enabled('x')"],
  ['a.ts', "this.#client.isEnabled('x')"],
  ['a.rb', 'puts "on: #{UNLEASH.enabled?(\'x\')}"'],
  ['a.ts', "catalog.isEnabled('x')"],
  ['a.yaml', 'condition: "isEnabled(\'x\')"'],
])('finds the name in %s: %s', async (file, text) => {
  expect(await namesIn(text, file)).toEqual(['x'])
})

it('reports where a lookup is in a template in Elixir', async () => {
  const text = 'def page(assigns) do\n  ~H"""\n  <p :if={Unleash.enabled?(@flag)}>\n  """\nend\n'
  const { unresolved } = await referencesIn({ 'a.ex': text })
  expect(unresolved).toMatchObject([{ line: 3, column: 19, text: 'enabled?(@flag)' }])
})

it.each([
  [
    'a.tsx',
    '<FeatureFlag flagKey={`my_${area}`}>a</FeatureFlag>',
    'FeatureFlag flagKey={`my_${area}',
  ],
  ['a.ex', 'name |> Unleash.enabled?', 'name |> Unleash.enabled?'],
  ['a.ex', '"a" <> b |> Unleash.enabled?(ctx)', 'enabled?(ctx)'],
  ['a.ex', 'f(:a) |> Unleash.enabled?(:b)', 'enabled?(:b)'],
  ['a.ex', '"a_#{b}" |> Unleash.enabled?()', 'enabled?()'],
  ['a.ex', ':a |> f() |> Unleash.enabled?()', 'enabled?()'],
  ['a.html', '<p *featureEnabled="flags.x; else y">', 'featureEnabled="flags.x; else y"'],
  ['a.html', `<p *featureEnabled="'a' + b">`, `featureEnabled="'a' + b"`],
  ['a.twig', '{% feature name %}', 'feature name'],
  ['a.twig', '{{ name|feature_variant }}', 'feature_variant'],
  ['a.html', '<p *booleanFeatureFlag="x">', 'booleanFeatureFlag="x"'],
  [
    'a.swift',
    'client.getValue(key: "my_\\(area)", defaultValue: false)',
    'getValue(key: "my_\\(area)", defaultValue: false)',
  ],
  [
    'a.ts',
    '@BooleanFeatureFlag({ flagKey: flag, defaultValue: false })',
    'BooleanFeatureFlag({ flagKey: flag, defaultValue: false })',
  ],
  ['a.tsx', '<FeatureFlag flagKey={flag}>a</FeatureFlag>', 'FeatureFlag flagKey={flag'],
])('counts a flag in %s that cannot be read: %s', async (file, text, shown) => {
  const { references, unresolved } = await referencesIn({ [file]: text })
  expect({ references, unresolved }).toMatchObject({
    references: [],
    unresolved: [{ text: shown }],
  })
})

it('reports where a name is in a text block', async () => {
  const { references } = await referencesIn({ 'A.java': 'a.isEnabled("""\n    new-ui""")' })
  expect(references).toMatchObject([{ name: 'new-ui', line: 2, column: 5 }])
})
