import { execFileSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { expect, it } from 'vitest'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'

function git(cwd: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=n', '-c', 'user.email=e@test', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...identity, ...args], { cwd })
}

/** A repository whose code used four flags and now uses two of them. */
async function repository(): Promise<string> {
  const root = await temporaryFolder({
    'src/a.ts': "isEnabled('dark-mode'); isEnabled('checkout-gift-cards')\n",
    'src/old/b.ts': "isEnabled('checkout-new-basket'); isEnabled('checkout-express-pay')\n",
  })
  git(root, 'init', '--quiet', '--initial-branch', 'main')
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--message', 'first')
  await rm(join(root, 'src/old'), { recursive: true })
  // Moved to another file, so that it is still used.
  await writeFile(join(root, 'src/c.ts'), "isEnabled('checkout-express-pay')\n")
  await writeFile(join(root, 'src/a.ts'), "isEnabled('checkout-gift-cards')\n")
  return root
}

const native = (path: string) => path.replaceAll('/', sep)

async function removed(root: string, ...argv: string[]) {
  const options = [...argv, '--group-by', 'flag', '-o', 'csv', '-p', 'sandbox']
  const { code, stdout, stderr } = await flagadm(['feature', 'usage', ...options], {
    cwd: join('..', basename(root)),
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
  expect([flags, stderr]).toEqual([['dark-mode'], ''])
})

it('includes flags of a removed directory', async () => {
  const root = await repository()
  const { flags } = await removed(root, '--removed-since=main', '--scan=src/old', '--scan=src/c.ts')
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
  expect(stderr).toBe('note: 1 call uses an expression and was not checked\n')
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

it('requires --scan', async () => {
  const root = await repository()
  expect(await removed(root, '--removed-since', 'main')).toEqual({
    code: 2,
    flags: [],
    stderr:
      'error: --removed-since requires --scan\nhint: add --scan or leave out --removed-since\n',
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
