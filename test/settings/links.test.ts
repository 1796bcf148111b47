import { mkdir, readdir, readFile, rename, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openFolder } from '../../src/settings/export.ts'
import { writeFile } from '../../src/output/file.ts'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'

/** Exports the project `default` in a working directory with a link; `T` in `--dir` is the folder above. */
async function exportWith(link: string, target: string, dir: string, argv: readonly string[] = []) {
  const sandbox = await sandboxOf([{ id: 'default', mode: 'open' }])
  const folder = await temporaryFolder({ 'mine/.bashrc': 'precious', 'work/own/x': '' })
  await mkdir(dirname(join(folder, 'work', link)), { recursive: true })
  await symlink(target, join(folder, 'work', link))
  const command = ['project', 'settings', 'export', 'default', ...argv]
  const { code, stdout, stderr } = await flagadm([...command, '--dir', dir.replace('T', folder)], {
    ...sandbox,
    cwd: join('..', basename(folder), 'work'),
  })
  return {
    code,
    output: (stdout + stderr).replaceAll(folder, 'T'),
    mine: (await readdir(join(folder, 'mine'))).sort(),
    text: await readFile(join(folder, 'mine/.bashrc'), 'utf8'),
  }
}

describe('export does not write through a symbolic link', () => {
  test.each([
    ['to a file', '../../mine/.bashrc'],
    ['to a file that does not exist', '../../mine/new'],
    ['to a folder', '../../mine'],
  ])('in place of a file, %s', async (_what, target) => {
    const mine = { mine: ['.bashrc'], text: 'precious' }
    expect(await exportWith('flags/default.yaml', target, 'flags')).toEqual({
      code: 2,
      output:
        'error: 1 file would be overwritten: flags/default.yaml\n' +
        'hint: nothing was written; use --force to overwrite them, or another folder\n',
      ...mine,
    })
    // The link itself is replaced.
    expect(await exportWith('flags/default.yaml', target, 'flags', ['--force'])).toEqual({
      code: 0,
      output: 'Exported 1 project to flags\n',
      ...mine,
    })
  })

  test('that replaces the folder during the run', async () => {
    const folder = await temporaryFolder({ 'mine/.bashrc': 'precious', 'work/flags/x': '' })
    const work = join(folder, 'work')
    const check = await openFolder(work, 'flags')
    await check()
    await rename(join(work, 'flags'), join(work, 'old'))
    await symlink('../mine', join(work, 'flags'))
    for (const replaces of [false, true]) {
      const path = join(work, 'flags/default.yaml')
      await expect(writeFile(path, 'x', { shown: 'a.yaml', replaces, check })).rejects.toThrow(
        '--dir: flags was replaced by another folder',
      )
    }
    expect(await readdir(join(folder, 'mine'))).toEqual(['.bashrc'])
  })

  test.each([
    ['flags', '../mine', 'flags', 'T/mine'],
    ['flags', '../mine', './own/../flags/', 'T/mine'],
    ['flags', '../mine', 'flags/new', 'T/mine/new'],
    ['own/flags', '../../mine', 'own/flags', 'T/mine'],
    ['own/flags', '../../mine', '../work/own/flags', 'T/mine'],
    ['flags', '../mine', 'T/work/flags', 'T/mine'],
  ])('from %s to %s, with --dir %s', async (link, target, dir, real) => {
    expect(await exportWith(link, target, dir)).toEqual({
      code: 2,
      output:
        `error: --dir: ${dir} is a symbolic link to ${real}\n` +
        `hint: to write there, use --dir ${real}\n`,
      mine: ['.bashrc'],
      text: 'precious',
    })
  })

  test('to a folder that does not exist', async () => {
    expect(await exportWith('flags', '../new', 'flags')).toMatchObject({
      code: 2,
      output:
        'error: --dir: cannot create flags: no such file\n' +
        'hint: check the path and its permissions\n',
    })
  })
})

describe('export follows a link', () => {
  test.each([
    ['that stays in the working directory', 'flags', 'own', 'flags', ['.bashrc']],
    ['in an absolute path to elsewhere', 'own/up', '../..', 'T/mine', ['.bashrc', 'default.yaml']],
  ])('%s', async (_what, link, target, dir, mine) => {
    const outcome = await exportWith(link, target, dir)
    expect([outcome.code, outcome.output, outcome.mine]).toEqual([
      0,
      `Exported 1 project to ${dir}\n`,
      mine,
    ])
  })
})

test('--save-before does not write through a link without a target', async () => {
  const sandbox = await sandboxOf([{ id: 'default', mode: 'open' }])
  const document = 'projects: {default: {mode: protected}}'
  const folder = await temporaryFolder({ 'mine/x': '', 'work/a.yaml': document })
  await symlink('../mine/new', join(folder, 'work/before.yaml'))
  const argv = ['project', 'settings', 'apply', '-f', 'a.yaml', '--yes']
  const cwd = join('..', basename(folder), 'work')
  const world = { ...sandbox, cwd }
  const { code, stderr } = await flagadm([...argv, '--save-before', 'before.yaml'], world)
  expect([code, stderr.split('\n')[0]]).toEqual([
    2,
    'error: --save-before: before.yaml already exists',
  ])
  expect([await readdir(join(folder, 'mine')), sandbox.writes()]).toEqual([['x'], []])
})
