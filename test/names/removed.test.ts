import { execFileSync } from 'node:child_process'
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderIgnoringCase } from '../support/case.ts'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'

function git(cwd: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=n', '-c', 'user.email=e@test', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...identity, ...args], { cwd })
}

/** A repository whose code used four flags and now uses two of them. */
async function repository(folder?: string): Promise<string> {
  const root = folder ?? (await temporaryFolder())
  await mkdir(join(root, 'src/old'), { recursive: true })
  const b = "isEnabled('checkout-new-basket'); isEnabled('checkout-express-pay')\n"
  await writeFile(
    join(root, 'src/a.ts'),
    "isEnabled('dark-mode'); isEnabled('checkout-gift-cards')\n",
  )
  await writeFile(join(root, 'src/old/b.ts'), b)
  git(root, 'init', '--quiet', '--initial-branch', 'main')
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--message', 'first')
  await rm(join(root, 'src/old'), { recursive: true })
  // Moved to another file, so that it is still used.
  await writeFile(join(root, 'src/c.ts'), "isEnabled('checkout-express-pay')\n")
  await writeFile(join(root, 'src/a.ts'), "isEnabled('checkout-gift-cards')\n")
  return root
}

const temporary = await realpath(tmpdir())

const native = (path: string) => path.replaceAll('/', sep)

async function removed(root: string, ...argv: string[]) {
  const options = [...argv, '--group-by', 'flag', '-o', 'csv', '-p', 'sandbox']
  const { code, stdout, stderr } = await flagadm(['feature', 'usage', ...options], {
    cwd: join('..', relative(temporary, root)),
    env: { PATH: process.env.PATH ?? '' },
  })
  const flags = stdout.split('\r\n').slice(1, -1)
  return { code, flags: flags.map((line) => line.split(',')[0]), stderr }
}

it('reads the usage of flags that the code no longer uses', async () => {
  const root = await repository()
  expect(await removed(root, '--removed-since', 'main', '--scan', 'src')).toEqual({
    code: 0,
    flags: ['dark-mode', 'checkout-new-basket'],
    stderr: '',
  })
})

it('accepts globs in the notation of the system', async () => {
  const root = await repository()
  const globs = [`--scan=${native('src/**')}`, `--scan=!${native('src/old')}`]
  const { flags, stderr } = await removed(root, '--removed-since=main', ...globs)
  expect([flags, stderr]).toEqual([['dark-mode'], 'note: 1 file excluded\n'])
})

it('accepts globs in any case where the folder ignores it', async ({ skip }) => {
  const folder = await folderIgnoringCase()
  if (folder === undefined) return skip('this machine cannot make a folder that ignores case')
  const globs = ['--scan', 'SRC', '--scan', '!Src/OLD']
  const { flags, stderr } = await removed(
    await repository(folder),
    '--removed-since=main',
    ...globs,
  )
  expect([flags, stderr]).toEqual([['dark-mode'], 'note: 1 file excluded\n'])
})

it('includes flags of a removed directory', async () => {
  const root = await repository()
  const { flags } = await removed(root, '--removed-since=main', '--scan=src/old', '--scan=src/c.ts')
  expect(flags).toEqual(['checkout-new-basket'])
})

it.each([
  ['a constant of another file', "import { DARK } from './flags'\nisEnabled(DARK)\n"],
  ['an object of another file', "import { flags } from './flags'\nisEnabled(flags.dark)\n"],
])('keeps a name that moved into %s', async (_, text) => {
  const root = await repository()
  await writeFile(join(root, 'src/a.ts'), `${text}isEnabled('checkout-gift-cards')\n`)
  await writeFile(
    join(root, 'src/flags.ts'),
    "export const DARK = 'dark-mode'\nexport const flags = { dark: 'dark-mode' }\n",
  )
  const { flags } = await removed(root, '--removed-since', 'main', '--scan', 'src')
  expect(flags).toEqual(['checkout-new-basket'])
})

it('keeps a name whose literal is left without a call', async () => {
  const root = await repository()
  await writeFile(join(root, 'src/d.ts'), "export const rollout = ['dark-mode']\n")
  const { flags } = await removed(root, '--removed-since', 'main', '--scan', 'src')
  expect(flags).toEqual(['checkout-new-basket'])
})

it('also reads names given as arguments', async () => {
  const root = await repository()
  const argv = ['maintenance-banner', '--removed-since', 'main', '--scan', 'src']
  expect((await removed(root, ...argv)).flags).toEqual([
    'maintenance-banner',
    'dark-mode',
    'checkout-new-basket',
  ])
})

it('notes calls that may use a flag in another way', async () => {
  const root = await repository()
  await writeFile(join(root, 'src/a.ts'), 'isEnabled(flag)\n')
  const { stderr } = await removed(root, '--removed-since', 'main', '--scan', 'src')
  expect(stderr).toBe('note: 1 of 2 lookups could not be read\n')
})

it('succeeds when no name was removed', async () => {
  const root = await repository()
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--message', 'second')
  expect(await removed(root, '--removed-since', 'HEAD', '--scan', 'src')).toEqual({
    code: 0,
    flags: [],
    stderr: 'note: no flag names were removed since HEAD\n',
  })
})

it('leaves out names that are still quoted in scanned files', async () => {
  const root = await repository()
  await writeFile(join(root, 'src/a.ts'), 'isEnabled(Flags.Dark)\n')
  await writeFile(join(root, 'src/flags.ts'), "export const names = ['dark-mode']\n")
  const { flags } = await removed(root, '--removed-since', 'main', '--scan', 'src')
  expect(flags).toEqual(['checkout-gift-cards', 'checkout-new-basket'])
})

it.each(['main', 'main..', 'main...'])('compares with where it left %s', async (revision) => {
  const root = await repository()
  git(root, 'checkout', '--quiet', '-b', 'branch')
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--message', 'remove')
  git(root, 'stash', '--include-untracked', '--quiet')
  git(root, 'checkout', '--quiet', 'main')
  await writeFile(join(root, 'src/new.ts'), "isEnabled('checkout-coupon-banner')\n")
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--message', 'new')
  git(root, 'checkout', '--quiet', 'branch')
  const { flags } = await removed(root, '--removed-since', revision, '--scan', 'src')
  expect(flags).toEqual(['dark-mode', 'checkout-new-basket'])
})

it('refuses a revision without a common commit', async () => {
  const root = await repository()
  git(root, 'checkout', '--quiet', '--orphan', 'other')
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--message', 'other')
  expect(await removed(root, '--removed-since', 'main', '--scan', 'src')).toEqual({
    code: 2,
    flags: [],
    stderr:
      "error: --removed-since: no common commit of HEAD and 'main'\nhint: a shallow clone lacks older commits: run git fetch --unshallow, or use fetch-depth: 0 with actions/checkout\n",
  })
})

describe('of code with lookups that could not be read', () => {
  async function unread() {
    const root = await repository()
    await writeFile(join(root, 'src/b.ts'), "isEnabled(flag); isEnabled('dark-mode')\n")
    await writeFile(join(root, 'src/d.ts'), "isEnabled('checkout-new-basket')\n")
    return root
  }
  const sentence = (revision: string) =>
    `of the names that could be read, none was removed since ${revision} (1 of 5 lookups could not be read)\n`

  async function output(root: string, format: string, ...argv: string[]) {
    const usage = ['feature', 'usage', '--removed-since', 'main', '--scan', 'src', ...argv]
    const { stdout, stderr } = await flagadm([...usage, '-o', format, '-p', 'sandbox'], {
      cwd: join('..', basename(root)),
      env: { PATH: process.env.PATH ?? '' },
    })
    return { stdout, stderr }
  }

  it.each([
    ['table', sentence('main')],
    ['markdown', sentence('`main`')],
    ['jsonl', '{"incomplete":{"lookups":[{"unread":1,"of":5}]}}\n'],
  ])('%s says so if no name was removed', async (format, stdout) => {
    expect(await output(await unread(), format)).toEqual({ stdout, stderr: '' })
  })

  it.each(['csv', 'openmetrics'])('%s has a note if no name was removed', async (format) => {
    expect(await output(await unread(), format)).toEqual({
      stdout: '',
      stderr: `note: ${sentence('main')}`,
    })
  })

  it('reports of gates say so if no name was removed', async () => {
    const root = await unread()
    const gate = ['--expect', 'unused', '--since', '24h']
    expect((await output(root, 'text', ...gate)).stdout).toBe(sentence('main'))
    expect((await output(root, 'github', ...gate)).stdout).toBe(
      `::warning title=usage-incomplete::${sentence('main')}`,
    )
    expect((await output(root, 'junit', ...gate)).stdout).toContain(
      '<skipped message="of the names',
    )
    expect((await output(root, 'json', ...gate)).stdout).toBe(
      '{"flags":[],"incomplete":{"lookups":[{"unread":1,"of":5}]}}\n',
    )
  })

  it('reports of removed names say so', async () => {
    const root = await repository()
    await writeFile(join(root, 'src/b.ts'), 'isEnabled(flag)\n')
    const text =
      'Incomplete: only flags whose names could be read (1 of 3 lookups could not be read)\n'
    expect((await output(root, 'table')).stdout).toContain(text)
    expect((await output(root, 'markdown')).stdout).toContain(text)
    expect((await output(root, 'openmetrics')).stdout).toContain(
      'feature_flag_usage_unread{kind="lookup"} 1\n',
    )
  })

  it('reports of removed names say so for the revision', async () => {
    const root = await unread()
    git(root, 'add', '--all')
    git(root, 'commit', '--quiet', '--message', 'unread')
    await rm(join(root, 'src/b.ts'))
    expect((await output(root, 'table')).stdout).toContain(
      'Incomplete: only flags whose names could be read (1 of 5 lookups could not be read at main)\n',
    )
  })
})

it('requires --scan', async () => {
  const root = await repository()
  expect(await removed(root, '--removed-since', 'main')).toEqual({
    code: 2,
    flags: [],
    stderr:
      'error: --removed-since requires --scan\nhint: use --scan <glob>, or add scan.paths to the project configuration\n',
  })
})

it('refuses a glob that matches no file in either version', async () => {
  const root = await repository()
  expect(await removed(root, '--removed-since', 'main', '--scan', 'scr')).toEqual({
    code: 2,
    flags: [],
    stderr:
      'error: --scan: no file matches scr\nhint: check the path; it matches no file at main either\n',
  })
})

it('never passes git a revision that looks like an option', async () => {
  const root = await repository()
  expect(await removed(root, '--removed-since=--output=x', '--scan', 'src')).toEqual({
    code: 2,
    flags: [],
    stderr:
      "error: --removed-since: unknown revision '--output=x'\nhint: check its name, and fetch it first: a shallow clone has no older commits\n",
  })
})
