import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { join } from '../src/paths.ts'
import { folderIgnoringCase } from './support/case.ts'
import { flagadm } from './support/flagadm.ts'
import { sandboxOf } from './support/sandbox.ts'

test('a folder that ignores case gets no two files whose names differ only in case', async ({
  skip,
}) => {
  const folder = await folderIgnoringCase()
  skip(
    folder === undefined,
    'this machine cannot make a folder that ignores case: it needs root and ntfs-3g',
  )
  const projects = ['team', 'Team'].map((id) => ({ id, mode: 'open' as const }))
  const sandbox = await sandboxOf(projects)
  const argv = [
    'project',
    'settings',
    'export',
    '--all-projects',
    '--dir',
    join(`${folder}`, 'out'),
  ]
  const { code, stderr } = await flagadm(argv, sandbox)
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^error: the files of Team, team differ/),
  ])
  expect(existsSync(join(`${folder}`, 'out'))).toBe(false)
})
