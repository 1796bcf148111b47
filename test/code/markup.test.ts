import { describe, expect, it } from 'vitest'
import { referencesIn } from '../support/scan.ts'

/** The names that are found, and `?` for each lookup that could not be read. */
async function lookupsIn(text: string, file: string): Promise<string[]> {
  const { references, unresolved } = await referencesIn({ [file]: text })
  return [...references.map(({ name }) => name), ...unresolved.map(() => '?')]
}

const cases: Record<string, [string, string, string[]][]> = {
  'attributes of templates': [
    ['a.html.erb', '<div class="<%= UNLEASH.is_enabled?(:x) ? "a" : "b" %>">x</div>', ['x']],
    ['a.html.erb', '<div class="<%= UNLEASH.is_enabled?("x-#{y}") %>" id="z">', ['?']],
    [
      'a.html.erb',
      "<a class='<%= UNLEASH.is_enabled?('x') %>' b=\"<%= UNLEASH.is_enabled? :y %>\">",
      ['x', 'y'],
    ],
    ['a.html.erb', '<a <%= "hidden" if UNLEASH.is_enabled?(:x) %> id="b">', ['x']],
    ['a.html.erb', '<a b="<%= c > d %>" e="<%= UNLEASH.is_enabled?(:x) %>">', ['x']],
    [
      'a.html.erb',
      '<a b="<%= f(\n  UNLEASH.is_enabled?(:x)\n) %>" c="<%= UNLEASH.is_enabled? :y %>">',
      ['x', 'y'],
    ],
    ['a.html.eex', '<div class="<%= Unleash.enabled?(:x) %>">x</div>', ['x']],
    ['a.html.heex', '<div :if={Unleash.enabled?(:x)}>x</div>', ['x']],
    ['a.html.heex', '<div id="a" class={if Unleash.enabled?(:x), do: "b"}>x</div>', ['x']],
    ['a.html.heex', '<.button :if={Unleash.enabled?(:x)}>x</.button>', ['x']],
    ['a.html.heex', '<div class={Unleash.enabled?(name)}>x</div>', ['?']],
    ['a.php', '<a class="<?= $unleash->isEnabled("my_" . $area) ? 1 : 2 ?>">', ['?']],
    [
      'a.php',
      '<a b="c <?= $d ?> <?php echo $unleash->isEnabled("x") ?>" e="<?= $unleash->isEnabled("y") ?>">',
      ['x', 'y'],
    ],
    ['a.php', "<a b='<?= $unleash->isEnabled('x') ?>'>", ['x']],
    [
      'a.php',
      '<a class="b\n<?= $unleash->isEnabled("x") ?>" c="<?= $unleash->isEnabled("y") ?>">',
      ['x', 'y'],
    ],
    [
      'a.php',
      '<a b="c\n"><?php if ($unleash->isEnabled("x")): ?><a b="<?php if ($unleash->isEnabled("y")) ?>">',
      ['x', 'y'],
    ],
    [
      'a.php',
      "$a = '<a b=\"<?= $c ?>\">' . $unleash->isEnabled('x'); $d = '<?xml a=\"b\"?>'; isEnabled('y');",
      ['x', 'y'],
    ],
    ['a.blade.php', '<a class="{{ $unleash->isEnabled("my_$area") }}">', ['?']],
    [
      'a.blade.php',
      '<a class="{{ $unleash->isEnabled("x") }}" b="{!! $unleash->isEnabled("y") !!}">',
      ['x', 'y'],
    ],
    ['a.blade.php', '<a class="@if($unleash->isEnabled("x")) b @endif">', ['x']],
    ['a.blade.php', '<x-a :b="$unleash->isEnabled(\'x\')" @click="isEnabled(\'y\')">', ['x', 'y']],
    ['a.blade.php', '<a class="@featureEnabled(\'x\') b @endfeatureEnabled">', ['x']],
    ['a.svelte', '<a class="{isEnabled("my_" + area) ? 1 : 2}">', ['?']],
    ['a.svelte', '<a class="b {isEnabled("x") ? 1 : 2}" c={isEnabled("y")}>', ['x', 'y']],
    ['a.ejs', '<a class="<%= isEnabled("x") ? 1 : 2 %>" b="<%- isEnabled(\'y\') %>">', ['x', 'y']],
    ['a.ejs', '<a onclick="if (isEnabled(\'x\')) go(\'<%= isEnabled("y") %>\')">', ['x', 'y']],
    ['a.ejs', '<a onclick="isEnabled(\'x-<%= y %>\')">', ['?']],
    [
      'a.twig',
      '<a class="{{ feature_is_enabled("x") ? 1 : 2 }}{% if feature_is_enabled("y") %}b{% endif %}">',
      ['x', 'y'],
    ],
    ['a.twig', '<a {% if feature_is_enabled("x") %}hidden{% endif %}>', ['x']],
    ['a.j2', '<a class="{{ 1 if is_enabled("x") else 2 }}">', ['x']],
    [
      'a.html',
      '<a class="{{ 1 if is_enabled("x") else 2 }}" b="{% if is_enabled("my_" ~ y) %}">',
      ['x', '?'],
    ],
    [
      'a.jsp',
      '<a class="<%= unleash.isEnabled("x") ? 1 : 2 %>" b="${unleash.isEnabled("y")}">',
      ['x', 'y'],
    ],
  ],
  'scripts and styles of templates': [
    [
      'a.html.erb',
      '<script>const a = <%= UNLEASH.is_enabled?(:x) %>; isEnabled("y")</script>',
      ['x', 'y'],
    ],
    ['a.html.erb', '<script>isEnabled(<%= name %>)</script>', ['?']],
    ['a.html.erb', '<style>a { b: <%= UNLEASH.is_enabled?(:x) %> }</style>', ['x']],
    ['a.ejs', '<script>const a = "<%= isEnabled("x") %>"</script>', ['x']],
    ['a.vue', '<script lang="tsx">const a = <A b={{ c: isEnabled("x") }} /></script>', ['x']],
  ],
  Razor: [
    ['a.cshtml', '<p>@Unleash.IsEnabled(Name("flag"))</p>', ['?']],
    [
      'a.cshtml',
      '<p>@(unleash.IsEnabled(x) ? "a" : "b") @(unleash.IsEnabled("y"))</p>',
      ['y', '?'],
    ],
    ['a.cshtml', '<p>@await unleash.IsEnabled("x")</p>', ['x']],
    ['a.cshtml', '@Html.Raw(unleash.IsEnabled("x")).a[unleash.IsEnabled("y")]', ['x', 'y']],
    [
      'a.cshtml',
      '@if (unleash.IsEnabled("x")) { <p>a</p> }\nelse if (unleash.IsEnabled("y")) { <p>b</p> }',
      ['x', 'y'],
    ],
    [
      'a.cshtml',
      '@foreach (var a in b) { <p class="@(unleash.IsEnabled("my_" + a) ? "c" : "d")">Don\'t</p> }',
      ['?'],
    ],
    [
      'a.cshtml',
      '@{ var a = unleash.IsEnabled("x"); <b class="@unleash.IsEnabled("y")">c</b> }',
      ['x', 'y'],
    ],
    ['a.cshtml', '<a class="@(Unleash.IsEnabled("my_" + area) ? "a" : "b")">', ['?']],
    ['a.cshtml', '<script>const a = @Json.Serialize(unleash.IsEnabled("x"))</script>', ['x']],
    [
      'a.razor',
      '<A Disabled="@(!unleash.IsEnabled("x"))" @onclick="@(() => Go(unleash.IsEnabled("y")))" />',
      ['x', 'y'],
    ],
    ['a.razor', '@code { bool a = unleash.IsEnabled("x"); }', ['x']],
  ],
  'other text': [
    [
      'a.ex',
      'def a(b) do\n~H"""\n<p :if={Unleash.enabled?(:x)} class="c">{Unleash.enabled?(:y)}</p>\n<.d :if={Unleash.enabled?(e)} />\n"""\nend',
      ['x', 'y', '?'],
    ],
    ['a.ex', 'a = ~H"""\n<a b="<%= Unleash.enabled?("x-#{y}") %>">\n"""', ['?']],
    [
      'a.blade.php',
      '@php\n$a = $unleash->isEnabled("x");\n@endphp\n@php($b = isEnabled("y"))',
      ['x', 'y'],
    ],
    ['a.astro', '---\nconst a = isEnabled("x")\n---\n<A b={isEnabled("y")} />', ['x', 'y']],
    [
      'a.vue',
      '<template lang="pug">\n.a(v-if="isEnabled(name)")\n  b(v-if="isEnabled(\'x\')")\n</template>',
      ['x', '?'],
    ],
    ['a.tsx', 'const a = <p>// {isEnabled(x)}</p>', ['?']],
    ['a.php', "<?php // it's ?><?= $unleash->isEnabled('x') ?>", ['x']],
  ],
}

describe.each(Object.entries(cases))('in %s', (_, list) => {
  it.each(list)('%s: %s', async (file, text, expected) => {
    expect(await lookupsIn(text, file)).toEqual(expected)
  })
})

it.each([
  ['a.html.erb', '<a title="isEnabled: no (really)">'],
  ['a.html.erb', '<a title="<%# UNLEASH.is_enabled?(:x) %>">'],
  ['a.cshtml', '<p>a@Unleash.IsEnabled("x") @@Unleash.IsEnabled("x")</p>'],
  ['a.cshtml', '@if (a) { @* @unleash.IsEnabled("x") *@\n // @unleash.IsEnabled("x")\n }'],
  ['a.cshtml', '<p>else if (unleash.IsEnabled("x")) unleash.IsEnabled("x")</p>'],
  ['a.cshtml', '<a title="@* @unleash.IsEnabled("x") *@">'],
  ['a.ts', 'const a: Promise<void> // isEnabled("x")'],
  ['a.ts', 'const a = () => // </ isEnabled("x")\n 1'],
  ['a.ex', '@doc """\n<p :if={Unleash.enabled?(:x)}>\n"""\ndef a, do: 1'],
  ['a.php', '<p>a</p><?php // isEnabled("x") ?>'],
])('finds no lookup in %s: %s', async (file, text) => {
  expect(await lookupsIn(text, file)).toEqual([])
})
