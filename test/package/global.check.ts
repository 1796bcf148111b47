import { execFileSync, spawn } from 'node:child_process'
import { copyFile, mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { type Ended, ended } from '../support/binary.ts'
import { restricted } from '../support/nobody.ts'
import { fetchNode } from './node.ts'

const set = ['project', 'settings', 'set', 'checkout', '--mode', 'protected', '-p', 'sandbox']

/** Installs the packed flagadm with `npm install --global`, on a Node.js of its own. */
async function install(major: number, prefix: string): Promise<void> {
  await mkdir(join(prefix, 'bin'))
  const node = join(prefix, 'bin/node')
  await copyFile(await fetchNode(major), node)
  const npm = await realpath(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())
  const options = ['--global', '--offline', '--prefix', prefix, '--loglevel=error']
  execFileSync(node, [npm, 'install', ...options, inject('tarball')], { cwd: prefix })
}

describe.each([20, 22, 24, 26])('installed globally on Node %i', (major) => {
  test('works for a user without a home directory who may write nothing', async () => {
    const { cwd: prefix, ...user } = await restricted()
    await install(major, prefix)
    const bin = join(prefix, 'bin')
    const run = (...argv: string[]): Promise<Ended> =>
      ended(spawn(join(bin, 'flagadm'), argv, { cwd: '/', env: { PATH: bin }, ...user }))
    expect(await run('--version')).toEqual({
      code: 0,
      stdout: `${manifest.version}\n`,
      stderr: '',
    })
    expect(await run(...set)).toMatchObject({ code: 0, stderr: '' })
    expect(await run('profile', 'list')).toEqual({
      code: 0,
      stdout: 'No profiles. Add one with flagadm profile add.\n',
      stderr: '',
    })
  })
})
