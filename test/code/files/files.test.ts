import { chmod, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { flagadm, temporaryFolder } from '../../support/flagadm.ts'
import { git } from '../../support/git.ts'

function flag(name: string): string {
  return `isEnabled('${name}')\n`
}

/** A line for each lookup in the files that globs select in a folder, and for each file that could not be read. */
async function scanIn(folder: string, ...globs: string[]): Promise<string[]> {
  const { stdout, stderr } = await flagadm(
    ['feature', 'references', ...globs.flatMap((glob) => ['--scan', glob]), '-o', 'jsonl', '-q'],
    { cwd: folder, env: { PATH: process.env.PATH ?? '' } },
  )
  const [error = ''] = stderr.split('\n')
  if (stdout === '') return [error]
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind !== undefined)
    .map(({ kind, file, line, column, name, status }) =>
      kind === 'unread' ? `unread ${file}: ${status}` : `${file}:${line}:${column} ${name}`,
    )
}

async function scan(files: Record<string, string>, ...globs: string[]): Promise<string[]> {
  return scanIn(await temporaryFolder(files), ...globs)
}

it('reports file, line and column of every lookup, in the order of names, paths and text', async () => {
  const files = {
    'b.ts': `\n  ${flag('one')}${flag('one')}`,
    'a/z.py': 'client.is_enabled("one")',
    'B.go': 'unleash.IsEnabled("one")',
    'a.rb': 'UNLEASH.enabled? "five"',
  }
  expect(await scan(files, '.')).toEqual([
    'a.rb:1:19 five',
    'B.go:1:20 one',
    'a/z.py:1:20 one',
    'b.ts:2:14 one',
    'b.ts:3:12 one',
  ])
})

it.each([
  ['*.ts', ['a.ts']],
  ['**/*.ts', ['a.ts', 'x/b.ts', 'x/y/c.ts']],
  ['./x/*.{ts,js}', ['x/b.js', 'x/b.ts']],
  ['{a,x/b}.ts', ['a.ts', 'x/b.ts']],
  ['x/+(y/)c.ts', ['x/y/c.ts']],
  ['x/y/../b.*', ['x/b.js', 'x/b.ts']],
  ['x/b.ts', ['x/b.ts']],
])('reads the files that %s matches', async (glob, expected) => {
  const paths = ['a.ts', 'a.js', 'x/b.ts', 'x/b.js', 'x/y/c.ts']
  const files = Object.fromEntries(paths.map((path) => [path, flag('f')]))
  expect(await scan(files, glob)).toEqual(expected.map((path) => `${path}:1:12 f`))
})

it('reads a file once if several globs match it, and never if a glob with ! excludes it', async () => {
  const paths = ['a.ts', 'a.test.ts', 'gen/b.ts', 'old/c.ts']
  const files = Object.fromEntries(paths.map((path) => [path, flag('f')]))
  const globs = ['.', '**/*.ts', 'a.ts', '!**/*.test.ts', '!gen', '!old/']
  expect(await scan(files, ...globs)).toEqual(['a.ts:1:12 f'])
})

it.each([
  ['absolute', (folder: string) => [folder, `!${folder}/gen`]],
  ['absolute, before the directory', (folder: string) => [`!${folder}/gen`, folder]],
  ['relative to an absolute one', (folder: string) => [folder, '!gen']],
  ['absolute for a relative one', (folder: string) => ['.', `!${folder}/gen/`]],
  ['absolute with wildcards', (folder: string) => [folder, `!${folder}/g*/**/*.ts`]],
  ['with dots', () => ['.', '!./gen', '!x/../gen']],
])('excludes a directory by a path that is %s', async (_, globsOf) => {
  const cwd = await temporaryFolder({ 'a.ts': flag('a'), 'gen/b.ts': flag('b') })
  expect(await scanIn(cwd, ...globsOf(cwd))).toEqual(['a.ts:1:12 a'])
})

it('excludes paths outside the working directory', async () => {
  const folder = await temporaryFolder({
    'work/a.ts': flag('a'),
    'lib/b.ts': flag('b'),
    'lib/b.test.ts': flag('c'),
    'lib/[id]/d.ts': flag('d'),
    'lib/i/e.ts': flag('e'),
  })
  const globs = [folder, '!../lib/[id]', '!**/*.test.ts', '!../work']
  expect(await scanIn(join(folder, 'work'), ...globs)).toEqual([
    '../lib/b.ts:1:12 b',
    '../lib/i/e.ts:1:12 e',
  ])
})

it('reports the globs that match nothing', async () => {
  const files = { 'a.ts': flag('a'), 'b/c.ts': flag('c') }
  const globs = ['a.ts', '*.go', 'missing', 'missing/**', 'b/*.go']
  expect(await scan(files, ...globs)).toEqual([
    'error: --scan: no file matches *.go, missing, missing/**, b/*.go',
  ])
})

it('treats an existing path with glob characters as a path', async () => {
  const files = { 'app/[id]/(x)/page.ts': flag('a'), 'app/i/(x)/page.ts': flag('b') }
  expect(await scan(files, 'app/[id]')).toEqual(['app/[id]/(x)/page.ts:1:12 a'])
  expect(await scan(files, 'app/[id]/(x)/page.ts')).toEqual(['app/[id]/(x)/page.ts:1:12 a'])
  expect(await scan(files, 'app/\\[id\\]/**')).toEqual(['app/[id]/(x)/page.ts:1:12 a'])
})

const groups = ['app/(group)/a.ts', 'app/group/a.ts', 'app/x/a.ts']
const pick = (...indexes: number[]) => indexes.map((index) => `${groups[index]}:1:12 f`)

it.each([
  ['app/(group)/**', pick(0)],
  ['app/\\(group\\)/*.ts', pick(0)],
  ['**/(*)/a.ts', pick(0)],
  ['app/{(group),x}/*.ts', pick(0, 2)],
  ['app/@((group)|x)/*.ts', pick(0, 2)],
  ['app/+(gro|up)/*.ts', pick(1)],
  ['app/(group|x)/*.ts', pick(1, 2)],
  ['app/(group/*.ts', ['error: --scan: no file matches app/(group/*.ts']],
  ['app !app/(group)/**', pick(1, 2)],
  ['app !app/(group)', pick(1, 2)],
])('reads what %s matches, where parentheses belong to names', async (glob, expected) => {
  const files = Object.fromEntries(groups.map((path) => [path, flag('f')]))
  expect(await scan(files, ...glob.split(' '))).toEqual(expected)
})

it('does not enter node_modules without a repository', async () => {
  const hidden = ['node_modules/a/i.js', 'x/node_modules/b.js']
  const files = Object.fromEntries(hidden.map((path) => [path, flag('f')]))
  expect(await scan({ ...files, 'x/d.js': flag('d') }, '.', 'x/node_modules/*.js')).toEqual([
    'x/d.js:1:12 d',
    'x/node_modules/b.js:1:12 f',
  ])
  expect(await scan(files, 'node_modules/a/i.js')).toEqual(['node_modules/a/i.js:1:12 f'])
})

it('does not count a byte order mark as a column', async () => {
  expect(await scan({ 'a.ts': `\ufeff${flag('a')}` }, '.')).toEqual(['a.ts:1:12 a'])
})

it('does not follow symbolic links, which are unread', async () => {
  const cwd = await temporaryFolder({ 'src/a.ts': flag('a'), 'other/b.ts': flag('b') })
  await symlink('..', join(cwd, 'src/loop'))
  await symlink('../other', join(cwd, 'src/directory'))
  await symlink('../other/b.ts', join(cwd, 'src/file.ts'))
  expect(await scanIn(cwd, 'src')).toEqual([
    'src/a.ts:1:12 a',
    'unread src/directory: a link',
    'unread src/file.ts: a link',
    'unread src/loop: a link',
  ])
})

/** Drops root's rights for the rest of the test, so that file permissions apply. */
function loseRights(): void {
  if (process.getuid?.() !== 0) return
  process.seteuid?.(65_534)
  onTestFinished(() => process.seteuid?.(0))
}

it('lists files and directories that it cannot read, and reads the others', async () => {
  const cwd = await temporaryFolder({ 'a.ts': flag('a'), 'b.ts': flag('b'), 'c/d.ts': flag('d') })
  await mkdir(join(cwd, 'ignored/secret'), { recursive: true })
  for (const path of ['c', 'b.ts', 'ignored/secret']) await chmod(join(cwd, path), 0)
  await chmod(join(cwd, 'a.ts'), 0o644)
  await chmod(cwd, 0o755)
  onTestFinished(() => chmod(join(cwd, 'c'), 0o700))
  loseRights()
  expect(await scanIn(cwd, '.', '!ignored')).toEqual([
    'a.ts:1:12 a',
    'unread b.ts: permission denied',
    'unread c/: permission denied',
  ])
})

it('scans documentation only if its path is given', async () => {
  const files = { 'a.ts': flag('a'), 'b.md': flag('b'), 'c.txt': flag('c'), 'd.mdx': flag('d') }
  expect(await scan(files, '.')).toEqual(['a.ts:1:12 a'])
  expect(await scan(files, 'b.md', '*.txt')).toEqual(['b.md:1:12 b', 'c.txt:1:12 c'])
})

it('reports code that is not read', async () => {
  const cwd = await temporaryFolder({
    'binary.ts': `${flag('a')}\0`,
    'large.ts': flag('b').padEnd(1024 * 1024 + 1, ' '),
    'large.json': ' '.repeat(1024 * 1024 + 1),
    // Without calls.
    'large.js': 'const isEnabled = true\n'.repeat(100_000),
    'quiet.min.js': `const isEnabled=true;${'x=1;'.repeat(9_000)}`,
    'at-the-end.ts': `${' '.repeat(1024 * 1024 - 5)}${flag('i')}`,
    'later.ts': `${' '.repeat(5_000_000)}${flag('j')}${' '.repeat(5_000_000)}`,
    'latin.ts': Buffer.from(`// \xe9\n${flag('c')}`, 'latin1'),
    'limit.ts': flag('d').padEnd(1024 * 1024, '\n'),
    'a.min.js': flag('f').padEnd(30_000, ' '),
    'utf16.ts': Buffer.from(`\ufeff${flag('e')}`, 'utf16le'),
    'unmarked.ts': Buffer.from(flag('g'), 'utf16le').swap16(),
    'utf32.ts': Buffer.from(Array.from(flag('h'), (one) => `${one}\0\0\0`).join('')),
    'crypt.ts': '\0GITCRYPT\0xyz',
    // Tools of package managers have no lookups of the project.
    '.yarn/releases/yarn.cjs': flag('y').padEnd(30_000, ' '),
    '.pnp.cjs': flag('z').padEnd(30_000, ' '),
    'annex.ts': '/annex/objects/SHA256E-s9--0.ts\n',
  })
  expect(await scanIn(cwd, '.')).toEqual([
    'binary.ts:1:12 a',
    'latin.ts:2:12 c',
    'limit.ts:1:12 d',
    'utf16.ts:1:12 e',
    'unread a.min.js: minified',
    'unread annex.ts: git-annex pointer',
    'unread at-the-end.ts: larger than 1 MiB',
    'unread crypt.ts: encrypted by git-crypt',
    'unread large.ts: larger than 1 MiB',
    'unread later.ts: larger than 1 MiB',
    'unread unmarked.ts: in UTF-32 or unmarked UTF-16',
    'unread utf32.ts: in UTF-32 or unmarked UTF-16',
  ])
})

it('does not link files of repositories side by side', async () => {
  const cwd = await temporaryFolder({
    'a/flags.cs': 'class F { public bool IsOn(string f) => unleash.IsEnabled(f); }',
    'a/use.cs': 'class A { bool on = flags.IsOn("x"); }',
    'b/use.cs': 'class B { bool on = lamp.IsOn("y"); }',
  })
  for (const folder of ['a', 'b']) git(join(cwd, folder), 'init', '--quiet')
  expect(await scanIn(cwd, '.')).toEqual(['a/use.cs:1:33 x'])
})
