// `naming check --staged`: the names that git's index adds, as a hook before a commit checks them.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { branchOf, worldIn } from '../support/branch.ts'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'
import { git } from '../support/git.ts'

const before = { 'src/a.ts': "isEnabled('Old_Name')\n", 'src/b.ts': 'x\n' }

async function write(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

async function check(root: string, more: readonly string[] = [], env = {}) {
  const argv = ['naming', 'check', '--scan', 'src', '--pattern', '[a-z-]+', '--staged', ...more]
  const world = worldIn(root)
  const { code, stdout, stderr } = await flagadm(argv, { ...world, env: { ...world.env, ...env } })
  return { code, stdout, stderr }
}

/** A repository in which a file is staged and then changed again. */
async function stagedIn(text: string, later: string): Promise<string> {
  const root = await branchOf(before, {})
  await write(root, 'src/c.ts', text)
  git(root, 'add', '--all')
  await write(root, 'src/c.ts', later)
  return root
}

it('checks the names in the index, not those of the work tree or of the last commit', async () => {
  const root = await stagedIn("isEnabled('New_Name')\n", "isEnabled('Other_Name')\n")
  expect(await check(root, ['-o', 'names'])).toMatchObject({ code: 9, stdout: 'New_Name\n' })
  await write(root, 'src/c.ts', "isEnabled('new-name')\n")
  expect((await check(root, ['-o', 'names'])).stdout).toBe('New_Name\n')
  git(root, 'add', '--all')
  expect(await check(root)).toEqual({
    code: 0,
    stdout: '✓ 1 name checked: all follow the rule\n',
    stderr: '',
  })
})

it('notes that no staged change adds a name', async () => {
  const root = await stagedIn('x\n', "isEnabled('Other_Name')\n")
  expect(await check(root)).toEqual({
    code: 0,
    stdout: '✓ there are no names to check\n',
    stderr: 'note: no staged change adds a name\n',
  })
})

it('reads a file that only the index has, and none that only the work tree has', async () => {
  const root = await branchOf(before, {})
  await write(root, 'src/c.ts', "isEnabled('New_Name')\n")
  await write(root, 'src/d.ts', "isEnabled('Not_Staged')\n")
  git(root, 'add', 'src/c.ts')
  await rm(join(root, 'src/c.ts'))
  expect((await check(root, ['-o', 'names'])).stdout).toBe('New_Name\n')
})

it('checks all staged names before the first commit', async () => {
  const root = await temporaryFolder({ 'src/a.ts': "isEnabled('New_Name')\n" })
  git(root, 'init', '--quiet', '--initial-branch', 'main')
  git(root, 'add', '--all')
  expect(await check(root, ['-o', 'names'])).toMatchObject({ code: 9, stdout: 'New_Name\n' })
})

it('reads the index that git names for a hook, as git commit --all has it', async () => {
  const root = await branchOf(before, {})
  await write(root, 'src/b.ts', "isEnabled('New_Name')\n")
  const index = join(root, '.git/next-index')
  git(root, 'read-tree', `--index-output=${index}`, 'HEAD')
  const id = git(root, 'hash-object', '-w', 'src/b.ts').trim()
  git(root, 'update-index', '--cacheinfo', `100644,${id},src/b.ts`)
  git(root, 'read-tree', `--index-output=${index}`, git(root, 'write-tree').trim())
  git(root, 'read-tree', 'HEAD')
  expect((await check(root, ['-o', 'names'])).stdout).toBe('')
  expect((await check(root, ['-o', 'names'], { GIT_INDEX_FILE: index })).stdout).toBe('New_Name\n')
})

it('fails for a staged lookup that could not be read, but not for an old one', async () => {
  const root = await branchOf({ ...before, 'src/b.ts': 'isEnabled(old)\n' }, {})
  await write(root, 'src/c.ts', 'isEnabled(fresh)\n')
  git(root, 'add', '--all')
  const { code, stdout } = await check(root, ['--fail-on', 'unresolved'])
  expect([code, stdout]).toEqual([
    9,
    `src/c.ts
  1:1  error  a lookup could not be read: isEnabled(fresh)
? there are no names to check in what could be read
`,
  ])
})

it.each([
  [['--added-since', 'main'], '--staged cannot be used with --added-since'],
  [['--scan', 'none'], '--scan: no file matches none'],
])('is refused with %j', async (more, problem) => {
  const root = await branchOf(before, {})
  const { code, stderr } = await check(root, more)
  expect([code, stderr.split('\n')[0]]).toEqual([2, `error: ${problem}`])
})
