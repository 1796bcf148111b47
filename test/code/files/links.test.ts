import { execFileSync } from 'node:child_process'
import { readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { flagadm, temporaryFolder } from '../../support/flagadm.ts'
import { git } from '../../support/git.ts'

const secret = "isEnabled('secret')\n"

/** A repository in `root/work` beside a folder of the user. */
async function repository() {
  const root = await temporaryFolder({
    'work/src/deep/a.ts': "isEnabled('a')\n",
    'work/b.ts': "isEnabled('b')\n",
    'mine/deep/a.ts': secret,
    'mine/a.ts': secret,
  })
  const work = join(root, 'work')
  git(work, 'init', '--quiet', '--template=')
  commitAll(work)
  return { root, work }
}

function commitAll(folder: string): void {
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', 'm')
}

/** The names that code looks up, what is missing, and the error. */
async function scan(root: string) {
  const cwd = join('..', basename(root), 'work')
  const argv = ['feature', 'references', '--scan', '.', '-o', 'names']
  const env = { PATH: process.env.PATH ?? '' }
  const { stdout, stderr } = await flagadm(argv, { cwd, env })
  return { names: stdout.split('\n').slice(0, -1), stderr }
}

const unread = (file: string) =>
  `warning: Incomplete: 1 file could not be read (${file}: its folder is a link)\n`

test('a link in a folder without a repository is unread', async () => {
  const root = await temporaryFolder({ 'work/b.ts': "isEnabled('b')\n", 'mine/a.ts': secret })
  await symlink(join(root, 'mine'), join(root, 'work/folder'))
  await symlink(join(root, 'mine/a.ts'), join(root, 'work/a.ts'))
  const { names, stderr } = await scan(root)
  expect(names).toEqual(['b'])
  expect(stderr).toContain('2 files could not be read (a.ts: a link, folder: a link)')
})

describe('a link in place of a tracked folder is not followed', () => {
  test.each(['src', 'src/deep'])('%s, and its files are unread', async (folder) => {
    const { root, work } = await repository()
    await rm(join(work, folder), { recursive: true })
    await symlink(join(root, 'mine'), join(work, folder))
    const { names, stderr } = await scan(root)
    expect([names, stderr]).toEqual([['b'], unread('src/deep/a.ts')])
  })

  test('in place of a submodule, to another repository', async () => {
    const { root, work } = await repository()
    const mine = join(root, 'mine')
    git(mine, 'init', '--quiet', '--template=')
    commitAll(mine)
    git(work, 'submodule', '--quiet', 'add', mine, 'module')
    commitAll(work)
    await rm(join(work, 'module'), { recursive: true })
    await symlink(mine, join(work, 'module'))
    const { names, stderr } = await scan(root)
    expect([names, stderr]).toEqual([['a', 'b'], unread('module')])
  })
})

test.each(['a pipe', 'a link to a device'])(
  '%s in place of an ignore file is refused before git is started',
  async (what) => {
    const { root, work } = await repository()
    const file = join(work, '.gitignore')
    if (what === 'a pipe') execFileSync('mkfifo', [file])
    else await symlink('/dev/zero', file)
    expect(await scan(root)).toEqual({
      names: [],
      stderr: `error: ${file} is not a regular file\nhint: git would wait for it: remove it\n`,
    })
  },
)

describe('a tracked link', () => {
  /** A repository with links in `src` to other files of it, and files of the user beside it. */
  async function linked(links: Record<string, string>) {
    const root = await temporaryFolder({
      'work/src/a.ts': "isEnabled('a')\n",
      'work/lib/b.ts': "isEnabled('b')\n",
      'work/lib/deep/c.ts': "isEnabled('c')\n",
      'work/.gitignore': 'build\n',
      'work/build/node_modules/e.ts': "isEnabled('e')\n",
      'work/build/f.ts': "isEnabled('f')\n",
      'mine/secret.ts': secret,
    })
    const work = join(root, 'work')
    for (const [path, target] of Object.entries(links)) await symlink(target, join(work, path))
    git(work, 'init', '--quiet', '--template=')
    commitAll(work)
    return work
  }

  /** A line for each lookup, and for each file that could not be read. */
  async function scanned(cwd: string, ...globs: string[]) {
    const scans = globs.flatMap((glob) => ['--scan', glob])
    const argv = ['feature', 'references', ...scans, '-o', 'jsonl', '-q']
    const { stdout } = await flagadm(argv, { cwd, env: { PATH: process.env.PATH ?? '' } })
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    return rows
      .filter(({ file }) => file !== undefined)
      .map(({ file, name, status }) => `${file} ${name ?? status}`)
  }

  const [nothing, outside] = ['a link to nothing', 'a link out of the repository']
  const mine = '../../mine'
  const lib = ['src/a.ts a', 'src/x/b.ts b', 'src/x/deep/c.ts c']

  test.each<[what: string, links: Record<string, string>, globs: string, expected: string[]]>([
    ['to a file', { 'src/x.ts': '../lib/b.ts' }, 'src', ['src/a.ts a', 'src/x.ts b']],
    ['to a folder', { 'src/x': '../lib' }, 'src', lib],
    ['in a glob', { 'src/x': '../lib' }, 'src/**/c.*', ['src/x/deep/c.ts c']],
    [
      'to what is read',
      { 'src/x': '../lib', 'src/y.ts': '../lib/b.ts' },
      'src lib',
      ['src/a.ts a', 'lib/b.ts b', 'lib/deep/c.ts c'],
    ],
    [
      'to the same as another',
      { 'src/x': '../lib', 'src/y': '../lib/deep', 'src/z.ts': '../lib/b.ts' },
      'src',
      lib,
    ],
    [
      'to the same as another, in a glob',
      { 'src/x': '../lib', 'src/y': '../lib' },
      'src/y*/**',
      ['src/y/b.ts b', 'src/y/deep/c.ts c'],
    ],
    [
      'to a folder around it',
      { 'src/x': '..' },
      'src',
      ['src/a.ts a', 'src/x/lib/b.ts b', 'src/x/lib/deep/c.ts c'],
    ],
    [
      'to an ignored file',
      { 'src/x.ts': '../build/f.ts' },
      'src/*.ts',
      ['src/a.ts a', 'src/x.ts f'],
    ],
    ['to an ignored folder', { 'src/x': '../build' }, 'src/*/**', ['src/x/f.ts f']],
    [
      'behind a link',
      { 'src/x': '../lib', 'lib/y': '../build' },
      'src',
      [...lib, 'src/x/y/f.ts f'],
    ],
    ['to a link', { 'src/x.ts': '../lib/y.ts', 'lib/y.ts': 'b.ts' }, 'src/x.ts', ['src/x.ts b']],
  ])('%s is followed, and each file is read once', async (_what, links, globs, expected) => {
    const work = await linked(links)
    expect(await scanned(work, ...globs.split(' '))).toEqual(expected)
  })

  test.each<[what: string, link: string, target: string, globs: string, expected: string[]]>([
    ['to itself', 'x.ts', 'x.ts', 'src', [`src/x.ts ${nothing}`]],
    ['to nothing', 'x.ts', '../no.ts', 'src', [`src/x.ts ${nothing}`]],
    ['to a file of the user', 'x.ts', `${mine}/secret.ts`, 'src', [`src/x.ts ${outside}`]],
    ['to a folder of the user', 'x', mine, 'src', [`src/x/ ${outside}`]],
    ['to such a folder, in a glob', 'x', mine, 'src/**/*.ts', [`src/x/ ${outside}`]],
    ['to the repository', 'x', '../.git/refs', 'src', [`src/x/ ${outside}`]],
    ['of git-annex', 'x.ts', '../.git/annex/objects/0/1', 'src', ['src/x.ts git-annex pointer']],
    ['that a glob leaves out', 'x', mine, 'src !src/x', []],
  ])('%s is not read', async (_what, link, target, globs, expected) => {
    const work = await linked({ [`src/${link}`]: target })
    expect(await scanned(work, ...globs.split(' '))).toEqual(['src/a.ts a', ...expected])
  })

  test('is followed where git writes a file with its path', async () => {
    const work = await linked({ 'src/x': '../lib/deep', 'src/y.ts': '../lib/b.ts' })
    for (const path of ['src/x', 'src/y.ts']) {
      const target = await readlink(join(work, path))
      await rm(join(work, path))
      await writeFile(join(work, path), target)
    }
    expect(await scanned(work, 'src')).toEqual(['src/a.ts a', 'src/y.ts b', 'src/x/c.ts c'])
  })

  test('that a file has replaced is read, and a file that a link has replaced is unread', async () => {
    const work = await linked({ 'src/x.ts': '../lib/b.ts' })
    await rm(join(work, 'src/x.ts'))
    await writeFile(join(work, 'src/x.ts'), "isEnabled('x')\n")
    await rm(join(work, 'src/a.ts'))
    await symlink('../lib/b.ts', join(work, 'src/a.ts'))
    await symlink('../lib/b.ts', join(work, 'src/new.ts'))
    expect(await scanned(work, 'src')).toEqual([
      'src/x.ts x',
      'src/a.ts a link',
      'src/new.ts a link',
    ])
  })

  test('is not followed if too many lead to each other', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `d${index}`)
    const root = await temporaryFolder(Object.fromEntries(names.map((name) => [`${name}/a`, ''])))
    for (const from of names)
      for (const to of names) await symlink(`../${to}`, join(root, from, to))
    git(root, 'init', '--quiet', '--template=')
    commitAll(root)
    // Following each path would not end.
    const unfollowed = names.map((name) => `d1/${name}/ too many links`)
    expect(await scanned(root, 'd1')).toEqual(unfollowed.sort())
  })
})
