import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shell } from '../support/binary.ts'
import { environment, temporaryFolder } from '../support/flagadm.ts'
import { copyProgram, restricted, type Copies } from '../support/nobody.ts'
import { serve, someUsage, usageOnly } from '../support/server.ts'

let copies: Copies
beforeAll(async () => {
  copies = await copyProgram()
})
afterAll(() => copies.remove())

const row = '{"flag":"f","application":"web","environment":"production"'
const usage = 'flagadm feature usage f -o jsonl'

async function someService() {
  const { url } = await serve((response, request) => usageOnly(response, request, someUsage))
  return environment(url)
}

test('completion ends although the file of the key is a pipe without a writer', async () => {
  const config = 'profiles:\n  a:\n    baseUrl: http://127.0.0.1:1\n    apiKeyFile: ../../key\n'
  const cwd = await temporaryFolder({ '.config/flagadm/config.yaml': config })
  const script = 'mkfifo key; echo "$(flagadm complete -- feature usage "")"'
  const { code, stdout } = await shell(script, {}, { cwd })
  expect([code, stdout]).toEqual([0, ':\n'])
})

describe('the home directory', () => {
  test.each([
    ['is not set', 'unset HOME'],
    ['is a relative path', 'HOME=here'],
  ])('is optional: it %s', async (_, script) => {
    const { code, stdout, stderr } = await shell(`${script}\n${usage}`, await someService())
    expect({ code, stdout: stdout.slice(0, row.length), stderr }).toEqual({
      code: 0,
      stdout: row,
      stderr: '',
    })
  })

  test('that cannot be entered is ignored, and the working directory may be read-only', async () => {
    const placement = await restricted()
    const HOME = join(placement.cwd, 'home')
    await mkdir(HOME, { mode: 0o000 })
    await chmod(placement.cwd, 0o555)
    const all = { ...(await someService()), ...copies.env, HOME }
    const { code, stdout, stderr } = await shell(usage, all, placement)
    expect({ code, stdout: stdout.slice(0, row.length), stderr }).toEqual({
      code: 0,
      stdout: row,
      stderr: '',
    })
  })

  test('whose configuration folder cannot be entered is an error, because it may bind the key to an address', async () => {
    const placement = await restricted()
    const folder = join(placement.cwd, '.config/flagadm')
    await mkdir(folder, { recursive: true })
    await chmod(join(placement.cwd, '.config'), 0o755)
    await chmod(folder, 0o000)
    expect(await shell(usage, { ...(await someService()), ...copies.env }, placement)).toEqual({
      code: 3,
      stdout: '',
      stderr:
        `error: ${folder}/config.yaml: cannot be read: permission denied\n` +
        'hint: check its permissions\n',
    })
  })

  test('to which no configuration can be added is an error with its reason', async () => {
    const placement = await restricted()
    await chmod(placement.cwd, 0o555)
    const add = 'flagadm profile add a --base-url https://a.test --api-key-env A --no-check'
    const env = { ...copies.env, HOME: placement.cwd }
    expect(await shell(add, env, placement)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `error: ${placement.cwd}/.config/flagadm/config.yaml cannot be written: permission denied\n` +
        'hint: check the path and its permissions\n',
    })
  })
})

test('a file that must not be read is reported without doubting its path', async () => {
  const placement = await restricted()
  await writeFile(join(placement.cwd, 'rule.yaml'), 'featureNaming: { pattern: a }\n')
  await chmod(join(placement.cwd, 'rule.yaml'), 0o000)
  const { stderr } = await shell('flagadm naming lint --rule rule.yaml', copies.env, placement)
  expect(stderr).toBe(
    'error: --rule: cannot read rule.yaml: permission denied\nhint: check the permissions of the file\n',
  )
})

test('a working directory that no longer exists is reported', async () => {
  const script = `mkdir gone && cd gone && rmdir ../gone && ${usage}`
  expect(await shell(script, await someService())).toEqual({
    code: 3,
    stdout: '',
    stderr:
      'error: the working directory no longer exists\nhint: change to an existing directory\n',
  })
})

describe('output', () => {
  const check = 'naming check Bad --pattern "[a-z]+"'

  /** A command that runs flagadm on a terminal. */
  const onTerminal = (command: string) => `script -qec '"$NODE" "$BIN" ${command}' /dev/null`

  test('is coloured only on a terminal, unless colour is forced', async () => {
    const command = `flagadm ${check}`
    const plain = await shell(command)
    expect([plain.code, plain.stdout.includes('\u001b')]).toEqual([9, false])
    const forced = await shell(command, { FORCE_COLOR: '1' })
    expect([forced.code, forced.stdout.replaceAll(/\u001b\[\d+m/g, '')]).toEqual([9, plain.stdout])
    expect(forced.stdout).toContain('\u001b[1mBad\u001b[22m')
    expect(await shell(command, { FORCE_COLOR: '1', NO_COLOR: '1' })).toEqual(plain)
  })

  describe.runIf(process.platform === 'linux')('on a terminal', () => {
    test.each([
      ['is coloured', { TERM: 'xterm' }, true],
      ['is not coloured with NO_COLOR', { TERM: 'xterm', NO_COLOR: '1' }, false],
      [
        'is not coloured with both NO_COLOR and FORCE_COLOR',
        { NO_COLOR: '1', FORCE_COLOR: '1' },
        false,
      ],
    ])('%s', async (_, variables, colored) => {
      const { code, stdout } = await shell(onTerminal(check), variables)
      expect([code, stdout.includes('\u001b[')]).toEqual([9, colored])
      expect(stdout).not.toContain('Warning')
    })
  })
})
