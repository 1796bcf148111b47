import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { searchFiles } from '../../../src/code/text/search.ts'
import { temporaryFolder } from '../../support/flagadm.ts'
import { git } from '../../support/git.ts'
import { conditions, lines, search } from '../text/searching.ts'

const name = 'dark-mode'

/** A repository with a commit of some files. */
async function repository(files: Record<string, string | Buffer>): Promise<string> {
  const root = await temporaryFolder(files)
  git(root, 'init', '--quiet')
  git(root, 'add', '--all', '--force')
  git(root, 'commit', '--quiet', '--allow-empty', '--message', 'm')
  return root
}

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
      searchFiles([name], ['.'], { ...conditions, cwd: root, env: { PATH: '/nowhere' } }),
    ).rejects.toMatchObject({
      message: 'git cannot be run: not found',
      hint: 'install git, which lists the files to read',
    })
    const owner = { ...conditions.env, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }
    const bin = await temporaryFolder({
      git: '#!/bin/sh\nexport GIT_TEST_ASSUME_DIFFERENT_OWNER=1\nPATH=${PATH#*:} exec git "$@"\n',
    })
    chmodSync(join(bin, 'git'), 0o755)
    const refusing = { ...owner, PATH: `${bin}:${conditions.env.PATH}` }
    await expect(
      searchFiles([name], ['.'], { ...conditions, cwd: root, env: refusing }),
    ).rejects.toMatchObject({
      message: `git in ${root}: detected dubious ownership in repository at '${root}'`,
      hint: `if you trust its owner, run: git config --global --add safe.directory ${root}`,
    })
  })
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
