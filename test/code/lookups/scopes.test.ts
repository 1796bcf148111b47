import { describe, expect, it } from 'vitest'
import { referencesIn } from '../../support/scan.ts'

type Files = Record<string, string>

/** A line for each reference, and for each lookup that could not be read. */
async function lines(files: Files, calls: string[] = []): Promise<string[]> {
  const { references, unresolved } = await referencesIn(files, { calls })
  return [
    ...references.map(({ file, line, name }) => `${file}:${line} ${name}`),
    ...unresolved.map(({ file, line, candidates }) => {
      return [`${file}:${line} unresolved`, ...candidates].join(' ')
    }),
  ]
}

const wrapper = (name: string) => `export const ${name} = (flag) => unleash.isEnabled(flag)`

it('reads functions and constants of other projects of the repository', async () => {
  const files = {
    'packages/flags/package.json': '{ "name": "@acme/feature-flags" }',
    'packages/flags/src/on.ts': wrapper('isOn'),
    'packages/flags/src/names.ts': "export const Flags = { NewUi: 'x' }",
    'app/package.json': '{ "name": "app" }',
    'app/a.ts': "import { isOn, Flags } from '@acme/feature-flags'\nisOn(Flags.NewUi); isOn('y')",
  }
  expect(await lines(files)).toEqual(['app/a.ts:2 x', 'app/a.ts:2 y'])
})

describe('a constant', () => {
  it('is the one of the nearest folder, of two with the same name', async () => {
    const flags = (name: string) => `export enum Flags { Debug = '${name}' }`
    const use = "import { Flags } from './flags'\nuseFlag(Flags.Debug)"
    const files = {
      'apps/a/src/flags.ts': flags('a-debug'),
      'apps/a/src/use.ts': use,
      'apps/b/src/flags.ts': flags('b-debug'),
      'apps/b/src/use.ts': use,
    }
    expect(await lines(files)).toEqual([
      'apps/a/src/use.ts:2 a-debug',
      'apps/b/src/use.ts:2 b-debug',
    ])
  })

  it('is not read if there are two with the same name at the same distance', async () => {
    const files = {
      'a/flags.rb': "module Flags\n  NEW_UI = 'a-ui'\nend",
      'a/models/use.rb': 'UNLEASH.enabled?(Flags::NEW_UI)',
      'b/flags.rb': "module Flags\n  NEW_UI = 'b-ui'\nend",
      'use.rb': 'UNLEASH.enabled?(Flags::NEW_UI)',
    }
    expect(await lines(files)).toEqual(['a/models/use.rb:1 a-ui', 'use.rb:1 unresolved a-ui b-ui'])
  })

  it('is found through a module that exports it again', async () => {
    const files = {
      'src/flags/names.ts': "export const NEW_UI = 'x'",
      'src/flags/index.ts': "export * from './names'",
      'src/pages/use.ts': "import { NEW_UI } from '../flags'\nuseFlag(NEW_UI)",
      'other/names.ts': "export const NEW_UI = 'y'",
    }
    expect(await lines(files)).toEqual(['src/pages/use.ts:2 x'])
  })

  it('has no value that only tests give it', async () => {
    const files = {
      'flags.go': 'package f\nfunc on() bool { return unleash.IsEnabled(flagName) }',
      'flags_test.go': 'package f\nfunc TestOn() { flagName = "test-flag" }',
    }
    expect(await lines(files)).toEqual(['flags.go:2 unresolved'])
  })

  it.each<[string, string, string]>([
    [
      'a.ts',
      "class A {\n  prefix = 'shop'\n  on() { return isEnabled(`${this.prefix}.x`) }\n}",
      'a.ts:3',
    ],
    [
      'a.py',
      'class A:\n    PREFIX = "shop"\n    def on(self):\n        return client.is_enabled(f"{self.PREFIX}.x")',
      'a.py:4',
    ],
    [
      'a.kt',
      'class A {\n  val prefix = "shop"\n  fun on() = unleash.isEnabled("$prefix.x")\n}',
      'a.kt:3',
    ],
  ])('of a class is read in a text: %s', async (file, text, place) => {
    expect(await lines({ [file]: text })).toEqual([`${place} shop.x`])
  })
})

describe('an import with another name', () => {
  it.each<[string, Files]>([
    [
      'a function of an SDK',
      { 'b.tsx': "import { useFlag as f } from '@unleash/proxy-client-react'\nconst on = f('x')" },
    ],
    [
      'a function of an SDK in a wrapper',
      {
        'a.ts': "import { useFlag as f } from '@unleash/react'\nexport const useOn = (n) => f(n)",
        'b.tsx': "import { useOn } from './a'\nuseOn('x')",
      },
    ],
    [
      'a wrapper',
      { 'a.ts': wrapper('isOn'), 'b.tsx': "import { isOn as on } from './a'\non('x')" },
    ],
    [
      'a constant',
      {
        'a.ts': "export const NEW_UI = 'x'",
        'b.tsx': "import { NEW_UI as flag } from './a'\nuseFlag(flag)",
      },
    ],
    [
      'a required function',
      { 'b.tsx': "const { isEnabled: on } = require('unleash-client')\non('x')" },
    ],
  ])('is read: %s', async (_, files) => {
    expect(await lines(files)).toEqual(['b.tsx:2 x'])
  })
})

describe('functions of the project with the names of those of SDKs', () => {
  const files = {
    'package.json': '{ "name": "a" }',
    'hooks.ts': 'export function useFlag(name) { return settings[name] }',
    'use.ts': "import { useFlag } from './hooks'\nuseFlag('x')",
    'tag.tsx': 'export const FeatureFlag = ({ id, children }) => children',
    'page.tsx': 'const page = <FeatureFlag id="y">text</FeatureFlag>',
  }

  it('are not lookups', async () => {
    const { references, unresolved, otherSystems } = await referencesIn(files)
    expect([references, unresolved, otherSystems]).toEqual([[], [], ['page.tsx', 'use.ts']])
  })

  it('are lookups with --call', async () => {
    expect(await lines(files, ['useFlag'])).toEqual(['use.ts:2 x'])
  })

  it.each([
    ['an import', 'sdk.ts', "import { start } from 'unleash-client'"],
    ['an import of Go', 'sdk.go', 'import (\n\t"github.com/Unleash/unleash-client-go/v4"\n)'],
    ['a dependency', 'pom.xml', '<artifactId>unleash-client-java</artifactId>'],
    ['a dependency of Python', 'requirements.txt', 'openfeature-sdk==0.8'],
  ])('are lookups in a repository with an SDK: %s', async (_, file, text) => {
    expect(await lines({ ...files, [file]: text })).toEqual(['page.tsx:1 y', 'use.ts:2 x'])
  })

  it.each([
    ['a comment', 'a.ts', '// Not unleash-client: these are our own.'],
    ['another word', 'a.ts', "import { dogs } from './unleashed'"],
    ['another name', 'a.ts', "import { openFeatureModal } from './openFeatureModal'"],
  ])('are not lookups because of %s', async (_, file, text) => {
    expect(await lines({ ...files, [file]: text })).toEqual([])
  })
})

describe('methods of the project with the names of those of SDKs', () => {
  it.each<[string, Files]>([
    [
      'C#',
      {
        'Features.cs':
          'class Features : IFeatures {\n  public bool IsEnabled(string key) => _local[key];\n}',
        'Use.cs': 'class Use { bool On() => _features.IsEnabled("own"); }',
      },
    ],
    [
      'Kotlin',
      {
        'Features.kt': 'class Features { fun isEnabled(key: String) = local[key] == true }',
        'Use.kt': 'class Use(val features: Features) { fun on() = features.isEnabled("own") }',
      },
    ],
    [
      'PHP',
      {
        'Plan.php':
          '<?php class Plan { public function isEnabled(string $key) { return $this->keys[$key]; } }',
        'use.php': "<?php $plan->isEnabled('is_billed');",
      },
    ],
    [
      'a library for JSON that the project does not define',
      {
        'Use.java':
          'class Use { int a() { return json.getIntValue("count") + row.getStringValue(column); } }',
      },
    ],
    [
      'the diagnostics of .NET',
      {
        'Names.cs': 'static class Names { public const string Before = "Shop.WriteBefore"; }',
        'Use.cs':
          'class Use {\n  static readonly DiagnosticListener s_listener = new("shop");\n  bool On() => s_listener.IsEnabled(Names.Before) && s_listener.IsEnabled("Shop.WriteAfter");\n}',
      },
    ],
    [
      'Ruby',
      {
        'flag.rb':
          'class FeatureFlag\n  def self.enabled?(key)\n    FLAGS.include?(key)\n  end\nend',
        'use.rb': 'show if FeatureFlag.enabled?(:own)',
      },
    ],
  ])('are not lookups where no SDK is used: %s', async (_, files) => {
    expect(await lines(files)).toEqual([])
  })

  it('are lookups if they pass on the name', async () => {
    const files = {
      'Flags.cs':
        'class Flags {\n  public bool IsEnabled(string key) => _client.IsEnabled(key);\n}',
      'Use.cs': 'class Use { bool On() => _flags.IsEnabled("x"); }',
    }
    expect(await lines(files)).toEqual(['Use.cs:1 x'])
  })
})

describe('a function that passes on the name', () => {
  it('is not read if no call of it gives a name', async () => {
    expect(await lines({ 'a.ts': wrapper('isOn') })).toEqual(['a.ts:1 unresolved'])
  })

  it('is a method of an object that is called like a function', async () => {
    const files = {
      'a.swift':
        'final class FlagStatus {\n  func callAsFunction(for flag: String) -> Bool { client.isEnabled(flag) }\n}',
      'b.swift': 'let on = flagStatus(for: "x")',
      'c.kt':
        'class IsOn(val client: Unleash) { operator fun invoke(f: String) = client.isEnabled(f) }',
      'd.kt': 'class D(val isOn: IsOn) { val on = isOn("z") }',
    }
    expect(await lines(files)).toEqual(['b.swift:1 x', 'd.kt:1 z'])
  })
})

describe('a class that passes on a field', () => {
  it.each<[string, Files]>([
    [
      'Kotlin',
      {
        'a.kt': 'class Gate(val k: String) { fun on() = unleash.isEnabled(k) }',
        'b.kt': 'val gate = Gate("x")\nval on = gate.on()',
      },
    ],
    [
      'Kotlin, twice',
      {
        'a.kt':
          'class Gate(val k: String) {\n  fun on() = unleash.isEnabled(k)\n  fun variant() = unleash.getVariant(k)\n}',
        'b.kt': 'val gate = Gate("x")\nval on = gate.on()',
      },
    ],
    [
      'TypeScript',
      {
        'a.ts':
          'export class Gate {\n  constructor(readonly name: string) {}\n  on() { return unleash.isEnabled(this.name) }\n}',
        'b.ts': "const gate = new Gate('x')",
      },
    ],
    [
      'Java, twice',
      {
        'Gate.java':
          'class Gate {\n  private final String key;\n  Gate(String key) { this.key = key; }\n  boolean on() { return unleash.isEnabled(key); }\n  boolean off() { return !unleash.isEnabled(key); }\n}',
        'Page.java': 'class Page { Gate gate = new Gate("x"); }',
      },
    ],
    [
      'C#',
      {
        'a.cs':
          'class RequireAttribute : Attribute {\n  string _key;\n  RequireAttribute(string key) { _key = key; }\n  void Run(IUnleash client) { if (client.IsEnabled(_key)) { Stop(); } }\n}',
        'b.cs': '[Require("x")]\nclass B {}',
      },
    ],
  ])('has the name that it is made with: %s', async (_, files) => {
    const [, file = ''] = Object.keys(files)
    expect(await lines(files)).toEqual([`${file}:1 x`])
  })
})

describe('texts that a table has for the members of an enumeration', () => {
  it.each<[string, Files, string[]]>([
    [
      'Swift, in a function',
      {
        'a.swift':
          'func name(of flag: Flag) -> String {\n  switch flag {\n  case .newUi:\n    return "x"\n  case .oldUi: return "y"\n  }\n}\nfunc isOn(flag: Flag) -> Bool {\n  let text = name(of: flag)\n  return client.isEnabled(name: text)\n}',
      },
      ['a.swift:10 x', 'a.swift:10 y'],
    ],
    [
      'Swift, of a member',
      {
        'a.swift':
          'enum Flag {\n  case newUi\n  case oldUi\n  var key: String {\n    switch self {\n    case .newUi: "x"\n    case .oldUi: "y"\n    }\n  }\n}\nlet on = client.isEnabled(name: Flag.newUi.key)',
      },
      ['a.swift:11 x'],
    ],
    [
      'Kotlin',
      {
        'a.kt':
          'val Flag.key: String\n  get() = when (this) {\n    Flag.NEW_UI -> "x"\n    Flag.OLD_UI -> "y"\n  }\nfun title(f: Flag) = when (f) {\n  Flag.NEW_UI -> "New"\n  Flag.OLD_UI -> "Old"\n}',
        'b.kt': 'val on = unleash.isEnabled(Flag.NEW_UI.key)',
      },
      ['b.kt:1 x'],
    ],
    [
      'TypeScript',
      {
        'a.ts':
          "function nameOf(flag) {\n  switch (flag) {\n    case Flag.NewUi:\n      return 'x'\n    default:\n      return 'y'\n  }\n}\nisEnabled(nameOf(flag))",
      },
      ['a.ts:9 x', 'a.ts:9 y'],
    ],
  ])('are read: %s', async (_, files, expected) => {
    expect(await lines(files)).toEqual(expected)
  })

  it('are not read if one of them is computed', async () => {
    const text =
      "function nameOf(flag) {\n  switch (flag) {\n    case Flag.NewUi:\n      return 'x'\n    default:\n      return flag.name\n  }\n}\nisEnabled(nameOf(flag))"
    expect(await lines({ 'a.ts': text })).toEqual(['a.ts:9 unresolved x'])
  })
})

it.each([
  ['a.kt', 'every { unleash.isEnabled(any()) } returns true'],
  ['a.kt', 'every { unleash.isEnabled(any<Toggle>(), any<Boolean>()) } returns true'],
  ['a.java', 'when(unleash.isEnabled(ArgumentMatchers.anyString())).thenReturn(true)'],
  ['a.cs', 'mock.Setup(m => m.IsEnabled(It.IsAny<string>())).Returns(true);'],
  ['a.cs', 'features.IsEnabled(Arg.Any<string>()).Returns(true);'],
  ['a.go', 'm.On("IsEnabled").Return(client.IsEnabled(mock.Anything))'],
  ['a.ts', 'expect(isEnabled).toHaveBeenCalledWith(unleash.isEnabled(expect.anything()))'],
  ['a.java', 'strategy.isEnabled(Map.of("users", "a"), context)'],
  ['a.kt', 'strategy.isEnabled(mutableMapOf("users" to "a"), context)'],
  ['a.ts', 'return strategy.isEnabled(parameters, context)'],
  ['a.ts', 'const off = isDisabled(user)'],
])('does not count what cannot have the name of a flag: %s %s', async (file, text) => {
  expect(await lines({ [file]: text })).toEqual([])
})

it('finds the flags of the facade of Laravel', async () => {
  const text =
    "<?php\nif (Feature::enabled('x') && !\\Feature::disabled('y')) {}\nOther::enabled('z');"
  expect(await lines({ 'a.php': text })).toEqual(['a.php:2 x', 'a.php:2 y'])
})
