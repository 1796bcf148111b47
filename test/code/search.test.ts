import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { searchFiles } from '../../src/code/search.ts'
import type { Progress } from '../../src/output/progress.ts'
import { temporaryFolder } from '../support/flagadm.ts'
import { noProgress as progress } from '../support/progress.ts'
import { git } from '../support/git.ts'

const { signal } = new AbortController()
const env = { PATH: process.env.PATH }

type Files = Record<string, string | Buffer>

/** A repository with a commit of some files. */
async function repository(files: Files): Promise<string> {
  const root = await temporaryFolder(files)
  git(root, 'init', '--quiet')
  git(root, 'add', '--all', '--force')
  git(root, 'commit', '--quiet', '--allow-empty', '--message', 'm')
  return root
}

function search(cwd: string, names: readonly string[], ...globs: string[]) {
  return searchFiles(names, globs, { cwd, env, signal, progress })
}

/** A line for each place of a name, and for each file that could not be read. */
async function lines(cwd: string, names: readonly string[], ...globs: string[]): Promise<string[]> {
  const { names: found, unread, unmatched } = await search(cwd, names, ...globs)
  return [
    ...[...found].flatMap(([name, { places }]) =>
      places.map(({ file, line, column }) => `${file}:${line}:${column} ${name}`),
    ),
    ...unread.map(({ file, reason }) => `unread ${file}: ${reason}`),
    ...unmatched.map((glob) => `unmatched ${glob}`),
  ]
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

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
  ['utf16le-unmarked.cs', utf16(code).subarray(2)],
  ['utf16be-unmarked.cs', utf16(code).swap16().subarray(2)],
  ['utf16le-japanese.cs', utf16(japanese.repeat(9)).subarray(2)],
  ['utf16be-japanese.cs', utf16(japanese.repeat(9)).swap16().subarray(2)],
  ['utf16le-large.cs', utf16(`${japanese}${'// x\n'.repeat(300_000)}${code}`).subarray(2)],
  ['utf32le.cs', utf32(`\ufeff${code}`, true)],
  ['utf32be.cs', utf32(`\ufeff${code}`, false)],
  ['utf32le-unmarked.cs', utf32(code, true)],
  ['utf32be-unmarked.cs', utf32(code, false)],
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
    'b.ts': utf16(text).subarray(2),
    'c.ts': utf32(text, true),
    'd.ts': utf32(text, false),
  })
  const places = ['a.ts', 'b.ts', 'c.ts', 'd.ts'].map((file) => `${file}:2:7 dark-mode`)
  expect(await lines(cwd, [name], '.')).toEqual(places)
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

it('finds names at any place of a large file', async () => {
  const piece = 1024 * 1024
  const dotted = 'flag.on'
  for (const form of [dotted, 'flag\\x2eon']) {
    const adjacent = `${form}\n`
    const gap = 'ab c\n'.repeat((piece - 2800) / 5)
    const all = `${adjacent.repeat(200)}${gap}${adjacent.repeat(200)}${gap.slice(0, 5000)}`
    for (let shift = 0; shift < adjacent.length; shift++) {
      const text = '\n'.repeat(shift) + all
      const cwd = await temporaryFolder({ 'a.txt': text, 'b.txt': utf16(text) })
      const { names } = await search(cwd, [dotted], '.')
      const expected = text.split('\n').flatMap((line, index) => (line === form ? [index + 1] : []))
      const found = names.get(dotted)?.places ?? []
      expect(found.map((one) => one.line)).toEqual([...expected, ...expected])
      expect(new Set(found.map((one) => one.column))).toEqual(new Set([1]))
    }
  }
})

it.each(['\\x61', '%61', '%25', '&#97;', '&amp;', '\\n', '\\', '\\u', 'a\\-', 'a%61', '\\141{;'])(
  'reads much text of %j in linear time',
  async (part) => {
    const cwd = await temporaryFolder({ 'a.txt': part.repeat(1_000_000 / part.length) })
    const before = process.cpuUsage()
    await search(cwd, [name, 'a'], '.')
    // Microseconds of this process, which other work of the machine does not change.
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000)
  },
)

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

describe('the files that git shows', () => {
  it('are tracked ones, ignored or not, and others that are not ignored', async () => {
    const root = await repository({
      'tracked.ts': name,
      'build/tracked.ts': name,
      'node_modules/m/a.js': name,
      '.gitignore': 'build/\nignored.ts\n',
    })
    writeFileSync(join(root, 'new.ts'), name)
    writeFileSync(join(root, 'ignored.ts'), name)
    expect(await lines(root, [name], '.')).toEqual([
      'build/tracked.ts:1:1 dark-mode',
      'new.ts:1:1 dark-mode',
      'node_modules/m/a.js:1:1 dark-mode',
      'tracked.ts:1:1 dark-mode',
    ])
    expect(await lines(root, [name], 'ignored.ts')).toEqual(['ignored.ts:1:1 dark-mode'])
    expect(await lines(root, [name], 'build/*.js')).toEqual(['unmatched build/*.js'])
    expect(await lines(join(root, 'build'), [name], '../*.ts', '.')).toEqual([
      '../new.ts:1:1 dark-mode',
      '../tracked.ts:1:1 dark-mode',
      'tracked.ts:1:1 dark-mode',
    ])
  })

  it('do not include deleted files, and those that a link has replaced are unread', async () => {
    const root = await repository({ 'a.ts': name, 'b.ts': name, 'c.ts': name })
    rmSync(join(root, 'a.ts'))
    rmSync(join(root, 'b.ts'))
    symlinkSync('c.ts', join(root, 'b.ts'))
    expect(await lines(root, [name], '.')).toEqual(['c.ts:1:1 dark-mode', 'unread b.ts: a link'])
  })

  it('include those of submodules, and not those of other repositories in it', async () => {
    const library = await repository({ 'lib.ts': name })
    const root = await repository({ 'a.ts': '' })
    git(root, 'submodule', '--quiet', 'add', library, 'lib')
    git(root, 'clone', '--quiet', library, 'other')
    git(root, 'worktree', 'add', '--quiet', '--detach', '.claude/worktrees/b')
    expect(await lines(root, [name], '.')).toEqual(['lib/lib.ts:1:1 dark-mode'])
    expect((await search(root, [name], '.')).otherRepositories).toEqual([
      '.claude/worktrees/b',
      'other',
    ])
    expect((await search(root, [name], '.', '!.claude')).otherRepositories).toEqual(['other'])
    expect(await lines(join(root, 'lib'), [name], '.')).toEqual(['lib.ts:1:1 dark-mode'])
    expect(await lines(root, [name], 'other')).toEqual(['other/lib.ts:1:1 dark-mode'])
    git(root, 'commit', '--quiet', '--all', '--message', 'm')
    git(root, 'submodule', '--quiet', 'deinit', '--force', 'lib')
    expect(await lines(root, [name], '.', '!other')).toEqual(['unread lib/: submodule'])
    expect(await lines(root, [name], 'a.ts')).toEqual([])
    // Files of the submodule may match.
    expect(await lines(root, [name], '*.ts')).toEqual(['unread lib/: submodule'])
  })

  it('are reported if they are gone and git does not look at them', async () => {
    const root = await repository({ 'a.ts': name, 'b.ts': name, 'c.ts': name })
    git(root, 'update-index', '--assume-unchanged', 'a.ts', 'b.ts')
    git(root, 'update-index', '--skip-worktree', 'b.ts')
    rmSync(join(root, 'a.ts'))
    rmSync(join(root, 'b.ts'))
    expect(await lines(root, [name], '.')).toEqual([
      'c.ts:1:1 dark-mode',
      'unread a.ts: not checked out',
      'unread b.ts: not checked out',
    ])
  })

  it('are reported if they are not there: skip-worktree, a sparse checkout, Git LFS', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n'
    const root = await repository({ 'a.ts': name, 'b/c.ts': name, 'd.ts': pointer, 'e.ts': '' })
    git(root, 'update-index', '--skip-worktree', 'a.ts')
    rmSync(join(root, 'a.ts'))
    expect(await lines(root, [name], '.', '!b')).toEqual([
      'unread a.ts: not checked out',
      'unread d.ts: Git LFS pointer',
    ])
    git(root, 'update-index', '--no-skip-worktree', 'a.ts')
    git(root, 'sparse-checkout', 'set', '--no-cone', 'd.ts', 'e.ts')
    expect(await lines(root, [name], '.', '!d.ts', '!a.ts')).toEqual([
      'unread b/c.ts: not checked out',
    ])
    expect(await lines(root, [name], 'b')).toEqual(['unread b/c.ts: not checked out'])
    expect(await lines(root, [name], 'e.ts')).toEqual([])
    expect(await lines(root, [name], '.')).toEqual([
      'unread a.ts: not checked out',
      'unread b/c.ts: not checked out',
      'unread d.ts: Git LFS pointer',
    ])
  })

  it.each([
    ['Git LFS pointer', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n'],
    ['Git LFS pointer', '\ufeffversion https://git-lfs.github.com/spec/v1\r\noid sha256:0\r\n'],
    ['Git LFS pointer', 'version https://hawser.github.com/spec/v1\noid sha256:0\nsize 9\n'],
    ['Git LFS pointer', 'version http://git-media.io/v/2\noid sha256:0\nsize 9\n'],
    ['git-annex pointer', '/annex/objects/SHA256E-s9--0.ts\n'],
    ['encrypted by git-crypt', `\0GITCRYPT\0${'\xe9'.repeat(9_000_000)}`],
  ])('are reported if their content is elsewhere: %s', async (reason, content) => {
    const cwd = await temporaryFolder({ 'a.ts': content })
    expect(await lines(cwd, [name], '.')).toEqual([`unread a.ts: ${reason}`])
  })

  it('are reported if they are no longer files', async () => {
    const root = await repository({ 'a.ts': name, 'b.ts': name })
    for (const file of ['a.ts', 'b.ts']) rmSync(join(root, file))
    mkdirSync(join(root, 'a.ts'))
    execFileSync('mkfifo', [join(root, 'b.ts')])
    expect(await lines(root, [name], '.')).toEqual([
      'unread a.ts: not a file',
      'unread b.ts: not a file',
    ])
  })

  it('are not read if their names are not UTF-8', async () => {
    const root = await repository({ 'a.ts': '' })
    const path = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x62, 0xff, 0x2e, 0x74])])
    writeFileSync(path, name)
    writeFileSync(join(root, 'line\nüb".ts'), name)
    expect(await lines(root, [name], '.')).toEqual([
      'line\nüb".ts:1:1 dark-mode',
      'unread b\ufffd.t: its name is not UTF-8',
    ])
  })

  it('are all files except node_modules without a repository', async () => {
    const files = { '.gitignore': '*', 'a.ts': name, 'node_modules/b.js': name, '.c/d': name }
    const cwd = await temporaryFolder(files)
    const found = await search(cwd, [name], '.')
    expect(found.names.get(name)?.places.map(({ file }) => file)).toEqual(['.c/d', 'a.ts'])
    expect(found.plainFolders).toEqual([cwd])
  })

  it('are not guessed if git is missing or refuses', async () => {
    const root = await repository({ 'a.ts': name })
    await expect(
      searchFiles([name], ['.'], { cwd: root, env: { PATH: '/nowhere' }, signal, progress }),
    ).rejects.toMatchObject({
      message: 'git cannot be run: not found',
      hint: 'install git, which lists the files to read',
    })
    const owner = { ...env, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }
    const bin = await temporaryFolder({
      git: '#!/bin/sh\nexport GIT_TEST_ASSUME_DIFFERENT_OWNER=1\nPATH=${PATH#*:} exec git "$@"\n',
    })
    chmodSync(join(bin, 'git'), 0o755)
    const refusing = { ...owner, PATH: `${bin}:${env.PATH}` }
    await expect(
      searchFiles([name], ['.'], { cwd: root, env: refusing, signal, progress }),
    ).rejects.toMatchObject({
      message: `git: detected dubious ownership in repository at '${root}'`,
      hint: `if you trust its owner, run: git config --global --add safe.directory ${root}`,
    })
  })
})

it('counts the files that ! leaves out', async () => {
  const cwd = await temporaryFolder({ 'a.ts': name, 'b/c.ts': name, 'b/d.ts': name })
  expect(await search(cwd, [name], '.', '!b')).toMatchObject({ excluded: 2, files: 1 })
})

it('runs no program of the repository', async () => {
  const root = await repository({ 'a.ts': name, '.gitattributes': '*.ts filter=x diff=x\n' })
  const marker = join(root, 'ran')
  const program = `sh -c 'touch ${marker}'`
  for (const key of ['core.fsmonitor', 'filter.x.clean', 'filter.x.process', 'diff.x.textconv']) {
    git(root, 'config', key, program)
  }
  writeFileSync(join(root, 'a.ts'), `${name}\n`)
  expect(await lines(root, [name], '.', '!ran')).toEqual(['a.ts:1:1 dark-mode'])
  expect(await lines(root, [name], 'ran')).toEqual(['unmatched ran'])
})

it('ends when it is interrupted', async () => {
  const cwd = await temporaryFolder({ 'a.ts': name })
  const aborted = searchFiles([name], ['.'], {
    cwd,
    env,
    signal: AbortSignal.abort(),
    progress,
  })
  await expect(aborted).rejects.toMatchObject({ kind: 'interrupted' })
})

it('reports each file that is searched, first for names and then for lookups', async () => {
  const cwd = await temporaryFolder({ 'a.ts': 'x', 'b.ts': 'y', 'c.ts': 'z' })
  const reported: string[] = []
  const counting: Progress = {
    ...progress,
    async track({ verb, noun, total }, loop) {
      let done = 0
      const result = await loop(() => done++)
      reported.push(`${verb} ${done} of ${total} ${noun}s`)
      return result
    },
  }
  await searchFiles([name], ['.'], { cwd, env, signal, progress: counting })
  expect(reported).toEqual(['Searching 3 of 3 files', 'Searching 3 of 3 files'])
})
