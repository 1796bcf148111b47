import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, symlinkSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findChanges } from '../../../src/code/changes.ts'
import { flagadm, makeFolder, temporaryFolder } from '../../support/flagadm.ts'
import { git } from '../../support/git.ts'
import { noProgress } from '../../support/progress.ts'
import { words } from '../../support/text.ts'

function flag(name: string): string {
  return `isEnabled('${name}')\n`
}

/** Commits all files of a folder, and removes them from the index and the working tree. */
function commit(root: string): void {
  git(root, 'init', '--quiet', '--initial-branch', 'main')
  git(root, 'add', '--force', '--all')
  git(root, 'commit', '--quiet', '--message', 'first')
  git(root, 'rm', '-r', '--quiet', '.')
}

/** A repository with one commit, whose working tree then has only these files. */
async function repository(before: Record<string, string>, now: Record<string, string> = {}) {
  const root = await temporaryFolder(before)
  commit(root)
  for (const [path, text] of Object.entries(now)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}

const world = { env: { PATH: process.env.PATH ?? '' } }

/** The command that lists what lookups used in a revision and no longer do. */
function command(globs: string[], revision = 'main'): string[] {
  const scan = globs.flatMap((glob) => ['--scan', glob])
  return ['feature', 'references', `--removed-since=${revision}`, ...scan, '--json', '-q']
}

/** A line for each name, in their order, and for each file that could not be read. */
async function lines(cwd: string, globs: string[], revision?: string): Promise<string[]> {
  const { stdout } = await flagadm(command(globs, revision), { cwd, ...world })
  return JSON.parse(stdout).references.map(
    ({ kind, file, line, column, name, status }: Record<string, string | number>) =>
      kind === 'unread' ? `unread ${file}: ${status}` : `${file}:${line}:${column} ${name}`,
  )
}

async function errorOf(cwd: string, globs: string[], revision?: string) {
  const { stderr } = await flagadm(command(globs, revision), { cwd, ...world })
  return JSON.parse(stderr).error
}

const files = {
  'a.ts': flag('a'),
  'src/b.ts': `\n  ${flag('b')}`,
  'src/deep/c.py': 'is_enabled("c")',
  'B.go': 'IsEnabled("go")',
  'src/[d].ts': flag('d'),
}

let shared: string

beforeAll(() => {
  shared = makeFolder(files)
  commit(shared)
  git(shared, 'tag', '--annotate', '--message', 'm', 'v1')
})

afterAll(() => rmSync(shared, { recursive: true }))

it.each([
  [
    '.',
    ['a.ts:1:12 a', 'src/b.ts:2:14 b', 'src/deep/c.py:1:13 c', 'src/[d].ts:1:12 d', 'B.go:1:12 go'],
  ],
  ['src', ['src/b.ts:2:14 b', 'src/deep/c.py:1:13 c', 'src/[d].ts:1:12 d']],
  ['*.ts', ['a.ts:1:12 a']],
  ['src/*.ts a.ts a.ts', ['a.ts:1:12 a', 'src/b.ts:2:14 b', 'src/[d].ts:1:12 d']],
  ['. !src', ['a.ts:1:12 a', 'B.go:1:12 go']],
  ['!**/*.ts .', ['src/deep/c.py:1:13 c', 'B.go:1:12 go']],
])('finds the names that %j matches in a commit', async (globs, expected) => {
  expect(await lines(shared, words(globs))).toEqual(expected)
})

it('refuses globs that match nothing in a commit either', async () => {
  expect(await errorOf(shared, ['none', '*.rb', 'a.ts'])).toEqual({
    kind: 'usage',
    exitCode: 2,
    message: '--scan: no file matches none, *.rb',
    hint: 'check the path; it matches no file at main either',
  })
})

it('starts at the working directory, even in a subdirectory', async () => {
  const root = await repository(files, { 'src/x.ts': '' })
  const cwd = join(root, 'src')
  expect(await lines(cwd, ['*.ts'])).toEqual(['b.ts:2:14 b', '[d].ts:1:12 d'])
  expect(await lines(cwd, ['..', '!**/*.py'])).toEqual([
    '../a.ts:1:12 a',
    'b.ts:2:14 b',
    '[d].ts:1:12 d',
    '../B.go:1:12 go',
  ])
  expect(await lines(cwd, [join(root, 'a.ts')])).toEqual(['../a.ts:1:12 a'])
})

it('reads all committed files except for large ones, ignored now or not', async () => {
  const before = {
    'ok.ts': flag('ok'),
    'gen/a.ts': flag('generated'),
    'node_modules/m/a.js': flag('module'),
    'large.ts': flag('large').padEnd(1024 * 1024 + 1, ' '),
    'limit.ts': flag('limit').padEnd(1024 * 1024, '\n'),
    'binary.ts': `\0${flag('binary')}`,
    'z.ts': flag('z'),
  }
  const root = await repository(before, { '.gitignore': 'gen/\n' })
  expect(await lines(root, ['.'])).toEqual([
    'binary.ts:1:13 binary',
    'gen/a.ts:1:12 generated',
    'limit.ts:1:12 limit',
    'node_modules/m/a.js:1:12 module',
    'ok.ts:1:12 ok',
    'z.ts:1:12 z',
    'unread large.ts: larger than 1 MiB, at main',
  ])
})

it('reports what is elsewhere: links, unless their target is read, and the content of pointers', async () => {
  const root = await temporaryFolder({
    'src/a.ts': flag('a'),
    'src/lfs.ts': 'version https://git-lfs.github.com/spec/v1\n',
    'lib/b.ts': flag('b'),
  })
  const links = { file: 'a.ts', up: '..', folder: '../lib', other: '../lib/b.ts', out: '/etc' }
  for (const [link, target] of Object.entries(links)) symlinkSync(target, join(root, 'src', link))
  commit(root)
  const elsewhere = [
    'unread src/lfs.ts: Git LFS pointer, at main',
    'unread src/out: a link, at main',
  ]
  expect(await lines(root, ['.'])).toEqual(['src/a.ts:1:12 a', 'lib/b.ts:1:12 b', ...elsewhere])
  expect(await lines(root, ['src'])).toEqual([
    'src/a.ts:1:12 a',
    'unread src/folder: a link, at main',
    'unread src/lfs.ts: Git LFS pointer, at main',
    'unread src/other: a link, at main',
    'unread src/out: a link, at main',
    'unread src/up: a link, at main',
  ])
})

it('reads many files of any name', async () => {
  const names = ['ü.ts', 'with space.ts', 'quote".ts', 'tab\t.ts', 'line\n.ts']
  const many = Array.from({ length: 100 }, (_, index) => `many/${index}.ts`)
  const before = Object.fromEntries([...names, ...many].map((name) => [name, flag('f')]))
  const root = await repository(before)
  expect(await lines(root, ['.'])).toHaveLength(105)
})

it.each(['v1', 'refs/tags/v1', 'main~0', 'HEAD', 'main^{commit}', '@'])(
  'accepts the revision %s',
  async (revision) => {
    expect(await lines(shared, ['a.ts'], revision)).toEqual(['a.ts:1:12 a'])
  },
)

it.each([
  'nope',
  '-',
  '--',
  '--output=x',
  '-h',
  '--all',
  '^main',
  'main..main',
  'main main',
  'main:a.ts',
  'main\n',
  'main\0',
  '..',
  '*',
  '$(touch x)',
  'a;b',
])('refuses the revision %j', async (revision) => {
  expect(await errorOf(shared, ['.'], revision)).toEqual({
    kind: 'usage',
    exitCode: 2,
    message: `--removed-since: unknown revision '${revision}'`,
    hint: 'check its name, and fetch it first: a shallow clone has no older commits',
  })
  expect(readdirSync(shared)).toEqual(['.git'])
})

it('refuses globs outside the repository', async () => {
  for (const glob of ['..', '../*.ts', '/', `${shared}x/*.ts`]) {
    expect(await errorOf(shared, [glob])).toMatchObject({
      kind: 'usage',
      message: `--scan ${glob}: not in the repository ${shared}`,
    })
  }
})

it('fails outside a repository', async () => {
  const cwd = await temporaryFolder()
  expect(await errorOf(cwd, ['.'])).toEqual({
    kind: 'usage',
    exitCode: 2,
    message: `--removed-since: ${cwd} is not in a git repository`,
    hint: 'run it in a git repository',
  })
})

// Not through the command, because a signal ends its process at once.
it('ends when it is interrupted while git runs', async () => {
  const bin = await temporaryFolder({ git: '#!/bin/sh\nexec sleep 60\n', '.git/x': '' })
  execFileSync('chmod', ['+x', join(bin, 'git')])
  const controller = new AbortController()
  const revision = { name: 'main', option: '--removed-since' }
  const changes = findChanges({ revision, removed: 'of lookups' }, ['.'], {
    cwd: bin,
    env: { PATH: `${bin}:${process.env.PATH}` },
    signal: controller.signal,
    progress: noProgress,
  })
  controller.abort()
  await expect(changes).rejects.toMatchObject({ kind: 'interrupted' })
})
