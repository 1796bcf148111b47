import { readdir, readFile, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { CANARY, temporaryFolder, type World } from '../support/flagadm.ts'
import { before, mine, profile, userFile } from '../support/profile.ts'
import { sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'

const keyOptions = '--api-key-command, --api-key-env, --api-key-file or --api-key-stdin'
const base = ['add', 'a', '--base-url', 'https://a.test/', '--no-check']
const place = '~/.config/flagadm/config.yaml'
const seed = [{ id: 'default', mode: 'open' as const }]

describe('profile add', () => {
  it.each<[string[], string, World?]>([
    [['--api-key-env', 'A_KEY'], 'apiKeyEnv: A_KEY\n'],
    [
      ['--api-key-command', `op read 'op://Private/My flags/key' "it's"`],
      "apiKeyCommand:\n      - op\n      - read\n      - op://Private/My flags/key\n      - it's\n",
    ],
    [['--api-key-env', 'A_KEY', '--allow-http'], 'apiKeyEnv: A_KEY\n    allowHttp: true\n'],
    [['--api-key-file', 'key'], 'apiKeyFile: /tmp/work/key\n', { files: { 'work/key': CANARY } }],
    [['--api-key-file=~/keys/a'], 'apiKeyFile: ~/keys/a\n', { files: { 'home/keys/a': CANARY } }],
  ])('%j creates the configuration', async (argv, fields, world) => {
    const { code, stdout, stderr, text, folder } = await profile([...base, ...argv], world)
    const done = `Added profile a (https://a.test) to ${place} as the default\n`
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: done,
      stderr: 'note: to see which flags can go:\n  flagadm feature review --all-projects\n',
    })
    expect(text?.replace(folder, '/tmp')).toBe(
      `defaultProfile: a\nprofiles:\n  a:\n    baseUrl: https://a.test\n    ${fields}`,
    )
    expect((await stat(join(folder, userFile))).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(join(folder, userFile)))).mode & 0o777).toBe(0o700)
  })

  it('stores a key from standard input in a file of its own', async () => {
    const world = { ...mine(), stdin: `${CANARY}\n` }
    const outcome = await profile([...base, '--api-key-stdin'], world)
    expect(outcome).toMatchObject({
      code: 0,
      stdout: `Added profile a (https://a.test) to ${place}; its key is in ~/.config/flagadm/a.key\n`,
      stderr:
        'note: to see which flags can go:\n  flagadm feature review --all-projects -p a\nnote: to make it the default:\n  flagadm profile use a\n',
    })
    const added = 'flags]\n  a:\n    baseUrl: https://a.test\n    apiKeyFile: a.key'
    expect(outcome.text).toBe(before.replace('flags]', added))
    const key = join(dirname(join(outcome.folder, userFile)), 'a.key')
    expect(await readFile(key, 'utf8')).toBe(`${CANARY}\n`)
    expect((await stat(key)).mode & 0o777).toBe(0o600)
    expect(await readdir(dirname(key))).toEqual(['a.key', 'config.yaml'])
  })

  it('prints JSON', async () => {
    const argv = [...base, '--api-key-stdin', '--json', '-q']
    const { stdout } = await profile(argv, { stdin: CANARY })
    expect(JSON.parse(stdout)).toEqual({
      action: 'added',
      profile: 'a',
      baseUrl: 'https://a.test',
      file: '/tmp/home/.config/flagadm/config.yaml',
      keyFile: '/tmp/home/.config/flagadm/a.key',
      default: true,
    })
  })

  it('replaces the key of a profile, which keeps everything else', async () => {
    const text = before.replace('staging:\n', 'staging:\n    concurrency: 2 # few\n')
    const argv = ['add', 'staging', '--replace', '--api-key-stdin', '--no-check']
    const run = await profile(argv, { ...mine(text), stdin: CANARY })
    expect([run.code, run.stdout, run.stderr]).toEqual([
      0,
      `Replaced the key of profile staging (https://flags.staging.example.com) in ${place}; its key is in ~/.config/flagadm/staging.key\n`,
      '',
    ])
    expect(run.text).toBe(
      text.replace('    apiKeyEnv: STAGING_KEY\n', '    apiKeyFile: staging.key\n'),
    )
    const folder = join(run.folder, 'home/.config/flagadm')
    expect(await readFile(join(folder, 'staging.key'), 'utf8')).toBe(`${CANARY}\n`)
    const again = ['add', 'staging', '--replace', '--api-key-stdin', '--no-check', '--json']
    const config = ['--config', join(folder, 'config.yaml')]
    const { stdout } = await profile([...again, ...config], { stdin: 'another-long-key' })
    expect(JSON.parse(stdout)).toMatchObject({ action: 'replaced', profile: 'staging' })
    expect(await readFile(join(folder, 'staging.key'), 'utf8')).toBe('another-long-key\n')
  })

  it('replaces no key of a profile that does not exist', async () => {
    const key = ['--api-key-env', 'A', '--no-check']
    expect(await profile(['add', 'stagin', '--replace', ...key], mine())).toMatchObject({
      code: 3,
      stderr: "error: unknown profile 'stagin'\nhint: did you mean 'staging'?\n",
      text: before,
    })
    expect((await profile(['add', '--replace', ...key], mine())).stderr).toBe(
      'error: --replace requires the name of a profile\nhint: to see the profiles:\n  flagadm profile list\n',
    )
  })

  it('does not overwrite a key file, nor follow a link in its place', async () => {
    const folder = await temporaryFolder({ 'c.yaml': before, 'b.key': 'other-key' })
    await symlink(join(folder, 'elsewhere'), join(folder, 'a.key'))
    for (const name of ['a', 'b']) {
      const argv = ['add', name, ...base.slice(2), '--api-key-stdin']
      const { code, stderr } = await profile([...argv, '--config', join(folder, 'c.yaml')], {
        stdin: CANARY,
      })
      const error = `error: ${folder}/${name}.key already exists\nhint: use another name\n`
      expect([code, stderr]).toEqual([2, error])
    }
    expect((await readdir(folder)).sort()).toEqual(['a.key', 'b.key', 'c.yaml'])
    expect(await readFile(join(folder, 'c.yaml'), 'utf8')).toBe(before)
  })

  it('leaves no key file behind if the configuration cannot be changed', async () => {
    const folder = await temporaryFolder({ 'c.yaml': 'profiles: *q\n' })
    const argv = [...base, '--api-key-stdin', '--config', join(folder, 'c.yaml')]
    const { code } = await profile(argv, { stdin: CANARY })
    expect([code, await readdir(folder)]).toEqual([3, ['c.yaml']])
  })

  const incomplete = 'a name, an address and a source of the API key are required'
  const one = 'a profile has one source of the API key, which is not --api-key-file -'
  const complete = `flagadm profile add <name> --base-url <url>, and one of ${keyOptions}`
  it.each<[string[], string, string]>([
    [['add'], incomplete, complete],
    [['add', 'a'], incomplete, complete],
    [base, incomplete, complete],
    [[...base, '--api-key-env', 'A', '--api-key-stdin'], one, `use one of ${keyOptions}`],
    [[...base, '--api-key-file', '-'], one, `use one of ${keyOptions}`],
    [
      [...base, '--api-key-env', CANARY],
      '--api-key-env: expected the name of a variable',
      'use the name without $, for example FLAGS_PRODUCTION_KEY',
    ],
    [
      [...base, '--api-key-command', 'cat key | head -1'],
      '--api-key-command: the command contains shell syntax',
      "the command is run without a shell; if it needs one: sh -c '…'",
    ],
  ])('refuses %j', async (argv, message, hint) => {
    const { code, stdout, stderr, text } = await profile(argv)
    const error = `error: ${message}\nhint: ${hint}\n`
    expect({ code, stdout, stderr, text }).toEqual({
      code: 2,
      stdout: '',
      stderr: error,
      text: undefined,
    })
  })

  it('refuses an address that would send the key unencrypted', async () => {
    const argv = ['add', 'a', '--base-url', 'http://a.test', '--api-key-env', 'A', '--no-check']
    expect(await profile(argv)).toMatchObject({ code: 3, text: undefined })
  })

  const invalid =
    'invalid profile name: use letters, digits, dots, hyphens and underscores; begin with a letter or digit'
  it('says how an address is given in place of a name', async () => {
    const argv = ['add', 'https://a.test', '--api-key-env', 'A']
    const { code, stderr } = await profile(argv, mine())
    expect([code, stderr]).toEqual([
      2,
      `error: ${invalid}\nhint: put a name first, and --base-url before the address\n`,
    ])
  })

  it.each([
    ['', 2, invalid],
    ['.a', 2, invalid],
    ['a/b', 2, invalid],
    ['a'.repeat(101), 2, invalid],
    ['constructor', 2, "the profile name 'constructor' is reserved"],
    ['sandbox', 2, "the profile name 'sandbox' is reserved"],
    [
      'staging',
      3,
      "the profile name 'staging' already exists",
      'choose another name, or replace its key with --replace',
    ],
  ])('refuses the name %j with %i', async (name, code, problem, hint = 'choose another name') => {
    const argv = ['add', name, ...base.slice(2), '--api-key-env', 'A']
    const stderr = `error: ${problem}\nhint: ${hint}\n`
    expect(await profile(argv, mine())).toMatchObject({
      code,
      stderr,
      text: before,
    })
  })
})

describe('the default after profile add', () => {
  const b = ['add', 'b', '--base-url', 'https://b.test', '--api-key-env', 'B', '--no-check']
  const fields = '  b:\n    baseUrl: https://b.test\n    apiKeyEnv: B\n'
  const single = 'profiles:\n  a:\n    baseUrl: https://a.test\n    apiKeyEnv: A\n'
  const project = {
    'work/.flagadmrc': 'profile: c\nprofiles: { c: { baseUrl: "https://c.test" } }\n',
  }

  it.each<[string, World, string]>([
    ['stays the only profile', mine(single), `${single}${fields}defaultProfile: a\n`],
    ['stays as it is', mine(), before.replace('flags]\n', `flags]\n${fields}`)],
    ['is not one of the project', { files: project }, `defaultProfile: b\nprofiles:\n${fields}`],
  ])('%s', async (_what, world, text) => {
    expect(await profile(b, world)).toMatchObject({ code: 0, text })
  })
})

describe('profile add checks the connection and the key', () => {
  const stored = '; nothing was stored; --no-check adds the profile without this check\n'
  const add = (url: string) => ['add', 'a', '--base-url', url, '--api-key-env', 'KEY']

  it('of the new profile, even if the environment or a project chooses another one', async () => {
    const { url, keys, requests } = await sandboxOf(seed)
    const other = { FLAGADM_PROFILE: 'c', FLAGADM_BASE_URL: 'http://127.0.0.1:1' }
    const { code, stdout } = await profile(add(url), {
      env: { ...other, FLAGADM_API_KEY: 'another-key', KEY: keys.full },
      files: { 'work/.flagadmrc': 'profile: c\n' },
    })
    expect([code, stdout]).toEqual([0, `Added profile a (${url}) to ${place} as the default\n`])
    expect(requests()).toEqual([
      'GET /api/admin/user 200',
      'GET /api/admin/client-metrics/features/flagadm-check 404',
    ])
  })

  it('and stores nothing after an error', async () => {
    const body = { name: 'UnauthorizedError', message: 'wrong' }
    const { url } = await serve((response) => json(response, 401, body))
    expect(await profile(add(url), { env: { KEY: '*:*.0123456789' } })).toMatchObject({
      code: 4,
      stdout: '',
      stderr: `error: admin token: 401 UnauthorizedError: wrong\nhint: check the API key, which must be an admin, service account or personal access token; --verbose shows where it comes from${stored}`,
      text: undefined,
    })
  })

  it('and stores neither profile nor key if the service cannot be reached', async () => {
    const argv = ['add', 'a', '--base-url', 'http://127.0.0.1:1', '--api-key-stdin']
    const { code, stderr, folder } = await profile([...argv, '--retries', '0'], { stdin: CANARY })
    expect({ code, stderr }).toEqual({
      code: 8,
      stderr: `error: http://127.0.0.1:1: connection refused\nhint: check the address and that the service is up${stored}`,
    })
    expect(await readdir(folder)).toEqual(['work'])
  })
})

describe('profile add on a terminal', () => {
  const named = ['Name of the profile', 'a\r'] as const
  const address = ['Address', 'https://a.test\r'] as const
  const typed = ['API key', `${CANARY}\r`] as const
  const unchecked = ['add', '--no-check']

  it('asks for the address, the key and the name, and says which key is needed', async () => {
    const dialog = [address, typed, named]
    const { code, stdout, stderr, text, folder } = await profile(unchecked, { dialog })
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Added profile a (https://a.test) to ${place} as the default; its key is in ~/.config/flagadm/a.key\n`,
    })
    expect(text).toBe(
      'defaultProfile: a\nprofiles:\n  a:\n    baseUrl: https://a.test\n    apiKeyFile: a.key\n',
    )
    expect(await readFile(join(folder, 'home/.config/flagadm/a.key'), 'utf8')).toBe(`${CANARY}\n`)
    const shown = stripVTControlCharacters(stderr)
    expect(shown).toContain('  API key (an admin, service account or personal access token)\n')
    expect(shown).toContain('│  for example https://flags.example.com\n')
    expect(shown).toContain('◆  Name of the profile\n│  production\n')
  })

  it('offers an address without the path of the API, and a name for Enter', async () => {
    const dialog = [
      ['Address', 'https://a.test/api/admin/\r'],
      ['Address without the path of the API', '\r'],
      typed,
      ['Name of the profile', '\r'],
    ] as const
    const { code, text } = await profile(unchecked, { dialog })
    expect([code, text]).toEqual([
      0,
      'defaultProfile: production\nprofiles:\n  production:\n    baseUrl: https://a.test\n    apiKeyFile: production.key\n',
    ])
  })

  it('asks again for a key that the service refuses, and suggests another name if one is taken', async () => {
    const { url, keys } = await sandboxOf(seed)
    const dialog = [
      ['Address', `${url}\r`],
      ['API key (an', `${CANARY}\r`],
      ['API key (an', `${keys.full}\r`],
      ['Name of the profile', '\r'],
    ] as const
    const local = 'profiles: { local: { baseUrl: "https://l.test", apiKeyEnv: L } }\n'
    const outcome = await profile(['add'], { ...mine(local), dialog, dialogColumns: 200 })
    expect(outcome).toMatchObject({ code: 0, text: expect.stringContaining(`baseUrl: ${url}`) })
    const shown = stripVTControlCharacters(outcome.stderr)
    expect(shown).toContain('│\n■  the service refused this key (401)\n│\n◆  API key (an')
    expect(shown).not.toContain('error: ')
    expect(shown).toContain('◆  Name of the profile\n│  local-2\n')
  })

  it('asks again for an address where there is no service, and keeps the key', async () => {
    const { url, keys } = await sandboxOf(seed)
    const dialog = [
      ['Address', 'http://127.0.0.1:1\r'],
      ['API key (an', `${keys.full}\r`],
      ['Address', `${url}\r`],
      named,
    ] as const
    const outcome = await profile(['add', '--retries', '0'], { dialog })
    expect(outcome).toMatchObject({ code: 0, text: expect.stringContaining(`baseUrl: ${url}\n`) })
    expect(stripVTControlCharacters(outcome.stderr)).toContain(
      '│\n■  http://127.0.0.1:1: connection refused\n│  check the address and that the service is up\n│\n◆  Address',
    )
  })

  it('keeps an error within the frame of a narrow terminal', async () => {
    const dialog = [
      ['Address', 'b.test\r'],
      ['https://b.test\n', '\u0003'],
    ] as const
    const { stderr } = await profile(unchecked, { dialog, dialogColumns: 60 })
    expect(stripVTControlCharacters(stderr)).toContain(
      '\n└  address: not an http or https address; write it in full,\n   for example https://b.test\n',
    )
  })

  it('asks only for what is not given, and again after a wrong answer', async () => {
    const dialog = [
      ['Address', 'b.test\r'],
      [
        'address: not an http or https address; write it in full, for example https://b.test',
        `${'\u007f'.repeat(6)}https://b.test\r`,
      ],
      ['Name of the profile', 'staging\r'],
      ["the profile name 'staging' already exists", `${'\u007f'.repeat(7)}b\r`],
    ] as const
    const argv = [...unchecked, '--api-key-env', 'B_KEY']
    const { code, text } = await profile(argv, { ...mine(), dialog, dialogColumns: 200 })
    const added = 'flags]\n  b:\n    baseUrl: https://b.test\n    apiKeyEnv: B_KEY'
    expect([code, text]).toEqual([0, before.replace('flags]', added)])
  })

  it.each([
    [0, '\u0003'],
    [1, '\u0004'],
    [2, '\u0003'],
  ])('at question %i, %j ends with 130 and writes nothing', async (last, key) => {
    const dialog = [address, typed, named].map(
      ([question, keys], index) => [question, index === last ? key : keys] as const,
    )
    const { code, stdout, stderr, folder } = await profile(unchecked, { dialog })
    expect([code, stdout]).toEqual([130, ''])
    expect(stripVTControlCharacters(stderr)).toContain('error: interrupted; nothing was changed\n')
    expect(await readdir(folder)).toEqual(['work'])
  })
})
