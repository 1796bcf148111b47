import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'
import { git } from '../support/git.ts'

describe('the JSON of references, about what was read', () => {
  /** A repository with one commit. */
  async function repository(origin?: string): Promise<string> {
    const root = await temporaryFolder({ 'api/src/a.ts': 'dark-mode', 'lib/b.ts': '' })
    git(root, 'init', '--quiet')
    git(root, 'add', '--all')
    git(root, 'commit', '--quiet', '--message', 'm', '--date', '2026-11-01T00:00:00Z')
    if (origin !== undefined) git(root, 'remote', 'add', 'origin', origin)
    return root
  }

  async function readIn(root: string, folder = '', ...scan: string[]) {
    const { code, stdout } = await flagadm(
      ['feature', 'references', 'dark-mode', ...scan.flatMap((path) => ['--scan', path]), '--json'],
      { cwd: join('..', basename(root), folder), env: { PATH: process.env.PATH ?? '' } },
    )
    expect(code).toBe(0)
    return JSON.parse(stdout)
  }

  it.each([
    ['https://me:secret@git.example.com/shop/api.git', 'https://git.example.com/shop/api.git'],
    ['https://token@git.example.com:8443/api?key=1#x', 'https://git.example.com:8443/api'],
    ['ssh://git@git.example.com/shop/api.git', 'ssh://git.example.com/shop/api.git'],
    ['git@git.example.com:shop/api.git', 'git.example.com:shop/api.git'],
    ['https://git.example.com/@shop/api', 'https://git.example.com/@shop/api'],
    ['/srv/git/a@b:c.git', '/srv/git/a@b:c.git'],
    ['file:///srv/git/a@b.git', 'file:///srv/git/a@b.git'],
    ['hg::https://me:secret@host/x', 'hg::https://host/x'],
    ['https://me:se/cret@host/x', 'https://host/x'],
    ['me:secret@host:x.git', 'host:x.git'],
  ])('has the repository of the origin %s without credentials', async (origin, address) => {
    expect((await readIn(await repository(origin), '', '.')).repository).toBe(address)
  })

  it('has the name of the folder without an origin, and the commit with its time', async () => {
    const root = await repository()
    const commit = git(root, 'rev-parse', 'HEAD').trim()
    const seconds = Number(git(root, 'log', '-1', '--format=%ct'))
    expect(await readIn(root, '', '.')).toMatchObject({
      repository: basename(root),
      commit,
      committedAt: new Date(seconds * 1000).toISOString(),
      paths: ['.'],
      files: 2,
    })
  })

  it('has the paths from the root of the repository', async () => {
    const root = await repository()
    const paths = ['src', '../lib/*.ts', '!../lib/c.ts', join(root, 'api/src'), '.']
    expect((await readIn(root, 'api', ...paths)).paths).toEqual([
      'api/src',
      'lib/*.ts',
      '!lib/c.ts',
      'api/src',
      'api',
    ])
  })

  it('has the repository of the first path', async () => {
    const root = await repository('https://git.example.com/shop/api.git')
    const other = await repository('https://git.example.com/shop/web.git')
    const read = await readIn(other, '', join(root, 'api'), join(other, 'lib'))
    expect(read).toMatchObject({
      repository: 'https://git.example.com/shop/api.git',
      paths: ['api', join(other, 'lib')],
    })
  })

  it('has the folder of code that is in no repository', async () => {
    const root = await temporaryFolder({ 'a.ts': 'dark-mode' })
    expect(await readIn(root, '', 'a.ts')).toMatchObject({
      repository: basename(root),
      commit: null,
      committedAt: null,
      paths: ['a.ts'],
    })
  })
})
