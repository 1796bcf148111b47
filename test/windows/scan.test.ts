import { describe, expect, it } from 'vitest'
import { join } from '../../src/paths.ts'
import { selectFiles, selectPaths } from '../../src/scan/globs.ts'
import { temporaryFolder } from '../support/flagadm.ts'

const { signal } = new AbortController()
const files = { 'src/a.ts': '', 'src/b.js': '', 'src/Gen/c.ts': '', 'lib/d.ts': '' }

const cases: [globs: string[], selected: string[]][] = [
  [['src\\**\\*.ts'], ['src/Gen/c.ts', 'src/a.ts']],
  [['src/**/*.ts'], ['src/Gen/c.ts', 'src/a.ts']],
  [['.\\src'], ['src/Gen/c.ts', 'src/a.ts', 'src/b.js']],
  [
    ['src', '!src\\Gen'],
    ['src/a.ts', 'src/b.js'],
  ],
  [
    ['src', '!src\\Gen\\'],
    ['src/a.ts', 'src/b.js'],
  ],
  [
    ['src', '!**\\*.js'],
    ['src/Gen/c.ts', 'src/a.ts'],
  ],
  [['**\\D.TS'], ['lib/d.ts']],
  [
    ['src', '!src\\gen\\**'],
    ['src/a.ts', 'src/b.js'],
  ],
]

describe('globs select', () => {
  it.each(cases)('files for %j', async (globs, selected) => {
    const folder = await temporaryFolder(files)
    expect((await selectFiles(globs, folder, signal)).files).toEqual(selected)
  })

  it.each(cases)('paths of git for %j', async (globs, selected) => {
    const folder = await temporaryFolder(files)
    const paths = Object.keys(files).map((path) => join(folder, path))
    const found = await selectPaths(globs, paths, folder, signal)
    expect(found).toEqual({ files: selected, unmatched: [] })
  })

  it.each([['SRC'], ['SRC\\A.TS', 'src'], ['SRC\\**']])(
    'paths of git for %j in any case',
    async (...globs) => {
      const folder = await temporaryFolder(files)
      const selected = ['src/Gen/c.ts', 'src/a.ts', 'src/b.js']
      const paths = selected.map((path) => join(folder, path))
      const found = await selectPaths(globs, paths, folder, signal)
      expect(found).toEqual({ files: selected, unmatched: [] })
    },
  )
})
