import { link, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'

const projects = ['Shop', 'shop'].map((id) => ({ id, mode: 'open' as const }))
const exportAll = ['project', 'settings', 'export', '--all', '--dir']

test('export does not overwrite a file whose name differs only in case', async () => {
  const sandbox = await sandboxOf(projects)
  const folder = await temporaryFolder({ 'Shop.yaml': 'projects: {Shop: {mode: open}}' })
  // A file system that ignores case finds one file under both names.
  await link(join(folder, 'Shop.yaml'), join(folder, 'shop.yaml'))
  const { code, stdout, stderr } = await flagadm([...exportAll, folder], sandbox)
  expect([code, stdout]).toEqual([10, `Exported 1 project to ${folder}, 1 unchanged\n`])
  expect(stderr).toBe(
    `error: project shop: ${folder}/shop.yaml is the same file as Shop.yaml\n` +
      'hint: export one of them to another folder: here, names that differ only in case are the same\n' +
      'error: 1 of 2 projects could not be exported\n',
  )
})

test('export writes both files if the file system distinguishes case', async () => {
  const sandbox = await sandboxOf(projects)
  const folder = await temporaryFolder()
  for (let run = 0; run < 2; run++) {
    expect((await flagadm([...exportAll, folder], sandbox)).code).toBe(0)
  }
  expect((await readdir(folder)).sort()).toEqual(['Shop.yaml', 'shop.yaml'])
})
