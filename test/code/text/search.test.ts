import { describe, expect, it } from 'vitest'
import { searchFiles } from '../../../src/code/text/search.ts'
import type { Progress } from '../../../src/output/progress.ts'
import { temporaryFolder } from '../../support/flagadm.ts'
import { conditions, lines, search, utf16 } from './searching.ts'

/** A text in UTF-32. */
function utf32(text: string, isLittle: boolean): Buffer {
  const characters = Array.from(text, (one) => one.codePointAt(0) ?? 0)
  const bytes = Buffer.alloc(4 * characters.length)
  characters.forEach((value, index) => {
    if (isLittle) bytes.writeUInt32LE(value, 4 * index)
    else bytes.writeUInt32BE(value, 4 * index)
  })
  return bytes
}

const code = `var f = "dark-mode";`
const japanese = `// ${'新しい　デザインを　表示する。'.repeat(40)}\n${code}\n`
const name = 'dark-mode'

const layouts: readonly (readonly [file: string, content: string | Buffer])[] = [
  ['a.ts', `client.isEnabled<boolean>("dark-mode", context)`],
  ['a.tsx', `<Toggle flag="dark-mode">x</Toggle>`],
  ['a.cjs', `const FLAGS = { 'dark-mode': true }`],
  ['a.min.js', `${'x=1;'.repeat(300_000)}f("dark-mode");${'y=2;'.repeat(300_000)}`],
  ['a.js.map', `{"sourcesContent":["isEnabled(\\"dark-mode\\")"]}`],
  ['a.vue', `<p v-if="on('dark-mode')"></p>`],
  ['a.svelte', `{#if $flags['dark-mode']}x{/if}`],
  ['a.astro', `---\nconst on = flag("dark-mode")\n---`],
  ['a.html', `<div data-flag=dark-mode hidden></div>`],
  ['a.hbs', `{{#if (enabled "dark-mode")}}x{{/if}}`],
  ['a.erb', `<% if enabled?(:"dark-mode") %>`],
  ['a.blade.php', `@feature('dark-mode')`],
  ['a.cshtml', `@if (Model.On("dark-mode")) { }`],
  ['a.heex', `<div :if={enabled?("dark-mode")}>`],
  ['a.py', `client.is_enabled("dark-mode")`],
  ['a.log.js', `"x\\ndark-mode"`],
  ['a.url', `x=%22dark-mode%22`],
  ['a.json.py', `'"\\u0022dark-mode\\u0022"'`],
  ['a.ipynb', `{"source":["is_enabled(\\"dark-mode\\")\\n"]}`],
  ['a.rb', `%w[dark-mode other].each { |f| on?(f) }`],
  ['b.rb', `on? :'dark-mode'`],
  ['a.go', 'unleash.IsEnabled(`dark-mode`)'],
  ['A.java', `@Toggle(name = "dark-mode")`],
  ['A.kt', `val FLAG = """dark-mode"""`],
  ['A.groovy', `isEnabled 'dark-mode'`],
  ['A.cs', `var x = @"dark-mode";`],
  ['a.swift', `if flags.contains("dark-mode") { }`],
  ['a.rs', `client.is_enabled(r#"dark-mode"#)`],
  ['a.ex', `~w(dark-mode other)a`],
  ['a.lua', `on[[dark-mode]]`],
  ['a.php', `<?php $f = <<<X\ndark-mode\nX;`],
  ['a.c', `#define FLAG "dark-mode"`],
  ['a.sql', `WHERE flag='dark-mode';`],
  ['a.sh', `flag=dark-mode; test "$flag"`],
  ['Dockerfile', `ENV FLAG=dark-mode`],
  ['Makefile', `FLAGS := dark-mode other`],
  ['.env', `FLAGS=other,dark-mode,third`],
  ['a.properties', `flags.dark-mode.on = true`],
  ['a.yaml', `flag: dark-mode`],
  ['b.yaml', `flags:\n  - dark-mode\n  - other`],
  ['d.yml', `flags: |\n  dark-mode\n  other\n`],
  ['a.toml', `flags = ["dark-mode"]`],
  ['a.ini', `dark-mode=1`],
  ['a.json', `{"flags":["dark-mode"]}`],
  ['a.xml', `<flag>dark-mode</flag>`],
  ['a.tf', `flag = "dark-mode"`],
  ['a.csv', `flag,on\r\ndark-mode,1\r\n`],
  ['a.txt', `dark-mode`],
  ['a.md', 'The flag `dark-mode` is on.'],
  ['a.css', `.flag-x[data-flag="dark-mode"] {}`],
  ['noextension', `“dark-mode”`],
  ['quotes.txt', `日本dark-mode語`],
  ['markup.txt', `**dark-mode**, (dark-mode). <dark-mode>`],
  ['url.txt', `https://x.test/flags/dark-mode?on=1#dark-mode`],
  ['path.txt', `C:\\flags\\dark-mode`],
  ['latin1.php', Buffer.from(`// \xfcber\n$f = 'dark-mode';`, 'latin1')],
  ['utf16le.cs', utf16(code)],
  ['utf16be.cs', utf16(code).swap16()],
  ['utf16le-japanese.cs', utf16(japanese.repeat(9))],
  ['utf16be-japanese.cs', utf16(japanese.repeat(9)).swap16()],
  ['utf16le-large.cs', utf16(`${japanese}${'// x\n'.repeat(300_000)}${code}`)],
  ['utf8-marked.cs', `\ufeff${code}`],
  ['lists.txt', 'ab\0dark-mode\0c\0'],
  ['nul.bin', `\0\0\0dark-mode\0\0`],
  ['start.bin', `dark-mode`],
  ['crlf.txt', `a\r\ndark-mode\r\n`],
  ['cr.txt', `a\rdark-mode\rb`],
  ['tabs.txt', `a\tdark-mode\tb`],
  ['long-line.txt', `${' '.repeat(2_000_000)}dark-mode${' '.repeat(2_000_000)}`],
  ['dashes.txt', `${'-'.repeat(3_000_000)} dark-mode`],
  ['large.txt', `${'line\n'.repeat(700_000)}dark-mode`],
]

describe('a name in any layout', () => {
  it.each(layouts)('is found in %s', async (file, content) => {
    const cwd = await temporaryFolder({ [file]: content })
    const { names } = await search(cwd, [name], '.')
    expect(names.get(name)?.places[0]).toMatchObject({
      file,
      text: expect.stringContaining('dark-mode'),
    })
  })

  const escaped = String.raw`dark\x2dmode dark\u002dmode dark\u{2d}mode dark\U0000002dmode dark\x{2D}mode dark\55mode dark\055mode \144ark-mode d\x61rk-mode dark-mod\x65 \x64\x61\x72\x6b\x2d\x6d\x6f\x64\x65 dark\\u002dmode dark\-mode dark%2Dmode dark%2dmode dark%252Dmode %64ark-mode dark&#45;mode dark&#x2d;mode dark&#x002D;mode dark&#45mode dark&amp;#45;mode \101:dark-mode \42dark-mode \x22dark-mode \u{22}dark-mode \ndark-mode \\ndark-mode %20dark-mode &#32;dark-mode \0dark-mode \x2e\x2fdark-mode`
  it.each(escaped.split(' '))('is found in %s', async (text) => {
    const cwd = await temporaryFolder({ 'a.txt': `https://x.test/${text}` })
    const { names } = await search(cwd, [name], '.')
    expect(names.get(name)?.places).toHaveLength(1)
  })

  it('is found after an escape if it begins with a full stop', async () => {
    const cwd = await temporaryFolder({ 'a.ts': String.raw`"\n.dark-mode"` })
    expect(await lines(cwd, ['.dark-mode'], '.')).toEqual(['a.ts:1:4 .dark-mode'])
  })

  it('is found at the place of its first escape, also several times', async () => {
    const text = String.raw`on("dark\x2dmode") + on("\x64ark-mode", "dark-mode\n\tdark\u002dmode")`
    const cwd = await temporaryFolder({ 'a.ts': text })
    expect(await lines(cwd, [name], '.')).toEqual([
      'a.ts:1:5 dark-mode',
      'a.ts:1:26 dark-mode',
      'a.ts:1:42 dark-mode',
      'a.ts:1:55 dark-mode',
    ])
  })

  const others = 'dark-mode-2 my-dark-mode dark-mode_ xdark-mode dark-mode1 Dark-Mode darkmode'
  const longer = String.raw`x\x64ark-mode \x2ddark-mode dark\x20mode`
  it.each([...others.split(' '), ...longer.split(' '), 'dark-\nmode'])(
    'is not part of %j',
    async (text) => {
      const cwd = await temporaryFolder({ 'a.txt': `"${text}"` })
      expect(await lines(cwd, [name], '.')).toEqual([])
    },
  )
})

it('finds names of all legal characters, also in other names', async () => {
  const words = "a a-b a.b .dot end. it's-on (x) !! z!*~ ~".split(' ')
  const names = [...words, 'x'.repeat(100)]
  const text = names.map((one) => `[${one}]`).join('\n')
  const cwd = await temporaryFolder({ 'a.txt': text })
  const { names: found } = await search(cwd, names, '.')
  expect(
    Object.fromEntries(Array.from(found, ([key, { places }]) => [key, places.length])),
  ).toEqual({
    ...Object.fromEntries(names.map((one) => [one, 1])),
    // In a.b.
    a: 2,
    // In z!*~.
    '~': 2,
    // In (x), too.
  })
})

it('counts lines, and columns in UTF-16 units', async () => {
  const cwd = await temporaryFolder({ 'a.txt': 'é😀 dark-mode\r\n\n  dark-mode dark-mode\n' })
  expect(await lines(cwd, [name], '.')).toEqual([
    'a.txt:1:5 dark-mode',
    'a.txt:3:3 dark-mode',
    'a.txt:3:13 dark-mode',
  ])
})

it('counts columns in UTF-16 units in any encoding', async () => {
  const text = '\n//é😀 dark-mode\n'
  const cwd = await temporaryFolder({
    'a.ts': utf16(text),
    'b.ts': utf16(text).swap16(),
  })
  const places = ['a.ts', 'b.ts'].map((file) => `${file}:2:7 dark-mode`)
  expect(await lines(cwd, [name], '.')).toEqual(places)
})

it('does not take a part of a longer word for a name, in any script', async () => {
  const cwd = await temporaryFolder({
    'a.cs': 'var resultÅr = ånytt-result;\nvar éresult = данныеresult;\nvar result = 1;',
    'b.txt': '結果resultです',
  })
  expect(await lines(cwd, ['result'], '.')).toEqual(['a.cs:3:5 result', 'b.txt:1:3 result'])
})

it('does not miss pictures that could not be read', async () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\n'
  const files = { 'a.png': pointer, 'fonts/a.woff2': pointer, 'a.json': pointer }
  const { unread } = await search(await temporaryFolder(files), [name], '.')
  expect(unread.map(({ file }) => file)).toEqual(['a.json'])
})

it('reports files in UTF-32, and in UTF-16 without a mark, as not read', async () => {
  const unmarked = utf16(japanese).subarray(2)
  const files = {
    'be.cs': utf32(`\ufeff${code}`, false),
    'be-unmarked.cs': utf32(code, false),
    'be16.cs': utf16(code).swap16().subarray(2),
    'be16-japanese.cs': Buffer.from(unmarked).swap16(),
    'le.cs': utf32(`\ufeff${code}`, true),
    'le-unmarked.cs': utf32(code, true),
    'le16.cs': utf16(code).subarray(2),
    'le16-japanese.cs': unmarked,
  }
  const { unread } = await search(await temporaryFolder(files), [name], '.')
  const reason = 'in UTF-32 or unmarked UTF-16'
  expect(unread).toEqual(
    Object.keys(files)
      .sort()
      .map((file) => ({ file, reason })),
  )
})

it('shows the line of text, or the part of a long one with the name', async () => {
  const cwd = await temporaryFolder({
    'a.txt': '\tif (on("dark-mode")) {\n',
    'b.txt': `${'é'.repeat(200)} dark-mode ${'é'.repeat(200)}`,
  })
  const { names } = await search(cwd, [name], '.')
  const texts = names.get(name)?.places.map(({ text }) => text)
  expect(texts).toEqual([
    'if (on("dark-mode")) {',
    `${'é'.repeat(19)} dark-mode ${'é'.repeat(35)}…`,
  ])
})

describe('composed names', () => {
  it.each([
    ['a.ts', '`${app}.orders.enabled`'],
    ['a.ts', "'checkout-' + region"],
    ['a.java', 'String.format("%s.%s.enabled", app, feature)'],
    ['a.py', 'f"{app}.orders.enabled"'],
    ['a.py', "'%(app)s.orders.enabled'"],
    ['a.rb', '"#{app}.orders.enabled"'],
    ['a.kt', '"$app.orders.enabled"'],
    ['a.swift', '"\\(app).orders.enabled"'],
    ['a.cs', '$"{app}.orders.enabled"'],
    ['a.sh', 'FLAG=${APP}.orders.enabled'],
    ['a.sh', 'flag checkout.$AREA.enabled'],
    ['a.ts', "app + '.orders.' + state"],
    ['a.yaml', 'flag: {{ .Values.app }}.orders.enabled'],
    ['a.yml.erb', 'flag: <%= app %>.orders.enabled\n'],
    ['a.js', "'checkout.orders\\x2e' + state"],
    ['a.php', "'checkout.orders\\056' . $state"],
    ['a.ts', "'checkout' + '.' + area"],
    ['a.ts', "area + '.' + 'enabled'"],
    ['a.java', 'app + SEPARATOR + "orders" + SEPARATOR + state'],
    ['a.php', "$app . '.' . 'enabled'"],
    ['a.lua', "'checkout' .. separator .. state"],
    ['a.ex', '"checkout" <> rest'],
  ])('are unclear in %s: %s', async (file, text) => {
    const cwd = await temporaryFolder({ [file]: `x\n  ${text}` })
    const names = text.includes('checkout-') ? ['checkout-eu'] : ['checkout.orders.enabled']
    const found = await search(cwd, [...names, 'other-flag'], '.')
    const [first, other] = [...found.names.values()]
    expect(first).toMatchObject({ places: [], composed: { file, line: 2 } })
    expect(other).toMatchObject({ places: [], composed: undefined })
    expect(found.unread).toEqual([])
  })

  it.each([
    ['a.ts', '`${a}-${b}`'],
    ['a.ts', "'-' + region"],
    ['a.ts', '`${app} checkout.orders.enabled-x`'],
    ['a.ts', "it's checkout. Enabled"],
    ['a.ts', "'check' + region"],
    ['a.ts', "'checkout'.length"],
    ['a.ts', "f('checkout', 'enabled')"],
    ['a.md', '`${app}.orders.enabled`'],
  ])('are not assumed in %s: %s', async (file, text) => {
    const cwd = await temporaryFolder({ [file]: text })
    const { names } = await search(cwd, ['checkout.orders.enabled'], '.')
    expect(names.get('checkout.orders.enabled')).toMatchObject({ places: [], composed: undefined })
  })
})

it('counts the files that ! leaves out', async () => {
  const cwd = await temporaryFolder({ 'a.ts': name, 'b/c.ts': name, 'b/d.ts': name })
  expect(await search(cwd, [name], '.', '!b')).toMatchObject({ excluded: 2, files: 1 })
})

it('ends when it is interrupted', async () => {
  const cwd = await temporaryFolder({ 'a.ts': name })
  const aborted = searchFiles([name], ['.'], {
    ...conditions,
    cwd,
    signal: AbortSignal.abort(),
  })
  await expect(aborted).rejects.toMatchObject({ kind: 'interrupted' })
})

it('reports each file that is searched: for names, for lookups and, without any, for other spellings', async () => {
  const cwd = await temporaryFolder({ 'a.ts': 'x', 'b.ts': 'y', 'c.ts': 'z' })
  const reported: string[] = []
  const counting: Progress = {
    ...conditions.progress,
    async track({ verb, noun, total }, loop) {
      let done = 0
      const result = await loop(() => done++)
      reported.push(`${verb} ${done} of ${total} ${noun}s`)
      return result
    },
  }
  await searchFiles([name], ['.'], { ...conditions, cwd, progress: counting })
  expect(reported).toEqual(Array(3).fill('Searching 3 of 3 files'))
})
