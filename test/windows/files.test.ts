import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { join } from '../../src/paths.ts'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'

// libuv: while the file is open, no other process can open, replace or remove it.
const EXCLUSIVE = 0x10000000

const user = 'home/.config/flagadm/config.yaml'
const config = 'profiles:\n  a:\n    baseUrl: https://a.test\n    apiKeyEnv: KEY\n'

test('a configuration that another process has open stays as it is', async () => {
  const folder = await temporaryFolder({ [user]: config })
  const path = join(folder, user)
  const file = await open(path, constants.O_RDWR | EXCLUSIVE)
  onTestFinished(() => file.close())
  const add = ['profile', 'add', 'b', '--base-url', 'https://b.test', '--no-check']
  const { code } = await flagadm([...add, '--api-key-env', 'KEY'], {
    env: { XDG_CONFIG_HOME: join(folder, 'home/.config') },
  })
  expect(code).toBe(3)
  expect(await readdir(join(folder, 'home/.config/flagadm'))).toEqual(['config.yaml'])
})
