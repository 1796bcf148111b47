import { symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { flagadm, repositoryIn, temporaryFolder } from '../../support/flagadm.ts'

describe("the scan of a repository's configuration", () => {
  const secret = "isEnabled('secret')\n"
  const outside =
    "a repository's file may only name files of that repository; name others on the command line"

  /** A repository whose configuration has a path; beside it are files of the user, to which links in it lead. */
  async function repository(path: string) {
    const folder = await temporaryFolder({
      'mine/secret.ts': secret,
      'repo/src/a.ts': "isEnabled('a')\n",
      'repo/.git/config.ts': secret,
      'repo/sub/b.ts': '',
      ...repositoryIn('repo'),
    })
    await symlink('../mine', join(folder, 'repo/folder'))
    await symlink('../mine/secret.ts', join(folder, 'repo/file.ts'))
    await symlink('src', join(folder, 'repo/own'))
    const scan = { paths: [path.replace('F', folder)] }
    await writeFile(join(folder, 'repo/sub/.flagadmrc'), JSON.stringify({ scan }))
    return folder
  }

  const inSub = (folder: string) => join('..', basename(folder), 'repo/sub')
  const commands = [
    ['feature', 'references'],
    ['feature', 'references', 'secret'],
    ['naming', 'check', '--pattern', '.*'],
  ]

  describe.each(commands)('for %s %s %s', (...argv) => {
    it.each([
      ['F/mine', 'F/mine'],
      ['F/mine/secret.ts', 'F/mine/secret.ts'],
      ['../../mine/*.ts', 'F/mine'],
      ['../../**', 'F'],
      ['../folder', 'F/repo/folder'],
      ['../folder/*.ts', 'F/repo/folder'],
      ['../file.ts', 'F/repo/file.ts'],
      ['../.git', 'F/repo/.git'],
      ['../.git/*.ts', 'F/repo/.git'],
      ['/proc/self/environ', '/proc/self/environ'],
    ])('must not have the path %s outside the repository', async (path, named) => {
      const folder = await repository(path)
      const outcome = await flagadm(argv, { cwd: inSub(folder) })
      const { code, stdout } = outcome
      const stderr = outcome.stderr.replaceAll(folder, 'F')
      const what = `F/repo/sub/.flagadmrc: scan.paths: ${named} is not in the repository`
      expect({ code, stdout, stderr }).toEqual({
        code: 3,
        stdout: '',
        stderr: `error: ${what}\nhint: ${outside}\n`,
      })
    })
  })

  it.each(['..', '../src', '../s*/*.ts', 'F/repo/src', '../own'])(
    'may have the path %s of the repository',
    async (path) => {
      const folder = await repository(path)
      const argv = ['feature', 'references', '-o', 'names']
      expect(await flagadm(argv, { cwd: inSub(folder) })).toMatchObject({ code: 0, stdout: 'a\n' })
    },
  )

  it.each([
    ['with --scan', ['--scan', '../src'], 'a'],
    ["in the user's own file", ['--config', '.flagadmrc'], 'secret'],
  ])('may have any path %s', async (_what, argv, name) => {
    const folder = await repository('../../mine')
    const command = ['feature', 'references', ...argv, '-o', 'names']
    expect(await flagadm(command, { cwd: inSub(folder) })).toMatchObject({
      code: 0,
      stdout: `${name}\n`,
    })
  })
})
