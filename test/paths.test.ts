import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { join } from '../src/paths.ts'
import { folderIgnoringCase } from './support/case.ts'
import { flagadm } from './support/flagadm.ts'
import { sandboxOf } from './support/sandbox.ts'

<<<<<<< HEAD
const temporary = await realpath(tmpdir())

/** Runs flagadm in a folder. */
function flagadmIn(cwd: string, argv: readonly string[], world: World = {}) {
  return flagadm(argv, { ...world, cwd: join('..', relative(temporary, cwd)) })
}

async function write(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

describe('a folder that ignores case', () => {
  let folder = ''

  beforeEach(async ({ skip }) => {
    folder = (await folderIgnoringCase()) ?? ''
    skip(
      folder === '',
      'this machine cannot make a folder that ignores case: it needs root and ntfs-3g',
    )
  })

  test('is recognized, and so are its files in any case', async () => {
    await write(folder, { 'some/file': '' })
    expect(ignoresCase(folder)).toBe(true)
    expect(ignoresCase(join(folder, 'some'))).toBe(true)
    expect(isSameFile(join(folder, 'SOME/File'), join(folder, 'some/file'))).toBe(true)
  })

  test('is scanned with globs in any case', async () => {
    await write(folder, { 'src/a.ts': "isEnabled('A')\n", 'src/gen/b.ts': "isEnabled('B')\n" })
    const check = ['naming', 'check', '--pattern', '[a-z]', '-o', 'json']
    const globs = ['--scan', '**/*.TS', '--scan', '!SRC/Gen']
    const { stdout } = await flagadmIn(folder, [...check, ...globs])
    expect(JSON.parse(stdout).violations).toMatchObject([{ name: 'A' }])
  })

  test('gets no two files whose names differ only in case', async () => {
    const projects = ['team', 'Team'].map((id) => ({ id, mode: 'open' as const }))
    const sandbox = await sandboxOf(projects)
    const argv = ['project', 'settings', 'export', '--all-projects', '--dir', join(folder, 'out')]
    const { code, stderr } = await flagadm(argv, sandbox)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/team\.yaml already exists\n/i)])
    expect(readFileSync(join(folder, 'out/team.yaml'), 'utf8')).toContain('mode: open')
  })
})

test('a folder that respects case is recognized', async ({ skip }) => {
  const folder = await temporaryFolder({ a: '' })
  await write(folder, { A: '', b: '' })
  const isSame = isSameFile(join(folder, 'a'), join(folder, 'A'))
  skip(isSame, 'the temporary folder ignores case')
  expect(ignoresCase(folder)).toBe(false)
  // An empty folder behaves like the one that contains it.
  expect(ignoresCase(await temporaryFolder())).toBe(false)
=======
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
  expect([code, stderr]).toEqual([2, expect.stringMatching(/team\.yaml already exists\n/i)])
  expect(readFileSync(join(`${folder}`, 'out/team.yaml'), 'utf8')).toContain('mode: open')
>>>>>>> shell
})
