import { expect, it } from 'vitest'
import { referencesIn } from '../support/scan.ts'

it.each([
  ['a.ts', "const FLAG = 'x'\nisEnabled(FLAG)"],
  ['a.ts', "export const FLAG: string = 'x' as const;\nuseFlag(FLAG)"],
  ['a.ts', "let flag = 'x'\nif (a || isEnabled(flag)) {}"],
  ['a.ts', "const Flags = {\n  NEW_UI: 'x',\n}\nisEnabled(Flags.NEW_UI)"],
  ['a.ts', "enum Flags {\n  NewUi = 'x',\n}\nisEnabled(Flags.NewUi)"],
  [
    'a.ts',
    "// FLAG is for the redesign\nconst FLAG = 'x'\nfunction f() { return isEnabled(FLAG) }",
  ],
  ['a.ts', "let flag\nflag = 'x'\nisEnabled(flag)"],
  ['a.ts', "const a = { flag: 'x' }\nconst b = { flag: 'y' }\nisEnabled(a.flag)"],
  ['a.ts', "const A = 'x'\nconst counts = { A: 1 }\nisEnabled(A)"],
  ['a.ts', "const A = 'x'\nisEnabled(A as any) "],
  ['a.ts', "const A = 'x'\nisEnabled((A)!)"],
  ['A.java', 'private static final String FLAG = "x";\nunleash.isEnabled(FLAG);'],
  ['a.kt', 'const val FLAG = "x"\nfun on() = unleash.isEnabled(FLAG)'],
  ['a.cs', 'const string Flag = "x";\nunleash.IsEnabled(Flag)'],
  ['a.go', 'const newUI = "x"\nif client.IsEnabled(newUI) {'],
  ['a.go', 'const (\n\tnewUI string = "x"\n)\nclient.IsEnabled(newUI)'],
  ['a.swift', 'static let flag = "x"\nunleash.isEnabled(name: Self.flag)'],
  ['a.dart', "static const flag = 'x';\nunleash.isEnabled(flag)"],
  ['a.rs', 'const FLAG: &str = "x";\nclient.is_enabled_str(FLAG, None, false)'],
  ['a.c', '#define FLAG "x"\nis_enabled(FLAG)'],
  ['a.py', "FLAG = 'x'\nclient.is_enabled(FLAG)"],
  ['a.py', "class A:\n    FLAG = 'x'\n    def on(self): return client.is_enabled(self.FLAG)"],
  ['a.rb', "FLAG = 'x'.freeze\nUNLEASH.enabled?(FLAG)"],
  ['a.rb', 'FLAG = :x\nreturn unless UNLEASH.enabled? FLAG'],
  ['a.ex', '@flag "x"\nUnleash.enabled?(@flag)'],
  ['a.php', "const FLAG = 'x';\n$unleash->isEnabled(self::FLAG)"],
])('resolves a constant of the same file: %s %s', async (file, text) => {
  const { references, unresolved } = await referencesIn({ [file]: text })
  expect([references.map(({ name }) => name), unresolved]).toEqual([['x'], []])
})

it.each([
  ['a.kt', 'enum class Toggle { NEW_UI, OLD }\nval on = unleash.isEnabled(Toggle.NEW_UI.name)'],
  ['a.kt', 'enum class Toggle {\n  OLD,\n  @Old NEW_UI\n}\nunleash.isEnabled(Toggle.NEW_UI.name)'],
  [
    'a.kt',
    'enum class Toggle(val text: String) { NEW_UI("The new UI") }\nisEnabled(Toggle.NEW_UI.name)',
  ],
  ['a.kt', 'enum class Toggle(val on: Boolean) { NEW_UI(true) }\nisEnabled(Toggle.NEW_UI.name)'],
  ['a.kt', 'enum class T { OLD, NEW_UI }\nfun on(t: T) = isEnabled(t.name)\nval a = on(T.NEW_UI)'],
  ['A.java', 'enum Toggle { OLD, NEW_UI; int f; }\nunleash.isEnabled(Toggle.NEW_UI.name());'],
  ['a.cs', 'enum Flag { Old = 1, NEW_UI = 2 }\nunleash.IsEnabled(Flag.NEW_UI.ToString())'],
  ['a.cs', 'enum Flag { [Old] NEW_UI }\nunleash.IsEnabled(nameof(Flag.NEW_UI))'],
  ['a.cs', 'unleash.IsEnabled(nameof(NEW_UI))'],
  ['a.dart', 'enum Flag { old, NEW_UI }\nfinal on = unleash.isEnabled(Flag.NEW_UI.name);'],
  ['a.swift', 'enum F: String {\n  case old\n  case NEW_UI\n}\nisEnabled(name: F.NEW_UI.rawValue)'],
  ['a.swift', 'enum F: String, A { case old, NEW_UI }\nisEnabled(name: F.NEW_UI.rawValue)'],
  ['a.php', '<?php enum F { case NEW_UI; }\n$unleash->isEnabled(F::NEW_UI->name)'],
])('resolves an enum member by its own name: %s %s', async (file, text) => {
  const { references, unresolved } = await referencesIn({ [file]: text })
  expect([references.map(({ name }) => name), unresolved]).toEqual([['NEW_UI'], []])
})

it.each([
  // The value is another text, or is not known.
  ['a.kt', 'enum class Toggle { NEW_UI }\nval on = unleash.isEnabled(Toggle.NEW_UI)'],
  ['a.kt', 'enum class Toggle { NEW_UI }\nunleash.isEnabled(Toggle.NEW_UI.name.lowercase())'],
  ['a.kt', 'enum class Toggle { NEW_UI }\nunleash.isEnabled(Toggle.NEW_UI.toString())'],
  ['a.kt', 'class Toggle { NEW_UI, OLD }\nunleash.isEnabled(Toggle.NEW_UI.name)'],
  ['a.swift', 'enum F: Int { case NEW_UI }\nisEnabled(name: F.NEW_UI.rawValue)'],
  ['a.swift', 'enum F { case NEW_UI(String) }\nisEnabled(name: F.NEW_UI.rawValue)'],
  ['a.py', 'class F(Enum):\n    NEW_UI = auto()\nclient.is_enabled(F.NEW_UI.value)'],
])('does not take the name of an enum member for its value: %s %s', async (file, text) => {
  const { references, unresolved } = await referencesIn({ [file]: text })
  expect([references, unresolved.length]).toEqual([[], 1])
})

const derived = '#[derive(Debug, Deserialize, Serialize, Enum, Clone)]'

it.each([
  [`${derived}\nenum F { #[serde(rename = "new-ui")] NewUi }`, 'new-ui'],
  [
    `${derived}\nenum F { Old, #[old] #[serde(default, rename = "new-ui")] // new\n NewUi, }`,
    'new-ui',
  ],
  [`${derived}\npub(crate) enum F { NewUi }`, 'NewUi'],
  [`#[derive(Enum)] #[serde(rename_all = "kebab-case")] pub enum F { NewUi }`, 'new-ui'],
  [`#[serde(rename_all = "SCREAMING-KEBAB-CASE")] ${derived} enum F { NewUi }`, 'NEW-UI'],
  [`#[serde(rename_all = "snake_case")] ${derived} enum F { NewUi }`, 'new_ui'],
  [`#[serde(rename_all = "SCREAMING_SNAKE_CASE")] ${derived} enum F { NewUi }`, 'NEW_UI'],
  [`#[serde(rename_all = "camelCase")] ${derived} enum F { NewUi }`, 'newUi'],
  [`#[serde(rename_all = "PascalCase")] ${derived} enum F { NewUi }`, 'NewUi'],
  [`#[serde(rename_all = "lowercase")] ${derived} enum F { NewUi }`, 'newui'],
  [`#[serde(rename_all = "UPPERCASE")] ${derived} enum F { NewUi }`, 'NEWUI'],
  [`#[serde(rename_all = "snake_case")] ${derived} enum F { #[serde(rename = "x")] NewUi }`, 'x'],
])('resolves an enum member of Rust by its name for serde: %s', async (declaration, name) => {
  const { references, unresolved } = await referencesIn({
    'flags.rs': declaration,
    'a.rs': 'client.is_enabled(F::NewUi, None, true) && client.get_variant(F::NewUi, &context)',
  })
  expect([references.map((one) => one.name), unresolved]).toEqual([[name, name], []])
})

it.each([
  '#[derive(Debug)] enum F { NewUi }',
  `#[serde(rename_all = "toString")] ${derived} enum F { NewUi }`,
  `#[serde(rename_all)] ${derived} enum F { NewUi(u8) }`,
  `${derived} enum F { Old }\n#[derive(Debug)] enum G { NewUi }`,
])('does not resolve an enum member of Rust whose name is not known: %s', async (declaration) => {
  const { references, unresolved } = await referencesIn({
    'a.rs': `${declaration}\nclient.is_enabled(F::NewUi, None, true)`,
  })
  expect([references, unresolved.length]).toEqual([[], 1])
})

it('takes the members of a definition in Rust', async () => {
  const { references } = await referencesIn(
    {
      'flags.rs': `${derived} enum F { #[serde(rename = "new-ui")] NewUi, Old }`,
      'a.rs': 'isOn(F::NewUi); isOn(F::Old)',
    },
    { calls: ['isOn'] },
  )
  expect(references.map(({ name, file }) => [name, file])).toEqual([
    ['new-ui', 'a.rs'],
    ['Old', 'a.rs'],
  ])
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
  ['a.ts', 'isEnabled(flag)'],
  ['a.ts', "const flag = 'x'\nflags.map((flag) => isEnabled(flag))"],
  ['a.ts', "const flag = 'x'\nflags.map(flag => isEnabled(flag))"],
  ['a.ts', "let flag = 'x'\nflag = 'y'\nisEnabled(flag)"],
  ['a.ts', "track({ flag: 'x' })\nisEnabled(flag)"],
  ['a.ts', "const { flag = 'x' } = props\nisEnabled(flag)"],
  ['a.ts', "const flag = 'x' + y\nisEnabled(flag)"],
  ['a.ts', "const flag = 'x'\nisEnabled(props.flag)"],
  ['a.ts', `isEnabled(\`new-\${part}\`)`],
  ['a.ts', "isEnabled('x' + y)"],
  ['a.py', "track(flag='x')\nclient.is_enabled(flag)"],
  ['a.py', "track(\n    flag='x'\n)\nclient.is_enabled(flag)"],
  ['a.py', 'client.is_enabled(feature_name=flag)'],
  ['a.rs', 'client.is_enabled(UserFeatures::NewUi, None, false)'],
  ['a.rb', 'return if UNLEASH.disabled? flag'],
  ['a.cs', 'var n = x switch { A when IsEnabled(name) => 1, _ => 2 };'],
  ['a.cs', 'var n = x switch { A when a && !IsEnabled(name) => 1, _ => 2 };'],
  ['a.dart', 'final n = switch (x) { A() when isEnabled(name) => 1, _ => 2 };'],
  ['a.go', 'client.BooleanValue(ctx, name, false, e)'],
])('counts a call whose flag name cannot be resolved: %s %s', async (file, text) => {
  const { references, unresolved } = await referencesIn({ [file]: text })
  expect([references, unresolved.length]).toEqual([[], 1])
})

it.each([
  ["client['isEnabled'](flag)", "['isEnabled'](flag)"],
  ['isEnabled.call(client, flag)', 'isEnabled.call(client, flag)'],
  ['client.isEnabled.apply(client, args)', 'isEnabled.apply(client, args)'],
])('counts %j as a lookup that could not be read', async (line, text) => {
  const { references, unresolved } = await referencesIn({ 'a.ts': line })
  expect([references, unresolved.map((one) => one.text)]).toEqual([[], [text]])
})

it('reports the places and texts of unresolved calls', async () => {
  const { unresolved } = await referencesIn({ 'a.ts': 'go()\n  client.isEnabled(flag, context)' })
  expect(unresolved).toEqual([
    { file: 'a.ts', line: 2, column: 10, text: 'isEnabled(flag, context)', candidates: [] },
  ])
})

it.each([
  ['a.ts', 'export function isEnabled(name: string): boolean {\n}'],
  ['a.ts', 'class A {\n  async isEnabled(name: string): Promise<boolean> {}\n}'],
  ['a.ts', 'interface A {\n  isEnabled(name: string): boolean\n}'],
  ['a.js', 'class A {\n  isEnabled(name) {\n  }\n}'],
  ['A.java', 'public boolean isEnabled(String name) {'],
  ['a.kt', 'override fun isEnabled(name: String): Boolean {'],
  ['a.go', 'func (c *Client) IsEnabled(name string) bool {'],
  ['a.py', 'def is_enabled(self, name): pass'],
  ['a.rs', 'pub fn is_enabled(&self, name: &str) -> bool {'],
  ['a.rb', 'def enabled?(name)'],
  ['a.ts', "import { isEnabled } from './flags'\nbutton.isEnabled()"],
  ['a.js', '// isEnabled(name)'],
  ['a.js', 'log("isEnabled(name) failed")'],
  ['a.rb', 'user.enabled? ? 1 : 2; user.enabled? && a; puts 1 if user.enabled? and b'],
  ['a.md', 'Then get_variant returns the variant.'],
])('does not count other code: %s %s', async (file, text) => {
  expect(await referencesIn({ [file]: text })).toMatchObject({ unresolved: [] })
})
