import { describe, expect, it } from 'vitest'
import { parseCall } from '../../../src/code/lookups/configured-calls.ts'
import { referencesIn } from '../../support/scan.ts'

type Files = Record<string, string>
type Options = Parameters<typeof referencesIn>[1]

/** A line for each reference, and for each lookup that could not be read. */
async function lines(files: Files, options?: Options): Promise<string[]> {
  const { references, unresolved } = await referencesIn(files, options)
  return [
    ...references.map(({ file, line, kind, name }) => `${file}:${line} ${kind} ${name}`),
    ...unresolved.map(({ file, line, candidates }) => {
      return [`${file}:${line} unresolved`, ...candidates].join(' ')
    }),
  ]
}

const imported: Record<string, Files> = {
  'an enumeration of TypeScript': {
    'a.ts': "export enum Flags { NewUi = 'x', Old = 'y' }",
    'b.ts': "import { Flags } from './a'\nisEnabled(Flags.NewUi)",
  },
  'a constant of TypeScript': {
    'a.ts': "export const NEW_UI: FlagName = 'x'",
    'b.ts': "import { NEW_UI } from './a'\nuseFlag(NEW_UI)",
  },
  'a constant in Vue': {
    'a.ts': "export const NEW_UI = 'x'",
    'b.vue': '<script setup>import { NEW_UI } from "./a"</script>\n<p v-if="isEnabled(NEW_UI)"/>',
  },
  'a constant of a module of Python': {
    'a.py': 'FLAG_NEW_UI: Final = "x"',
    'b.py': 'from flags import a\nclient.is_enabled(a.FLAG_NEW_UI)',
  },
  'an enumeration of Python': {
    'a.py': 'class Flag(str, Enum):\n    NEW_UI = "x"\n    OLD = "y"',
    'b.py': 'from a import Flag\nclient.is_enabled(Flag.NEW_UI.value)',
  },
  'a constant of a package of Go': {
    'a.go': 'package flags\nconst (\n\tNewUI Flag = "x"\n\tOld Flag = "y"\n)',
    'b.go': 'import "x.org/flags"\nfunc f() { unleash.IsEnabled(string(flags.NewUI)) }',
  },
  'an enumeration of Kotlin': {
    'a.kt': 'enum class Toggle(val navn: String) {\n  // Old.\n  OLD("y"),\n  NEW_UI("x"),\n}',
    'b.kt': 'import a.Toggle\nval on = unleash.isEnabled(Toggle.NEW_UI.navn)',
  },
  'an enumeration of Kotlin whose names are those of the flags': {
    'a.kt': 'enum class Toggle : Key {\n  old,\n  // New.\n  x;\n\n  override fun key() = name\n}',
    'b.kt': 'import a.Toggle\nval on = flags.isEnabled(Toggle.x)',
  },
  'an enumeration of Java': {
    'a.java':
      'enum Toggle { NEW_UI("x", true), OLD("y", false); Toggle(String name, boolean b) {} }',
    'b.java': 'class B { void f() {\n if (unleash.isEnabled(Toggle.NEW_UI.getName())) {} } }',
  },
  'a constant of C#': {
    'a.cs': 'static class Flags { public const string NewUi = "x"; }',
    'b.cs': 'class B {\n bool On => unleash.IsEnabled(Flags.NewUi); }',
  },
  'a constant of a module of Ruby': {
    'a.rb': "module Flags\n  NEW_UI = 'x'.freeze\nend",
    'b.rb': '\nUNLEASH.enabled?(Flags::NEW_UI)',
  },
  'a constant of a class of PHP': {
    'a.php': "<?php class Flags { const NEW_UI = 'x'; }",
    'b.php': '<?php\n$unleash->isEnabled(Flags::NEW_UI);',
  },
  'a constant of Rust': {
    'a.rs': 'pub const NEW_UI: &str = "x";',
    'b.rs': 'use a::NEW_UI;\nfn f() { client.is_enabled_str(flags::NEW_UI, None, false) }',
  },
  'an enumeration of Swift': {
    'a.swift': 'enum Flag: String {\n  case newUi = "x"\n  case old = "y"\n}',
    'b.swift': 'import A\nlet on = unleash.isEnabled(name: Flag.newUi.rawValue)',
  },
  'a constant of Dart': {
    'a.dart': "class Flags { static const newUi = 'x'; }",
    'b.dart': "import 'a.dart';\nfinal on = unleash.isEnabled(Flags.newUi);",
  },
  'an enumeration of Rust with texts for serde': {
    'a.rs':
      'pub enum Features {\n    #[serde(rename = "x", alias = "y")]\n    NewUI,\n    #[serde(rename = "z")]\n    Other,\n}',
    'b.rs': 'use crate::Features;\nfn f() { unleash.is_enabled(Features::NewUI, None, false) }',
  },
  'an object of Kotlin': {
    'a.kt': 'object Toggles { val NEW_UI = FeatureToggle("x") }',
    'b.kt': 'import a.Toggles\nval on = unleash.isEnabled(Toggles.NEW_UI.name)',
  },
  'an object within an object of TypeScript': {
    'a.ts': "export const FLAGS = { shop: { newUi: 'x' } } as const",
    'b.ts': "import { FLAGS } from './a'\nuseFlag(FLAGS.shop.newUi)",
  },
  'a constant with another name in Python': {
    'a.py': 'NEW_UI = "x"',
    'b.py': 'from a import NEW_UI as flag\nclient.is_enabled(flag)',
  },
}

it('resolves nested constants of another file', async () => {
  const files = {
    'config.ts':
      "export const config = {\n  flags: { stop: 'x', go: 'z' },\n  other: { stop: 'y' },\n}",
    'use.ts': "import { config } from './config'\nisEnabled(config.flags.stop)",
  }
  expect(await lines(files)).toEqual(['use.ts:2 constant x'])
})

it.each(Object.entries(imported))('resolves %s', async (_, files) => {
  const [, file = ''] = Object.keys(files)
  expect(await lines(files)).toEqual([`${file}:2 constant x`])
})

it('does not resolve a constant with several values, and lists them', async () => {
  const files = { 'a.ts': "A = 'x'", 'b.ts': "A = 'y'", 'c.ts': 'isEnabled(A)' }
  expect(await lines(files)).toEqual(['c.ts:1 unresolved x y'])
})

it('takes the value of the type that a constant belongs to', async () => {
  const files = {
    'a.ts': "enum A { X = 'a-x' }",
    'b.ts': "enum B { X = 'b-x' }",
    'c.ts': "import { B } from './b'\nisEnabled(B.X)",
  }
  expect(await lines(files)).toEqual(['c.ts:2 constant b-x'])
})

it.each([
  ['a.java', 'Stream<String> f(List<String> names) { return names.filter(unleash::isEnabled); }'],
  ['a.kt', 'fun f(names: List<String>) = names.filter(unleash::isEnabled)'],
])('counts a method that is passed on, which may get any name: %s %s', async (file, text) => {
  expect(await lines({ [file]: text })).toEqual([`${file}:1 unresolved`])
  expect(await lines({ [file]: text.replace('unleash::', 'User::') })).toEqual([])
})

it.each([
  ['the result of a function', "const name = getFlagName('x')\nisEnabled(name)"],
  ['an object that is not about flags', "const NEW_UI = new Page('x')\nisEnabled(NEW_UI.name)"],
  ['an object without a name', "const NEW_UI = { owner: 'x' }\nisEnabled(NEW_UI.name)"],
  ['a member of a variable', "const a = { flag: 'x' }\nconst { flag } = props\nisEnabled(flag)"],
  ['a cast', "const NEW_UI = 'x'\nf(NEW_UI as flag)\nisEnabled(flag)"],
])('does not resolve %s', async (_, text) => {
  expect(await lines({ 'a.ts': text })).toEqual([expect.stringMatching(/^a\.ts:\d unresolved$/)])
})

it.each([
  ["isEnabled(c ? 'a' : 'b')", ['call a', 'call b']],
  ["isEnabled(c ? 'a' : name)", ['call a', 'unresolved']],
  ["isEnabled('a' + '-b')", ['call a-b']],
  ["const A = 'a'\nisEnabled(A + '-b')", ['constant a-b']],
  ["const A = 'a'\nconst B = A\nisEnabled(B)", ['constant a']],
])('reads the values of %j', async (text, expected) => {
  const found = await lines({ 'a.ts': text })
  expect(found.map((line) => line.replace(/^a\.ts:\d+ /, ''))).toEqual(expected)
})

it.each([
  ['a.ts', "const P = 'app'\nisEnabled(`${P}.x`)"],
  ['a.py', 'P = "app"\nclient.is_enabled(f"{P}.x")'],
  ['a.kt', 'const val P = "app"\nval on = unleash.isEnabled("${P}.x")'],
  ['a.cs', 'class A { const string P = "app"; bool On => unleash.IsEnabled($"{P}.x"); }'],
  ['a.rb', 'P = "app"\nUNLEASH.enabled?("#{P}.x")'],
  ['a.php', '<?php $p = "app"; $unleash->isEnabled("{$p}.x");'],
  ['a.swift', 'let p = "app"\nunleash.isEnabled(name: "\\(p).x")'],
  ['a.dart', "const p = 'app';\nvar on = unleash.isEnabled('$p.x');"],
])('reads constants in a string: %s %s', async (file, text) => {
  expect(await lines({ [file]: text })).toEqual([expect.stringMatching(/ constant app\.x$/)])
})

it.each([
  ['a.ts', "const P = 'app'\nconst f = (q) => isEnabled(`${P}.${q}`)"],
  ['a.ts', "isEnabled(`app.${c ? 'x' : 'y'}`)"],
  ['a.py', 'P = "app"\nclient.is_enabled(f"{{{P}.x")'],
])('does not read other strings with expressions: %s %s', async (file, text) => {
  expect(await lines({ [file]: text })).toEqual([expect.stringMatching(/ unresolved$/)])
})

const wrappers: Record<string, Files> = {
  'a function with the name in another position': {
    'a.py': 'def is_on(org, flag_name, default=False):\n    return client.is_enabled(flag_name)',
    'b.py': 'import a\na.is_on(org, "x", default=True)',
  },
  'a function with a named argument': {
    'a.py': 'def is_on(org, flag_name):\n    return client.is_enabled(flag_name)',
    'b.py': '\nis_on(flag_name="x", org=1)',
  },
  'a component called like one of OpenFeature, with another attribute': {
    'a.tsx': 'export const FeatureFlag = ({ name, children }) => (useFlag(name) ? children : null)',
    'b.tsx': '\nconst page = <FeatureFlag name="x">text</FeatureFlag>',
  },
  'a component': {
    'a.tsx': 'export const IfOn = ({ id, children }: Props) => (useFlag(id) ? children : null)',
    'b.tsx': '\nconst page = <IfOn other={1} id="x">text</IfOn>',
  },
  'a function with an object': {
    'a.ts': 'function isOn({ flag }: { flag: string }) {\n  return isEnabled(flag)\n}',
    'b.ts': "\nisOn({ other: 1, flag: 'x' })",
  },
  'a method of Kotlin that takes an enumeration': {
    'a.kt':
      'enum class T(val key: String) { X("x") }\nclass S { fun isOn(toggle: T): Boolean = unleash.isEnabled(toggle.key) }',
    'b.kt': '\nval on = s.isOn(T.X)',
  },
  'a method of Java': {
    'a.java':
      'class S {\n  boolean isOn(String name) {\n    return unleash.isEnabled(name);\n  }\n}',
    'b.java': 'class B {\n  boolean b = s.isOn("x");\n}',
  },
  'a function of Go': {
    'a.go':
      'func IsOn(ctx context.Context, flag Flag) bool {\n\treturn unleash.IsEnabled(string(flag))\n}',
    'b.go': 'func f() {\n\tIsOn(ctx, "x")\n}',
  },
  'a method of Ruby': {
    'a.rb': 'class Toggles\n  def state(name)\n    @unleash.is_enabled?(name)\n  end\nend',
    'b.rb': '\ntoggles.state "x"',
  },
  'a function of Rust': {
    'a.rs':
      'fn is_on(&self, flag: &str) -> bool {\n    self.client.is_enabled_str(flag, None, false)\n}',
    'b.rs': 'fn f() {\n    s.is_on("x");\n}',
  },
  'a function of Swift': {
    'a.swift': 'func isOn(_ flag: String) -> Bool {\n  return unleash.isEnabled(name: flag)\n}',
    'b.swift': '\nlet on = isOn("x")',
  },
  'a function of Elixir': {
    'a.ex': 'def on?(flag) do\n  Unleash.enabled?(flag)\nend',
    'b.ex': '\nFlags.on?(:x)',
  },
  'a function that passes on to another one': {
    'a.ts':
      'function isOn(a, flag) { return isEnabled(flag) }\nfunction on(f) { return isOn(1, f) }',
    'b.ts': "\non('x')",
  },
}

const signatures: readonly (readonly [file: string, text: string])[] = [
  ['a.go', 'func isOn(f string) (bool, error) { return unleash.IsEnabled(f), nil }'],
  ['a.kt', 'fun isOn(f: String): Map<String, Boolean> { return one(unleash.isEnabled(f)) }'],
  ['a.rs', 'fn isOn(f: &str) -> Result<bool, Error> { client.is_enabled_str(f, None, false) }'],
  ['a.ts', 'const isOn = (f: string): Sdk.Result | undefined => useFlag(f)'],
]

const parameters: readonly (readonly [file: string, text: string, call: string])[] = [
  [
    'a.cs',
    'static bool IsOn(this IUnleash client, string f) => client.IsEnabled(f);',
    'u.IsOn("x")',
  ],
  ['a.rb', 'def on?(name) = UNLEASH.is_enabled?(name)', 'on? :x'],
  ['a.ts', 'const isOn = async <T extends Flag<A>>(f: T) => isEnabled(f)', "isOn('x')"],
]

const modules: readonly (readonly [file: string, text: string])[] = [
  ['use-on.js', 'export default (flag) => useFlag(flag)'],
  ['useOn.ts', 'export default async function (flag: string) { return client.isEnabled(flag) }'],
  ['use_on.cjs', 'module.exports = function (flag) { return client.isEnabled(flag) }'],
]

describe('wrappers', () => {
  it.each(modules)('may have the name of their module %s: %s', async (file, text) => {
    const call = file.endsWith('x') ? "<useOn flag='x' />" : "useOn('x')"
    expect(await lines({ [file]: text, 'z.tsx': call })).toEqual(['z.tsx:1 call x'])
  })

  it.each(parameters)('reads the parameters in %s: %s', async (file, text, call) => {
    const caller = file.replace('a', 'b')
    expect(await lines({ [file]: text, [caller]: call })).toEqual([`${caller}:1 call x`])
  })

  it.each(signatures)('reads the type of the result in %s: %s', async (file, text) => {
    const caller = file.replace('a', 'b')
    expect(await lines({ [file]: text, [caller]: 'isOn("x")' })).toEqual([`${caller}:1 call x`])
  })

  it.each(Object.entries(wrappers))('finds %s', async (_, files) => {
    const [, file = ''] = Object.keys(files)
    const kind = file === 'b.kt' ? 'constant' : 'call'
    expect(await lines(files)).toEqual([`${file}:2 ${kind} x`])
  })

  it('uses a function that passes on the same parameter wherever it is defined', async () => {
    const text = 'function isOn(flag) { return isEnabled(flag) }'
    const files = { 'a.ts': text, 'b.ts': text, 'c.ts': "isOn('x')" }
    expect(await lines(files)).toEqual(['c.ts:1 call x'])
  })

  it('does not use a function that is defined elsewhere as well', async () => {
    const files = {
      'a.ts': 'function isOn(flag) { return isEnabled(flag) }',
      'b.ts': 'function isOn(lamp) { return lamp.power > 0 }',
      'c.ts': "isOn('x')",
    }
    expect(await lines(files)).toEqual(['a.ts:1 unresolved'])
  })

  it.each([
    ['__tests__/b.tsx', "jest.mock('../a', () => ({ isOn: (flag) => flag === 'y' }))"],
    ['src/b.test.ts', 'const isOn = (flag) => true'],
  ])('is not affected by a mock in %s: %s', async (file, text) => {
    const files = {
      'src/a.ts': 'export function isOn(flag) { return isEnabled(flag) }',
      [file]: text,
      'src/c.ts': "isOn('x')",
    }
    expect(await lines(files)).toEqual(['src/c.ts:1 call x'])
  })

  it('leaves out the calls of other functions, whose texts cannot be names of flags', async () => {
    const files = {
      'a.go':
        'func Bool(ctx context.Context, client Client, f Flag) bool { return client.Boolean(ctx, string(f), false) }',
      'b.go': 'flags.Bool(ctx, c, "x")\nflag.Bool("v", false, "Print more")',
    }
    expect(await lines(files)).toEqual(['b.go:1 call x'])
  })

  it('does not report parts of names that are composed at run time', async () => {
    const files = {
      'a.ts': "function register(id) { return isEnabled(`app.${id}.on`) }\nregister('drawer')",
    }
    expect(await lines(files)).toEqual(['a.ts:1 unresolved'])
  })
})

it('counts a hook that returns all flags, because their names cannot be read', async () => {
  const text = 'const flags = useFlags()\nif (flags.x) {}\nexport function useFlags() {}'
  expect(await lines({ 'a.ts': text })).toEqual(['a.ts:1 unresolved'])
})

it('counts an evaluation of all flags, because their names cannot be read', async () => {
  const text = 'const { toggles } = await evaluateFlags(definitions, context)\n'
  expect(await lines({ 'a.ts': text })).toEqual(['a.ts:1 unresolved'])
})

describe('the flags of settings', () => {
  it('are found with --call', async () => {
    const files = { 'a.ts': 'uiConfig.flags.x' }
    expect(await lines(files, { calls: ['flags.*'] })).toEqual(['a.ts:1 call x'])
  })

  it.each([['a call of the SDK', { 'a.ts': 'useVariant(uiConfig.flags.x)' }]])(
    'count once as the argument of %s',
    async (_, files) => {
      expect(await lines(files, { calls: ['flags.*'] })).toEqual(['a.ts:1 call x'])
      expect((await referencesIn(files, { calls: ['flags.*'] })).lookups).toBe(1)
    },
  )
})

it('skips files with more calls of lookups than people write', async () => {
  const many = `isEnabled('x');${'isEnabled();'.repeat(20_000)}`
  const files = { 'a.ts': many, 'b.ts': "isEnabled('y')" }
  const { references, incomplete } = await referencesIn(files)
  expect(references.map(({ name }) => name)).toEqual(['y'])
  expect([...incomplete]).toEqual(['a.ts'])
})

describe('configured calls', () => {
  it.each<[string, string, string]>([
    ['isOn', 'a.ts', "isOn('x', 'y')"],
    ['isOn:2', 'a.ts', "isOn('y', 'x')"],
    ['isOn:flag', 'a.py', 'isOn("y", flag="x")'],
    ['isOn:flag', 'a.ts', "isOn({ flag: 'x' })"],
    ['on?', 'a.rb', 'Flags.on? :x'],
    ['IfOn', 'a.tsx', '<IfOn id="x" />'],
    ['IfOn:when', 'a.vue', '<template><IfOn id="y" when="x">text</IfOn></template>'],
    ['evaluate', 'a.ts', "const evaluate = useEvaluator()\nevaluate('x')"],
  ])('%s finds the name in %s: %s', async (call, file, text) => {
    const { references, unresolved } = await referencesIn({ [file]: text }, { calls: [call] })
    expect([references.map(({ name }) => name), unresolved]).toEqual([['x'], []])
  })

  it.each([
    ['flags.*', 'if (config?.flags?.x) flags.map(f)'],
    ['flags.*', 'const { x, ...rest } = flags'],
    ['useFlags.*', 'const { x: isNew = false } = useFlags()'],
  ])('%s finds the member in: %s', async (call, text) => {
    const { references, unresolved } = await referencesIn({ 'a.tsx': text }, { calls: [call] })
    expect([[...new Set(references.map(({ name }) => name))].slice(0, 1), unresolved]).toEqual([
      ['x'],
      [],
    ])
  })

  it('find members by constants, and count those that cannot be read', async () => {
    const text = "const NEW_UI = 'x'\nflags[NEW_UI]\nflags[name]\nflags[0]"
    expect(await lines({ 'a.ts': text }, { calls: ['flags.*'] })).toEqual([
      'a.ts:2 constant x',
      'a.ts:3 unresolved',
    ])
  })

  it('do not find the members of other objects', async () => {
    const text = 'other.x; flags.y(); const z = flags; flagsOf().x; <p>Old flags. They go</p>'
    expect(await lines({ 'a.ts': text }, { calls: ['flags.*'] })).toEqual([])
  })

  it.each(['', ':1', 'isOn:', 'isOn:0', 'is on', 'isOn:a:b', '.*', 'a)'])(
    'are refused if invalid: %j',
    (call) => {
      expect(() => parseCall(call)).toThrow(`--call: invalid function '${call}'`)
    },
  )
})

const types: Record<string, [Files, string[]]> = {
  'of a struct of Go': [
    {
      'a.go':
        'package a\nfunc (f *Flag) On(ctx context.Context) bool { return unleash.IsEnabled(f.Name) }\nvar NewUI = &Flag{Owner: "y", Name: "x"}',
      'b.go': 'package b\nfunc f() { if a.NewUI.On(ctx) {} }\nfunc NewUI() {}',
    },
    ['b.go:2 constant x'],
  ],
  'of an enum of Java, through a wrapper': [
    {
      'a.java':
        'enum Toggle { NEW_UI("x"); private final String key;\n  boolean isOn() { return Toggles.check(this.key); } }',
      'b.java':
        'class Toggles { static boolean check(String name) { return unleash.isEnabled(name); } }',
      'c.java': 'class C { boolean on = Toggle.NEW_UI.isOn(); }',
    },
    ['c.java:1 constant x'],
  ],
  'of a class of TypeScript': [
    {
      'a.ts':
        'export class FeatureFlag {\n  constructor(readonly name: string) {}\n  isOn() { return unleash.isEnabled(this.name) }\n}',
      'b.ts': "const newUi = new FeatureFlag('x')\nif (newUi.isOn()) show()",
    },
    ['b.ts:2 constant x'],
  ],
}

describe('types whose methods pass on a field', () => {
  it.each(Object.entries(types))('have flags: %s', async (_, [files, expected]) => {
    expect(await lines(files)).toEqual(expected)
  })

  it('have the flags that they are made with if they are not about flags', async () => {
    const files = {
      'a.ts':
        "class Page {\n  constructor(readonly name) {}\n  isOn() { return unleash.isEnabled(this.name) }\n}\nconst page = new Page('x')\npage.isOn()",
    }
    expect(await lines(files)).toEqual(['a.ts:5 call x'])
  })
})

describe('comments', () => {
  it.each([
    ['a.ts', "// flagadm-ignore-next-line\nisEnabled('x')\nisEnabled('y')"],
    ['a.ts', "/* flagadm-ignore-next-line: legacy */\nisEnabled(name)\nisEnabled('y')"],
    ['a.py', "is_enabled('x')  # flagadm-ignore\nis_enabled('y')"],
    [
      'a.vue',
      '<!-- flagadm-ignore-next-line -->\n<p v-if="isEnabled(\'x\')" />\n<p v-if="isEnabled(\'y\')" />',
    ],
  ])('suppress a lookup: %s %j', async (file, text) => {
    const { references, unresolved } = await referencesIn({ [file]: text })
    expect([references.map(({ name }) => name), unresolved]).toEqual([['y'], []])
  })

  it.each(['isOn', 'isEnabled'])(
    'settle the lookup in %s if they suppress its calls',
    async (own) => {
      const wrapper = `const ${own} = (name) => client.isEnabled(name)\n`
      const unsettled = await referencesIn({ 'a.ts': `${wrapper}${own}(a)` })
      expect(unsettled.unresolved).toMatchObject([{ line: 2 }])
      const settled = `${own}(a) // flagadm-ignore\n// flagadm-ignore-next-line\n${own}('x')`
      const { references, unresolved, lookups } = await referencesIn({
        'a.ts': wrapper + settled,
      })
      expect({ references, unresolved, lookups }).toEqual({
        references: [],
        unresolved: [],
        lookups: 0,
      })
    },
  )

  it('suppress nothing as text', async () => {
    const text = "log('flagadm-ignore-next-line')\nisEnabled('x')"
    expect(await lines({ 'a.ts': text })).toEqual(['a.ts:2 call x'])
  })
})

describe('custom patterns', () => {
  it.each<[string, string, string, string[]]>([
    ['a literal', 'a.ts', "route({ flag: 'x' })", ['a.ts:1 call x']],
    ['a comment', 'a.ts', "// flag: 'x'", []],
    ['a value of YAML', 'a.yaml', 'flag: x', ['a.yaml:1 call x']],
  ])('read %s with the group flag', async (_, file, text, expected) => {
    expect(await lines({ [file]: text }, { patterns: ["flag: [:']?(?<flag>x)"] })).toEqual(expected)
  })

  it('resolve the group constant', async () => {
    const files = {
      'a.ts':
        "export const Flags = { NewUi: 'x' }\nroute({ flag: Flags.NewUi })\nroute({ flag: Flags.Old })\nroute({ flag: null })",
    }
    const patterns = ['flag: (?<constant>[\\w.]+)']
    expect(await lines(files, { patterns })).toEqual(['a.ts:2 constant x', 'a.ts:3 unresolved'])
  })
})

it.each([
  ['a.tsx', 'const { limit } = useFlagLimits(project, 5)'],
  ['a.tsx', "useFlagMetrics('x', 'y')"],
  ['a.ts', 'isEnabled(undefined)'],
])('does not count what is not a lookup: %s %s', async (file, text) => {
  expect(await lines({ [file]: text })).toEqual([])
})

describe('a lookup does not get the name', () => {
  it.each<[string, Files, string[]]>([
    [
      'of a member of another object that is nearer',
      {
        'flags/flags.ts': "export const Flags = { search: 'new-search' }",
        'pages/labels.ts': "export const Labels = { search: 'find' }",
        'pages/page.ts':
          "import { Flags } from '../flags/flags'\nconst on = unleash.isEnabled(Flags.search)",
      },
      ['pages/page.ts:2 constant new-search'],
    ],
    [
      'of a property of any other object',
      {
        'a.ts': 'const on = () => unleash.isEnabled(Features.current().name)',
        'b.ts': "const person = { name: 'jane' }",
      },
      ['a.ts:1 unresolved'],
    ],
    [
      'of the object of a member that is called freeze',
      {
        'a.ts': 'const on = useFlag(Flags.freeze)',
        'b.ts': "export enum Flags { freeze = 'x' }",
        'c.ts': "const Flags = 'y'",
      },
      ['a.ts:1 constant x'],
    ],
    [
      'of an argument with another label',
      { 'a.py': 'client.get_string_value(default_value="off", flag_key=settings[key])' },
      ['a.py:1 unresolved'],
    ],
  ])('%s', async (_, files, expected) => {
    expect(await lines(files)).toEqual(expected)
  })
})

describe('methods with common names', () => {
  it.each<[string, Files, string[]]>([
    [
      'Go',
      {
        'a.go':
          'package f\nfunc (f *Gate) Has(ctx context.Context, name string) bool { return unleash.IsEnabled(name) }',
        'b.go': 'if s.toggles.Has(ctx, "x") {}\nother.Has(ctx, "y")',
        'c.go': 'func (s *Set) Has(ctx context.Context, k string) bool { return s.m[k] }',
      },
      ['b.go:1 call x'],
    ],
    [
      'Swift',
      {
        'a.swift':
          'final class FeatureFlags {\n func has(_ name: String) -> Bool { unleash.isEnabled(name: name) }\n}',
        'b.swift': 'if featureFlags.has("x") {}\nif set.has("y") {}',
      },
      ['b.swift:1 call x'],
    ],
    [
      'TypeScript',
      {
        'a.ts': 'export class Flags {\n get(name: string) { return unleash.isEnabled(name) }\n}',
        'b.ts': "flags.get('x'); map.get('y')\nthis.flags.get('z')",
      },
      ['b.ts:1 call x', 'b.ts:2 call z'],
    ],
    [
      'a function',
      {
        'a.ts': 'export const check = (name) => unleash.isEnabled(name)',
        'b.ts': "import { check } from './a'\ncheck('x'); regex.check('y')",
      },
      ['b.ts:2 call x'],
    ],
  ])('are lookups only on objects for flags: %s', async (_, files, expected) => {
    expect(await lines(files)).toEqual(expected)
  })
})

it.each<[string, Files, string]>([
  [
    'a constant of one of several modules',
    {
      'a/flags.py': 'NEW_UI = "x"',
      'b/other.py': 'NEW_UI = "y"',
      'c.py': 'from a import flags\nclient.is_enabled(flags.NEW_UI)',
    },
    'c.py:2 constant x',
  ],
  [
    'a constant that is imported from a module beside the file',
    {
      'a/flags.py': 'NEW_UI = "x"',
      'a/use.py': 'from .flags import NEW_UI\nclient.is_enabled(NEW_UI)',
      'b/flags.py': 'NEW_UI = "y"',
    },
    'a/use.py:2 constant x',
  ],
])('reads %s of Python', async (_, files, expected) => {
  expect(await lines(files)).toEqual([expected])
})

it('reads the name that an extension of an enum of Dart defines', async () => {
  const files = {
    'a.dart':
      "enum Flag { newUi }\nextension FlagName on Flag {\n String get name {\n return switch (this) { Flag.newUi => 'x' };\n }\n}",
    'b.dart': 'final on = client.isEnabled(Flag.newUi.name);',
    'c.dart': 'void f() { final newUi = "z"; }',
  }
  expect(await lines(files)).toEqual(['b.dart:1 constant x'])
})

describe('--call', () => {
  it('respects the object before the function', async () => {
    const text = "factory.create('x')\nother.create('y')\nthis.factory.create('z')\ncreate('w')"
    expect(await lines({ 'a.ts': text }, { calls: ['factory.create'] })).toEqual([
      'a.ts:1 call x',
      'a.ts:3 call z',
    ])
  })

  it('takes the parameter that the body of the function passes on', async () => {
    const text =
      "function isOn(user, name) { return unleash.isEnabled(name) }\nisOn('u', 'x'); isOn(me, 'y')"
    expect(await lines({ 'a.ts': text }, { calls: ['isOn'] })).toEqual([
      'a.ts:2 call x',
      'a.ts:2 call y',
    ])
  })
})

it.each([
  ['a.ex', 'FunWithFlags.enabled?(:x)'],
  ['a.rb', 'Flipper.enabled?(:x, user)'],
  ['a.ts', "import { PostHog } from 'posthog-node'\nthis.client.isFeatureEnabled('x', id)"],
  ['a.cs', 'var on = _config.GetBooleanValue("x", false);'],
])('leaves out another flag system: %s %s', async (file, text) => {
  const { references, otherSystems } = await referencesIn({ [file]: text })
  expect([references, otherSystems]).toEqual([[], [file]])
})

it.each([
  ['a.ts', "posthog.isFeatureEnabled('x')"],
  ['a.ts', "const hog = usePostHog()\nhog.isFeatureEnabled('x')"],
  ['a.py', "flagsmith.is_feature_enabled('x')"],
  ['a.cs', 'var names = new DiagnosticListener("shop");\nif (names.IsEnabled("x")) {}'],
  ['a.cs', 'if (_diagnosticSource.IsEnabled(Names.Before)) {}'],
])('leaves out an object of another system beside an SDK: %s %s', async (file, text) => {
  const imports: Record<string, string> = {
    'a.ts': "import { Unleash } from 'unleash-client'\nunleash.isEnabled('y')\n",
    'a.py': "from UnleashClient import UnleashClient\nclient.is_enabled('y')\n",
    'a.cs': 'using Unleash;\nunleash.IsEnabled("y");\n',
  }
  const { references, unresolved } = await referencesIn({ [file]: imports[file] + text })
  expect(unresolved).toEqual([])
  expect(references.map(({ name }) => name)).toEqual(['y'])
})
