import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CANARY, flagadm, temporaryFolder } from '../support/flagadm.ts'

const usage = ['feature', 'usage', 'some-flag']
const userFile = 'home/.config/flagadm/config.yaml'

describe('a key that others can read causes a warning', () => {
  const key = `apiKey: '${CANARY}'`
  test.each([
    [
      'in a profile',
      0o640,
      true,
      `profiles: {a: {baseUrl: https://a.test}, b: {baseUrl: https://b.test, ${key}}}`,
    ],
    ['at the top level', 0o604, true, `baseUrl: https://a.test\n${key}\n`],
    ['where only the owner can', 0o700, false, `baseUrl: https://a.test\n${key}\n`],
    ['where there is none', 0o644, false, 'baseUrl: https://a.test\napiKeyEnv: KEY\n'],
  ])('%s, with mode %i: %s', async (_where, mode, warned, text) => {
    const folder = await temporaryFolder({ 'c.yaml': text })
    const file = join(folder, 'c.yaml')
    await chmod(file, mode)
    const { stderr } = await flagadm([
      ...['project', 'settings', 'set', 'p', '--mode', 'open', '--dry-run'],
      ...['--config', file, '--base-url', 'https://x.test'],
    ])
    const warning = `warning: ${file} contains an API key and others can read it: run chmod 600 '${file}'\n`
    expect(stderr.includes(warning)).toBe(warned)
  })
})

test.each([
  ['first\nsecond', 'contains a character that is not allowed in API keys'],
  ['', 'is empty'],
])('a key file containing %j is refused', async (text, problem) => {
  const { code, stderr } = await flagadm([...usage, '--api-key-file', 'key'], {
    env: { FLAGADM_BASE_URL: 'https://x.test' },
    files: { 'work/key': text },
  })
  expect([code, stderr.split('\n')[0]]).toEqual([
    3,
    `error: the API key from --api-key-file ${problem}`,
  ])
})

test('a key file that is missing is reported', async () => {
  const { code, stderr } = await flagadm([...usage, '--api-key-file', 'none'], {
    env: { FLAGADM_BASE_URL: 'https://x.test' },
  })
  expect([code, stderr]).toEqual([
    3,
    'error: --api-key-file: cannot read the file: no such file\nhint: check the path\n',
  ])
})

test.each([
  ["apiKey: 'a b '", {}, 'apiKey'],
  ['apiKeyFile: key', { 'home/.config/flagadm/key': 'ключ' }, 'apiKeyFile'],
])('an invalid key of %s is reported with its field', async (line, files, field) => {
  const { code, stderr } = await flagadm(usage, {
    files: { [userFile]: `baseUrl: https://x.test\n${line}\n`, ...files },
  })
  expect([code, stderr.split('\n')[0]]).toEqual([
    3,
    `error: the API key from ${field} of profile 'default' contains a character that is not allowed in API keys`,
  ])
})

test('a profile without key fields has no key', async () => {
  const { code, stderr } = await flagadm(usage, {
    files: { [userFile]: 'baseUrl: https://x.test\n' },
  })
  expect([code, stderr]).toEqual([
    3,
    'error: no API key for https://x.test\n' +
      'hint: set FLAGADM_API_KEY, use --api-key-file, or add apiKeyEnv to the profile\n',
  ])
})
