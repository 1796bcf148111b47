import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'

/** Runs a command in a working directory with a link; `T` in its arguments is the folder above. */
async function runWith(link: string, target: string, argv: readonly string[]) {
  const sandbox = await sandboxOf([{ id: 'default', mode: 'open' }])
  const document = 'projects: {default: {mode: protected}}'
  const files = { 'mine/.bashrc': 'precious', 'work/own/x': '', 'work/a.yaml': document }
  const folder = await temporaryFolder(files)
  await mkdir(dirname(join(folder, 'work', link)), { recursive: true })
  await symlink(target, join(folder, 'work', link))
  const { code, stdout, stderr } = await flagadm(
    ['project', 'settings', ...argv.map((word) => word.replace('T', folder))],
    { ...sandbox, cwd: join('..', basename(folder), 'work') },
  )
  return {
    code,
    output: (stdout + stderr).replaceAll(folder, 'T'),
    mine: (await readdir(join(folder, 'mine'))).sort(),
    text: await readFile(join(folder, 'mine/.bashrc'), 'utf8'),
    writes: sandbox.writes(),
  }
}

const exported = ['export', 'default', '--dir']
const untouched = { mine: ['.bashrc'], text: 'precious', writes: [] }

describe('export does not write through a symbolic link', () => {
  const overwritten = { code: 0, output: 'Exported 1 project to flags\n' }
  const refused = {
    code: 2,
    output:
      'error: flags/default.yaml is neither a regular file nor a link to one\n' +
      'hint: use another name\n',
  }

  test.each([
    ['../../mine/.bashrc', overwritten],
    ['../../mine/new', overwritten],
    ['../../mine', refused],
    ['/dev/null', refused],
  ])('in place of a file, to %s', async (target, outcome) => {
    expect(await runWith('flags/default.yaml', target, [...exported, 'flags'])).toEqual({
      code: 2,
      output:
        'error: 1 file would be overwritten: flags/default.yaml\n' +
        'hint: nothing was written; use --force to overwrite them, or another folder\n',
      ...untouched,
    })
    // The link itself is replaced, unless it leads to something else than a file.
    const forced = [...exported, 'flags', '--force']
    expect(await runWith('flags/default.yaml', target, forced)).toEqual({
      ...outcome,
      ...untouched,
    })
  })

  test.each([
    ['flags', '../mine', 'flags'],
    ['flags', 'own', './own/../flags/'],
    ['flags', '../mine', 'flags/new'],
    ['own/flags', '../../mine', '../work/own/flags'],
    ['flags', '../mine', 'T/work/flags'],
  ])('from %s to %s, with --dir %s', async (link, target, dir) => {
    const path = join('T/work', link)
    expect(await runWith(link, target, [...exported, dir])).toEqual({
      code: 2,
      output: `error: --dir: ${path} is a symbolic link\nhint: use the path it leads to\n`,
      ...untouched,
    })
  })

  test('but follows one in an absolute path to elsewhere', async () => {
    expect(await runWith('own/up', '../..', [...exported, 'T/mine'])).toMatchObject({
      code: 0,
      mine: ['.bashrc', 'default.yaml'],
    })
  })
})

test('--save-before does not write through a link without a target', async () => {
  const argv = ['apply', '-f', 'a.yaml', '--yes', '--save-before', 'before.yaml']
  const { output, ...outcome } = await runWith('before.yaml', '../mine/new', argv)
  expect(outcome).toEqual({ code: 2, ...untouched })
  expect(output).toContain('error: before.yaml already exists\n')
})

describe('a folder of documents', () => {
  const plan = ['project', 'settings', 'plan', '-f']
  const document = 'projects: {default: {mode: protected}}'

  test.each(['a pipe', 'a link to a pipe', 'a link to a device'])(
    'is refused with %s',
    async (what) => {
      const sandbox = await sandboxOf([{ id: 'default', mode: 'open' }])
      const folder = await temporaryFolder({ 'work/flags/a.yaml': document })
      const file = join(folder, 'work/flags/b.yaml')
      if (what === 'a pipe') execFileSync('mkfifo', [file])
      else if (what === 'a link to a device') await symlink('/dev/zero', file)
      else {
        execFileSync('mkfifo', [join(folder, 'pipe')])
        await symlink('../../pipe', file)
      }
      const cwd = join('..', basename(folder), 'work')
      expect(await flagadm([...plan, 'flags'], { ...sandbox, cwd })).toMatchObject({
        code: 2,
        stdout: '',
        stderr:
          'error: --file: flags/b.yaml is not a regular file\n' +
          'hint: remove it from the folder, or name it with -f itself\n',
      })
    },
  )

  test('may have links to files, and a pipe may be named itself', async () => {
    const sandbox = await sandboxOf([{ id: 'default', mode: 'open' }])
    const folder = await temporaryFolder({ 'work/flags/x': '', 'mine/a.yaml': document })
    await symlink('../../mine/a.yaml', join(folder, 'work/flags/a.yaml'))
    const cwd = join('..', basename(folder), 'work')
    const world = { ...sandbox, cwd }
    const ofLink = await flagadm([...plan, 'flags'], world)
    const pipe = join(folder, 'pipe.yaml')
    execFileSync('mkfifo', [pipe])
    const [ofPipe] = await Promise.all([flagadm([...plan, pipe], world), writeFile(pipe, document)])
    expect([ofLink.code, ofLink.stdout]).toEqual([0, expect.stringContaining('protected')])
    expect(ofPipe.stdout).toBe(ofLink.stdout)
  })
})
