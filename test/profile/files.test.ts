import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'

const change = ['project', 'settings', 'set', 'p', '--mode', 'open', '--dry-run', '--json']
const userFile = 'home/.config/flagadm/config.yaml'

function at(name: string): string {
  return `baseUrl: https://${name}.test\n`
}

/** The address used, which shows which file was read. */
async function addressWith(files: Record<string, string>, cwd = 'work', argv: string[] = []) {
  const { code, stdout, stderr } = await flagadm([...change, ...argv], { files, cwd })
  return code === 0 ? JSON.parse(stdout).baseUrl : JSON.parse(stderr).error.message
}

const none = 'no service is configured'

describe('of the project files', () => {
  test.each([
    [
      'the nearest one is read',
      { 'work/.flagadmrc': at('far'), 'work/a/.flagadmrc': at('near') },
      'near',
    ],
    ['one between is read', { 'work/a/.flagadmrc': at('between') }, 'between'],
    ['one at the root is read', { 'work/.flagadmrc': at('root') }, 'root'],
  ])('%s', async (_what, files, name) => {
    const address = await addressWith({ ...files, 'work/.git/HEAD': '' }, 'work/a/b')
    expect(address).toBe(`https://${name}.test`)
  })

  test('only the one in the working directory is read outside a repository', async () => {
    expect(await addressWith({ 'work/.flagadmrc': at('above') }, 'work/a')).toBe(none)
    expect(await addressWith({ 'work/a/.flagadmrc': at('here') }, 'work/a')).toBe(
      'https://here.test',
    )
  })

  test('the first that is not empty is read', async () => {
    const files = {
      'work/.flagadmrc': '',
      'work/.flagadmrc.json': 'null',
      'work/.flagadmrc.yaml': '# nothing\n',
      'work/flagadm.config.json': JSON.stringify({ baseUrl: 'https://first.test' }),
      'work/flagadm.config.yaml': at('second'),
    }
    expect(await addressWith(files)).toBe('https://first.test')
  })

  test.each(['{"name": "x"}', '{"flagadm": null}', '{"flagadm": {}}', '[]', '1'])(
    'a package.json that is %s is ignored',
    async (text) => {
      expect(await addressWith({ 'work/package.json': text })).toBe(none)
    },
  )
})

describe('of the user files', () => {
  test('the first of config.yaml, config.yml and config.json is read', async () => {
    const folder = 'home/.config/flagadm'
    const files = {
      [`${folder}/config.json`]: JSON.stringify({ baseUrl: 'https://json.test' }),
      [`${folder}/config.yml`]: at('yml'),
    }
    expect(await addressWith(files)).toBe('https://yml.test')
    expect(await addressWith({ ...files, [userFile]: at('yaml') })).toBe('https://yaml.test')
  })

  test('none is read if the folder is a file', async () => {
    expect(await addressWith({ 'home/.config/flagadm': 'a file' })).toBe(none)
  })
})

test('a folder with the name of a configuration file is skipped', async () => {
  const files = { 'work/.flagadmrc/x': '', 'work/.flagadmrc.yaml': at('next') }
  expect(await addressWith(files)).toBe('https://next.test')
})

test('a configuration file that cannot be read is reported', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'flagadm'))
  const file = join(folder, 'flagadm/config.yaml')
  await symlink('config.yaml', file)
  const { code, stderr } = await flagadm(change.slice(0, -1), { env: { XDG_CONFIG_HOME: folder } })
  expect([code, stderr]).toEqual([
    3,
    `error: ${file}: cannot be read: ELOOP\nhint: check its permissions\n`,
  ])
})

test('the file of --config must contain a configuration', async () => {
  const files = { 'work/empty.yaml': '# nothing\n', 'work/null.json': 'null' }
  for (const file of ['empty.yaml', 'null.json']) {
    expect(await addressWith(files, 'work', ['--config', file])).toMatch(
      /: contains no configuration$/,
    )
  }
})

describe('the profile used is', () => {
  const profiles = '{a: {baseUrl: https://a.test}, b: {baseUrl: https://b.test}}'
  test.each([
    [
      'the default of the file of --config',
      { 'work/own.yaml': `defaultProfile: b\nprofiles: ${profiles}\n` },
      ['--config', 'own.yaml'],
    ],
    [
      "not a project's default",
      {
        'work/.flagadmrc': 'defaultProfile: a\n',
        [userFile]: `defaultProfile: b\nprofiles: ${profiles}\n`,
      },
      [],
    ],
    [
      "the project's rather than the user's",
      { 'work/.flagadmrc': 'profile: b\n', [userFile]: `profile: a\nprofiles: ${profiles}\n` },
      [],
    ],
    [
      "the user's profile field rather than the default",
      { [userFile]: `profile: b\ndefaultProfile: a\nprofiles: ${profiles}\n` },
      [],
    ],
    [
      'the one requested',
      { [userFile]: `profile: a\nprofiles: ${profiles}\n` },
      ['--profile', 'b'],
    ],
  ])('%s', async (_what, files, argv) => {
    expect(await addressWith(files, 'work', argv)).toBe('https://b.test')
  })

  test('the one in FLAGADM_PROFILE, unless it is empty', async () => {
    const files = { [userFile]: `profile: a\nprofiles: ${profiles}\n` }
    const addresses = ['b', ''].map(async (FLAGADM_PROFILE) => {
      const { stdout } = await flagadm(change, { files, env: { FLAGADM_PROFILE } })
      return JSON.parse(stdout).baseUrl
    })
    expect(await Promise.all(addresses)).toEqual(['https://b.test', 'https://a.test'])
  })
})

test('a file may contain a naming rule, a timeout and retries in addition to its profile', async () => {
  const rule = 'naming: {pattern: a+, example: aa, description: some}'
  expect(
    await addressWith({ 'work/.flagadmrc': `${rule}\ntimeout: 3\nretries: 1\n${at('x')}` }),
  ).toBe('https://x.test')
})

test('a user without a home directory has no configuration but may have a key file', async () => {
  const files = { [userFile]: at('home'), 'work/c.yaml': `${at('work')}apiKeyFile: ~/key\n` }
  const world = { files, homeless: true }
  const { code, stderr } = await flagadm(change.slice(0, -1), world)
  expect([code, stderr.split('\n')[0]]).toEqual([3, `error: ${none}`])
  const reading = await flagadm(['feature', 'usage', 'f', '--config', 'c.yaml'], world)
  expect([reading.code, reading.stderr]).toEqual([
    3,
    `error: apiKeyFile of profile 'default': cannot read the file: no such file\nhint: check the path\n`,
  ])
})
