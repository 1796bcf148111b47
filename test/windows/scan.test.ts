import { expect, it } from 'vitest'
import { selectFiles } from '../../src/code/files/source-files.ts'
import { noProgress } from '../support/progress.ts'
import { temporaryFolder } from '../support/flagadm.ts'

const { signal } = new AbortController()
const files = { 'src/a.ts': '', 'src/b.js': '', 'src/Gen/c.ts': '', 'lib/d.ts': '' }

it.each([
  ['src\\**\\*.ts', 'src/Gen/c.ts src/a.ts'],
  ['src/**/*.ts', 'src/Gen/c.ts src/a.ts'],
  ['.\\src', 'src/Gen/c.ts src/a.ts src/b.js'],
  ['src !src\\Gen', 'src/a.ts src/b.js'],
  ['src !src\\gen\\**', 'src/a.ts src/b.js'],
  ['**\\D.TS', 'lib/d.ts'],
])('the globs %s select the files %s', async (globs, selected) => {
  const cwd = await temporaryFolder(files)
  const found = await selectFiles(globs.split(' '), { cwd, env: {}, signal, progress: noProgress })
  expect(found.files.map(({ file }) => file).join(' ')).toBe(selected)
})
