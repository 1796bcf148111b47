import { execFileSync } from 'node:child_process'
import { rm, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'
import { git } from '../support/git.ts'

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
