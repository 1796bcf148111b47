import { describe, expect, it } from 'vitest'
import { selectFiles } from '../../src/code/files.ts'
import { temporaryFolder } from '../support/flagadm.ts'

const { signal } = new AbortController()
const env = {}
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
    const cwd = await temporaryFolder(files)
    const found = await selectFiles(globs, { cwd, env, signal })
    expect(found.files.map(({ file }) => file)).toEqual(selected)
  })
})
