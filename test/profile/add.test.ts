import { readdir, readFile, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { CANARY, temporaryFolder } from '../support/flagadm.ts'
import { before, mine, profile, userFile } from '../support/profile.ts'
import { sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'
import { serveTls } from '../support/tls.ts'

const keyOptions = '--api-key-command, --api-key-env, --api-key-file or --api-key-stdin'

describe('profile add', () => {
  const base = ['add', 'a', '--base-url', 'https://a.test/', '--no-check']
  const place = '~/.config/flagadm/config.yaml'
  const done = `Added profile a (https://a.test) to ${place} as the default\n`

  test.each([
    [['--api-key-env', 'A_KEY'], '    apiKeyEnv: A_KEY\n'],
    [
      ['--api-key-command', `op read 'op://Private/My flags/key' "it's"`],
      "    apiKeyCommand: [op, read, op://Private/My flags/key, it's]\n",
    ],
    [['--api-key-command', "sh -c 'a | b'"], '    apiKeyCommand: [sh, -c, a | b]\n'],
    [['--api-key-env', 'A_KEY', '--allow-http'], '    apiKeyEnv: A_KEY\n    allowHttp: true\n'],
  ])('%j creates the configuration', async (argv, fields) => {
    const { code, stdout, stderr, text, folder } = await profile([...base, ...argv])
    expect([code, stdout, stderr]).toEqual([0, done, ''])
    expect(text).toBe(`defaultProfile: a\nprofiles:\n  a:\n    baseUrl: https://a.test\n${fields}`)
    expect((await stat(join(folder, userFile))).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(join(folder, userFile)))).mode & 0o777).toBe(0o700)
  })

  test('--api-key-file stores the whole path', async () => {
    const world = { files: { 'work/key': CANARY } }
    const { text, folder, stderr } = await profile([...base, '--api-key-file', 'key'], world)
    expect([text, stderr]).toEqual([
      `defaultProfile: a\nprofiles:\n  a:\n    baseUrl: https://a.test\n    apiKeyFile: ${folder}/work/key\n`,
      '',
    ])
  })

  test('--api-key-file keeps ~ for the home directory', async () => {
    const files = { 'home/keys/a': CANARY }
    const { code, stderr, text } = await profile([...base, '--api-key-file=~/keys/a'], { files })
    expect([code, stderr]).toEqual([0, ''])
    expect(text).toContain('apiKeyFile: ~/keys/a\n')
  })

  test('--api-key-stdin stores the key in a file of its own', async () => {
    const world = { ...mine(), stdin: `${CANARY}\n` }
    const { code, stdout, stderr, text, folder } = await profile(
      [...base, '--api-key-stdin'],
      world,
    )
    expect([code, stdout, stderr]).toEqual([
      0,
      `Added profile a (https://a.test) to ${place}; its key is in ~/.config/flagadm/a.key\n`,
      'note: make it the default with flagadm profile use a\n',
    ])
    expect(text).toBe(
      before.replace(
        '[pass, show, flags]',
        '[pass, show, flags]\n  a:\n    baseUrl: https://a.test\n    apiKeyFile: a.key',
      ),
    )
    const key = join(dirname(join(folder, userFile)), 'a.key')
    expect(await readFile(key, 'utf8')).toBe(`${CANARY}\n`)
    expect((await stat(key)).mode & 0o777).toBe(0o600)
    expect(await readdir(dirname(key))).toEqual(['a.key', 'config.yaml'])
  })

  test('prints JSON', async () => {
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

  test('does not follow a link in place of a key file', async () => {
    const folder = await temporaryFolder({ 'c.yaml': before })
    await symlink(join(folder, 'elsewhere'), join(folder, 'a.key'))
    const argv = [...base, '--api-key-stdin']
    const { code, stderr } = await profile([...argv, '--config', join(folder, 'c.yaml')], {
      stdin: CANARY,
    })
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      `error: ${join(folder, 'a.key')} already exists`,
    ])
    expect((await readdir(folder)).sort()).toEqual(['a.key', 'c.yaml'])
  })

  test('does not overwrite a key file', async () => {
    const key = 'home/.config/flagadm/a.key'
    const { code, stderr, text } = await profile([...base, '--api-key-stdin'], {
      files: { [key]: 'other-key' },
      stdin: CANARY,
    })
    expect([code, stderr, text]).toEqual([
      2,
      `error: /tmp/${key} already exists\nhint: use another name\n`,
      undefined,
    ])
  })

  test('leaves no key file behind if the configuration cannot be changed', async () => {
    const text = 'profiles: &p\n  b: { baseUrl: "https://b.test" }\nnaming: {pattern: "a"}\n'
    const folder = await temporaryFolder({ 'c.yaml': text.replace('&p', '*q') })
    const { code } = await profile(
      [...base, '--api-key-stdin', '--config', join(folder, 'c.yaml')],
      {
        stdin: CANARY,
      },
    )
    expect([code, await readdir(folder)]).toEqual([3, ['c.yaml']])
  })

  test.each<[string[], string, string]>([
    ...[['add'], ['add', 'a'], base].map((argv): [string[], string, string] => [
      argv,
      'a name, an address and a source of the API key are required',
      `flagadm profile add <name> --base-url <url>, and one of ${keyOptions}`,
    ]),
    ...[
      ['--api-key-env', 'A', '--api-key-stdin'],
      ['--api-key-file', '-'],
    ].map((argv): [string[], string, string] => [
      [...base, ...argv],
      'a profile has one source of the API key, which is not --api-key-file -',
      `use one of ${keyOptions}`,
    ]),
    [
      [...base, '--api-key-env', CANARY],
      '--api-key-env: expected the name of a variable',
      'use the name without $, for example FLAGS_PRODUCTION_KEY',
    ],
    [
      [...base, '--api-key-command', 'pass show "flags'],
      '--api-key-command: a quotation mark is missing',
      'add it',
    ],
    [
      [...base, '--api-key-command', 'cat key | head -1'],
      '--api-key-command: the command contains shell syntax',
      "the command is run without a shell; if it needs one: sh -c '…'",
    ],
    [
      [...base, '--api-key-command', ' '],
      '--api-key-command: the command is empty',
      'write a program and its arguments',
    ],
  ])('refuses %j, which is incomplete or wrong', async (argv, message, hint) => {
    const { code, stdout, stderr, text } = await profile(argv)
    expect([code, stdout, stderr, text]).toEqual([
      2,
      '',
      `error: ${message}\nhint: ${hint}\n`,
      undefined,
    ])
  })

  test('refuses an address that would send the key unencrypted', async () => {
    const { code, text } = await profile([
      'add',
      'a',
      '--base-url',
      'http://a.test',
      '--api-key-env',
      'A',
    ])
    expect([code, text]).toEqual([3, undefined])
  })
})

describe('the default after profile add', () => {
  const b = ['add', 'b', '--base-url', 'https://b.test', '--api-key-env', 'B', '--no-check']
  const fields = '    baseUrl: https://b.test\n    apiKeyEnv: B\n'

  test('stays the only profile', async () => {
    const text = 'profiles:\n  a:\n    baseUrl: https://a.test\n    apiKeyEnv: A\n'
    const added = await profile(b, mine(text))
    expect([added.code, added.text]).toEqual([0, `${text}  b:\n${fields}defaultProfile: a\n`])
  })

  test('stays as it is', async () => {
    const { code, text } = await profile(b, mine())
    expect([code, text]).toEqual([0, before.replace('flags]', `flags]\n  b:\n${fields}`.trimEnd())])
  })

  test('is the first profile of the user beside one of the project', async () => {
    const project = 'profile: c\nprofiles: { c: { baseUrl: "https://c.test" } }\n'
    const { text } = await profile(b, { files: { 'work/.flagadmrc': project } })
    expect(text).toBe(`defaultProfile: b\nprofiles:\n  b:\n${fields}`)
  })
})

describe('profile add checks the connection and the key', () => {
  const seed = [{ id: 'default', mode: 'open' as const }]
  const stored = '; nothing was stored; --no-check adds the profile without this check\n'
  const add = (url: string) => ['add', 'a', '--base-url', url, '--api-key-env', 'KEY']

  test('and stores what the service accepts', async () => {
    const { url, keys, requests } = await sandboxOf(seed)
    const { code, stdout, stderr } = await profile(add(url), { env: { KEY: keys.full } })
    expect([code, stdout, stderr]).toEqual([
      0,
      `Added profile a (${url}) to ~/.config/flagadm/config.yaml as the default\n`,
      '',
    ])
    expect(requests()).toEqual([
      'GET /api/admin/user 200',
      'GET /api/admin/client-metrics/features/flagadm-check 404',
    ])
  })

  test('of the new profile, even if the environment or a project chooses another one', async () => {
    const { url, keys } = await sandboxOf(seed)
    const other = { FLAGADM_PROFILE: 'c', FLAGADM_BASE_URL: 'http://127.0.0.1:1' }
    const { code } = await profile(add(url), {
      env: { ...other, FLAGADM_API_KEY: 'another-key', KEY: keys.full },
      files: { 'work/.flagadmrc': 'profile: c\n' },
    })
    expect(code).toBe(0)
  })

  test('of a service that has only the operations of the specification', async () => {
    const flag = { name: 'flagadm-check', project: 'default', usage: [], seenApplications: [] }
    const { url, keys } = await sandboxOf(seed, {
      specOnly: true,
      seed: { projects: seed, flags: [flag] },
    })
    expect((await profile(add(url), { env: { KEY: keys.full } })).code).toBe(0)
  })

  test('and stores nothing for a key without permissions', async () => {
    const { url, keys } = await sandboxOf(seed)
    const { code, stderr, text } = await profile(add(url), { env: { KEY: keys.none } })
    expect([code, stderr.split(' (id')[0], text]).toEqual([
      5,
      'error: 403 NoAccessError: You need the permission READ_FEATURE',
      undefined,
    ])
  })

  const wrongType = { message: 'invalid token: expected a different token type for this endpoint' }
  const usable =
    'use an admin token, a service account token (Admin settings → API access) or a personal access token (Profile → Personal API tokens)'

  test.each([
    [
      401,
      { name: 'UnauthorizedError', message: 'wrong' },
      '*:*.0123456789',
      4,
      'admin token: 401 UnauthorizedError: wrong',
      'check the API key; --verbose shows where it comes from',
    ],
    [
      403,
      wrongType,
      '*:development.0123456789',
      5,
      `client or frontend token: 403: ${wrongType.message}`,
      usable,
    ],
    [
      404,
      {},
      '*:*.0123456789',
      6,
      'the service returns 404 for every request',
      'check the path of the address, or read the usage of a flag that exists',
    ],
  ])('and stores nothing after %i %j', async (status, body, key, code, error, hint) => {
    const { url } = await serve((response) => json(response, status, body))
    const outcome = await profile(add(url), { env: { KEY: key } })
    expect([outcome.code, outcome.stdout, outcome.stderr, outcome.text]).toEqual([
      code,
      '',
      `error: ${error}\nhint: ${hint}${stored}`,
      undefined,
    ])
  })

  test('and stores nothing if the key cannot be read', async () => {
    const { code, stderr, text } = await profile(add('https://a.test'))
    expect([code, stderr, text]).toEqual([
      3,
      "error: apiKeyEnv of profile 'a': the environment variable KEY is not set\n" +
        `hint: set KEY to the API key${stored}`,
      undefined,
    ])
  })

  test('and stores neither profile nor key if the service cannot be reached', async () => {
    const argv = ['add', 'a', '--base-url', 'http://127.0.0.1:1', '--api-key-stdin']
    const { code, stderr, folder } = await profile([...argv, '--retries', '0'], { stdin: CANARY })
    expect([code, stderr, await readdir(folder)]).toEqual([
      8,
      `error: http://127.0.0.1:1: connection refused\nhint: check the address and that the service is up${stored}`,
      ['work'],
    ])
  })

  test('and ends within the time limit if the service never answers', async () => {
    const { url } = await serve(() => {})
    const argv = [...add(url), '--timeout', '0.1s', '--retries', '0']
    const { code, stderr } = await profile(argv, { env: { KEY: CANARY } })
    expect([code, stderr]).toEqual([
      8,
      `error: no complete response from ${url} within 0.1 s\nhint: try again, or raise --timeout${stored}`,
    ])
  })

  test('and stores nothing if the certificate is not trusted', async () => {
    const { port } = await serveTls()
    const url = `https://127.0.0.1:${port}`
    const { code, stderr, text } = await profile(add(url), { env: { KEY: CANARY } })
    expect([code, stderr.split('\n')[0], text]).toEqual([
      8,
      `error: ${url}: the certificate is self-signed`,
      undefined,
    ])
  })
})

describe('profile add on a terminal', () => {
  const named = ['Name of the profile', 'a\r'] as const
  const atHost = (url: string) => ['Address', `${url}\r`] as const
  const address = atHost('https://a.test')
  const typed = (key: string) => ['API key', `${key}\r`] as const
  const unchecked = ['add', '--no-check']

  test('asks for the address, the key and the name, and says which key is needed', async () => {
    const dialog = [address, typed(CANARY), named]
    const { code, stdout, stderr, text, folder } = await profile(unchecked, { dialog })
    expect([code, stdout]).toEqual([
      0,
      'Added profile a (https://a.test) to ~/.config/flagadm/config.yaml as the default; its key is in ~/.config/flagadm/a.key\n',
    ])
    expect(text).toBe(
      'defaultProfile: a\nprofiles:\n  a:\n    baseUrl: https://a.test\n    apiKeyFile: a.key\n',
    )
    expect(await readFile(join(folder, 'home/.config/flagadm/a.key'), 'utf8')).toBe(`${CANARY}\n`)
    const shown = stripVTControlCharacters(stderr)
    expect(shown).toContain('  API key (an admin, service account or personal access token)\n')
    expect(shown).toContain('│  for example https://flags.example.com\n')
    expect(shown).toContain('│  for example production\n')
  })

  test('asks only for what is not given, and again after a wrong answer', async () => {
    const dialog = [
      ['Address', 'b.test\r'],
      [
        'address: not an http or https address; write it in full, for example https://flags.example.com',
        `${'\u007f'.repeat(6)}https://b.test\r`,
      ],
      ['Name of the profile', 'staging\r'],
      ["the profile name 'staging' already exists", `${'\u007f'.repeat(7)}b\r`],
    ] as const
    const argv = [...unchecked, '--api-key-env', 'B_KEY']
    const { code, text } = await profile(argv, { ...mine(), dialog, dialogColumns: 200 })
    expect(code).toBe(0)
    expect(text).toContain('\ndefaultProfile: staging # for now\n')
    expect(text).toContain('\n  b:\n    baseUrl: https://b.test\n    apiKeyEnv: B_KEY\n')
  })

  test('asks nothing if everything is given', async () => {
    const argv = [...unchecked, 'a', '--base-url', 'https://a.test', '--api-key-env', 'A']
    const { code, stderr } = await profile(argv, { ...mine(), dialog: [] })
    expect([code, stripVTControlCharacters(stderr)]).toEqual([
      0,
      'note: make it the default with flagadm profile use a\n',
    ])
  })

  test('stores nothing after a failed check', async () => {
    const dialog = [atHost('http://127.0.0.1:1'), typed(CANARY), named]
    const outcome = await profile(['add', '--retries', '0'], { dialog })
    expect([outcome.code, outcome.text]).toEqual([8, undefined])
    expect(stripVTControlCharacters(outcome.stderr)).toContain(
      'error: http://127.0.0.1:1: connection refused\n',
    )
    expect(await readdir(outcome.folder)).toEqual(['work'])
  })

  test.each(
    [0, 1, 2].flatMap((last) => [
      [last, 'Ctrl-C', '\u0003'] as const,
      [last, 'Ctrl-D', '\u0004'] as const,
    ]),
  )('at question %i %s ends with 130 and writes nothing', async (last, _name, key) => {
    const dialog = [address, typed('some-key'), named].map(
      ([question, keys], index) => [question, index === last ? key : keys] as const,
    )
    const { code, stdout, stderr, folder } = await profile(unchecked, { dialog })
    expect([code, stdout]).toEqual([130, ''])
    expect(stripVTControlCharacters(stderr)).toContain('error: interrupted; nothing was changed\n')
    expect(await readdir(folder)).toEqual(['work'])
  })
})
