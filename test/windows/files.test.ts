import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { type Clock, systemClock } from '../../src/host.ts'
import { join } from '../../src/paths.ts'
import { patientClock } from '../support/clock.ts'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'

// libuv: while the file is open, no other process can open, replace or remove it.
const EXCLUSIVE = 0x10000000

/** Opens a file as another process could; a pause of the clock closes it. */
async function holding(path: string): Promise<Clock> {
  const file: FileHandle = await open(path, constants.O_RDWR | EXCLUSIVE)
  onTestFinished(() => file.close())
  return { ...systemClock, sleep: () => file.close() }
}

const user = 'home/.config/flagadm/config.yaml'
const config = 'profiles:\n  a:\n    baseUrl: https://a.test\n    apiKeyEnv: KEY\n'
const export_ = ['feature', 'usage', 'dark-mode', '-p', 'sandbox', '-o', 'csv', '--output-file']

describe('a file that another process has open', () => {
  it('is replaced by --output-file once it is closed', async () => {
    const folder = await temporaryFolder({ out: 'old' })
    const path = join(folder, 'out')
    const { code, stderr } = await flagadm([...export_, path], { clock: await holding(path) })
    expect([code, stderr]).toEqual([0, ''])
    expect(await readFile(path, 'utf8')).toMatch(/^flag,application,/)
    expect(await readdir(folder)).toEqual(['out'])
  })

  it('is reported if it stays open', async () => {
    const folder = await temporaryFolder({ out: 'old' })
    const path = join(folder, 'out')
    await holding(path)
    const outcome = await flagadm([...export_, path], { clock: patientClock().clock })
    expect(outcome.code).toBe(1)
    const [line] = outcome.stderr.split('\n')
    // Depending on the version of Windows.
    expect(line?.replace(/(permission denied|it is in use)$/, '…')).toBe(
      `error: ${path} cannot be written: …`,
    )
    expect(await readdir(folder)).toEqual(['out'])
  })
})

describe('a name that Windows reserves', () => {
  it.each(['NUL', 'con.csv', 'LPT1'])('is refused for --output-file: %s', async (name) => {
    const { code, stderr } = await flagadm([...export_, name])
    expect([code, stderr]).toEqual([
      2,
      `error: ${name} cannot be written: Windows reserves the name\nhint: choose another name\n`,
    ])
  })
})

test('a path of more than 260 characters is read and written', async () => {
  const folder = await temporaryFolder()
  const deep = join(folder, ...Array.from({ length: 30 }, () => '0123456789'))
  const rule = join(deep, 'rule.yaml')
  await mkdir(deep, { recursive: true })
  await writeFile(rule, 'featureNaming: { pattern: "[a-z]+" }\n')
  const lint = await flagadm(['naming', 'check', 'a', '--rule', rule])
  expect([lint.code, lint.stderr]).toEqual([0, ''])
  const { code, stderr } = await flagadm([...export_, join(deep, 'out')])
  expect([code, stderr]).toEqual([0, ''])
  expect((await readdir(deep)).toSorted()).toEqual(['out', 'rule.yaml'])
})

describe('the lock of another process', () => {
  it('is kept, even if it cannot be read', async () => {
    const { clock } = patientClock()
    const folder = await temporaryFolder({ [user]: config, [`${user}.lock`]: '' })
    const path = join(folder, user)
    await holding(`${path}.lock`)
    const add = ['profile', 'add', 'b', '--base-url', 'https://b.test', '--no-check']
    const outcome = await flagadm([...add, '--api-key-env', 'KEY'], {
      env: { XDG_CONFIG_HOME: join(folder, 'home/.config') },
      clock,
    })
    expect([outcome.code, outcome.stderr]).toEqual([
      3,
      `error: ${path}.lock: another flagadm is changing the configuration\nhint: if none is running, delete it\n`,
    ])
    expect(await readdir(dirname(path))).toEqual(['config.yaml', 'config.yaml.lock'])
  })
})
