import { expect, it } from 'vitest'
import { referencesIn } from '../../support/scan.ts'

it.each([
  ['a.ts', "const FLAG = 'x'\nisEnabled(FLAG)"],
  ['a.ts', "const Flags = {\n  NEW_UI: 'x',\n}\nisEnabled(Flags.NEW_UI)"],
  ['a.ts', "let flag\nflag = 'x'\nisEnabled(flag)"],
  ['a.ts', "const a = { flag: 'x' }\nconst b = { flag: 'y' }\nisEnabled(a.flag)"],
  ['a.ts', "const A = 'x'\nisEnabled((A)!)"],
  ['a.ts', 'const NAME="x"\nisEnabled(NAME)'],
  ['a.tsx', 'let NAME="x"\nisEnabled(NAME)'],
  ['a.ts', 'enum F{OLD="y",K="x"}\nisEnabled(F.K)'],
  ['a.ts', 'class F { static K="x"; }\nisEnabled(F.K)'],
  [
    'a.js',
    "const config = { flags: { stop: 'x' }, other: { stop: 'y' } }\nisEnabled(config.flags.stop)",
  ],
  [
    'a.py',
    "FLAGS = {'shop': {'cart': 'x'}, 'old': {'cart': 'y'}}\nclient.is_enabled(FLAGS['shop']['cart'])",
  ],
  ['a.py', "FLAGS: dict[str, str] = {'cart': 'x'}\nclient.is_enabled(FLAGS['cart'])"],
  [
    'a.py',
    "class F:\n    class Old:\n        CART = 'y'\n    class Shop:\n        CART = 'x'\nclient.is_enabled(F.Shop.CART)",
  ],
  ['a.js', "const F = { 'new-ui': 'x' }\nisEnabled(F['new-ui'])"],
  [
    'a.rb',
    "FLAGS = { shop: { cart: 'x' }, old: { cart: 'y' } }\nUNLEASH.enabled?(FLAGS[:shop][:cart])",
  ],
  ['a.php', "<?php const FLAGS = ['cart' => 'x'];\n$unleash->isEnabled(FLAGS['cart']);"],
  ['a.rs', 'const F: &str = r##"x"##;\nclient.is_enabled(F, None, false);'],
  ['a.go', 'const (\n\tnewUI string = "x"\n)\nclient.IsEnabled(newUI)'],
  ['a.py', "FLAG = 'x'\nclient.is_enabled(FLAG)"],
  ['a.py', "class A:\n    FLAG = 'x'\n    def on(self): return client.is_enabled(self.FLAG)"],
  ['a.rb', "FLAG = 'x'.freeze\nUNLEASH.enabled?(FLAG)"],
  ['a.rb', 'FLAG = :x\nreturn unless UNLEASH.enabled? FLAG'],
  ['a.cs', 'class F { public const string x = nameof(x); }\nunleash.IsEnabled(F.x)'],
  ['a.cs', 'unleash.IsEnabled(nameof(Flags.x))'],
])('resolves a constant of the same file: %s %s', async (file, text) => {
  const { references, unresolved } = await referencesIn({ [file]: text })
  expect([references.map(({ name }) => name), unresolved]).toEqual([['x'], []])
})

it.each([
  ['A.java', 'enum Toggle { OLD, NEW_UI; int f; }\nunleash.isEnabled(Toggle.NEW_UI.name());'],
  ['a.cs', 'enum Flag { Old = 1, NEW_UI = 2 }\nunleash.IsEnabled(Flag.NEW_UI.ToString())'],
  ['a.swift', 'enum F: String {\n  case old\n  case NEW_UI\n}\nisEnabled(name: F.NEW_UI.rawValue)'],
  ['a.php', '<?php enum F { case NEW_UI; }\n$unleash->isEnabled(F::NEW_UI->name)'],
  ['a.py', 'class F(Enum):\n    NEW_UI = auto()\nclient.is_enabled(F.NEW_UI.value)'],
])('does not take the name of an enum member for its value: %s %s', async (file, text) => {
  const { references, unresolved } = await referencesIn({ [file]: text })
  expect([references, unresolved.length]).toEqual([[], 1])
})

it('reports a constant where it is used, and where its literal is', async () => {
  const text = "const FLAG = 'x'\nisEnabled(FLAG) && isEnabled(FLAG)"
  const { references } = await referencesIn({ 'a.ts': text })
  const reference = { name: 'x', file: 'a.ts', line: 2, kind: 'constant', text: 'isEnabled(FLAG)' }
  const origin = { file: 'a.ts', line: 1, column: 15 }
  expect(references).toEqual([
    { ...reference, column: 11, origin },
    { ...reference, column: 30, origin },
  ])
})

it.each([
  ['a.ts', "const flag = 'x'\nflags.map((flag) => isEnabled(flag))"],
  ['a.ts', "let flag = 'x'\nflag = 'y'\nisEnabled(flag)"],
  ['a.ts', "track({ flag: 'x' })\nisEnabled(flag)"],
  ['a.ts', "const { flag = 'x' } = props\nisEnabled(flag)"],
  ['a.ts', "const flag = 'x' + y\nisEnabled(flag)"],
  ['a.ts', `isEnabled(\`new-\${part}\`)`],
  ['a.py', "track(flag='x')\nclient.is_enabled(flag)"],
  ['a.py', 'client.is_enabled(feature_name=flag)'],
  ['a.rb', 'return if UNLEASH.disabled? flag'],
  ['a.cs', 'var n = x switch { A when IsEnabled(name) => 1, _ => 2 };'],
  ['a.dart', 'final n = switch (x) { A() when isEnabled(name) => 1, _ => 2 };'],
  ['a.go', 'client.BooleanValue(ctx, name, false, e)'],
])('counts a call whose flag name cannot be resolved: %s %s', async (file, text) => {
  const { references, unresolved } = await referencesIn({ [file]: text })
  expect([references, unresolved.length]).toEqual([[], 1])
})

it('reports the places and texts of unresolved calls', async () => {
  const { unresolved } = await referencesIn({ 'a.ts': 'go()\n  client.isEnabled(flag, context)' })
  expect(unresolved).toEqual([
    {
      file: 'a.ts',
      line: 2,
      column: 10,
      text: 'isEnabled(flag, context)',
      candidates: [],
      texts: [['', '']],
    },
  ])
})

it.each([
  ['a.ts', 'export function isEnabled(name: string): boolean {\n}'],
  ['a.ts', "function isEnabled(name = 'default-name') {}"],
  ['a.ts', "export function useFlag(flag: 'x'): boolean {}"],
  ['a.ts', 'interface A {\n  isEnabled(name: string): boolean\n}'],
  ['a.go', 'func (c *Client) IsEnabled(name string) bool {'],
  ['a.rs', 'pub fn is_enabled(&self, name: &str) -> bool {'],
  ['a.rb', 'def enabled?(name)'],
  ['a.cs', 'class A : ILogger { void Log(LogLevel logLevel) { if (!IsEnabled(logLevel)) {} } }'],
  ['A.java', 'class A extends Handler { boolean on() { return isEnabled(Level.FINE); } }'],
  ['a.ts', "import { isEnabled } from './flags'\nbutton.isEnabled()"],
  ['a.rb', 'user.enabled? ? 1 : 2; user.enabled? && a; puts 1 if user.enabled? and b'],
  ['a.md', 'Then get_variant returns the variant.'],
])('does not count other code: %s %s', async (file, text) => {
  expect(await referencesIn({ [file]: text })).toMatchObject({ references: [], unresolved: [] })
})
