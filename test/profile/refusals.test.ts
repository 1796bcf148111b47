import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { certificate, certificateKey } from '../support/certificate.ts'
import { CANARY, flagadm, temporaryFolder } from '../support/flagadm.ts'
import { json, serve, someUsage } from '../support/server.ts'

const usage = ['feature', 'usage', 'some-flag']
const userFile = 'home/.config/flagadm/config.yaml'
const moveIt =
  'hint: specify both: --base-url and --api-key-file, or FLAGADM_BASE_URL and FLAGADM_API_KEY\n'

async function service() {
  return serve((response) => json(response, 200, someUsage))
}

describe('a key is never sent to an address of a project file', () => {
  test('when it is in the environment', async () => {
    const server = await service()
    const { code, stdout, stderr } = await flagadm(usage, {
      env: { FLAGADM_API_KEY: CANARY },
      files: { 'work/.flagadmrc.yaml': `baseUrl: ${server.url}\n` },
    })
    expect([code, stdout, server.received]).toEqual([3, '', []])
    expect(stderr).toBe(
      `error: the API key from FLAGADM_API_KEY is not sent to ${server.url} (from ./.flagadmrc.yaml)\n${moveIt}`,
    )
  })

  test('when it is in the environment and the profile has another one', async () => {
    const server = await service()
    const { code } = await flagadm(usage, {
      env: { FLAGADM_API_KEY: CANARY },
      files: { 'work/.flagadmrc.yaml': `baseUrl: ${server.url}\napiKey: own-literal-key\n` },
    })
    expect([code, server.received]).toEqual([3, []])
  })

  test('when it is in --api-key-file', async () => {
    const server = await service()
    const { code } = await flagadm([...usage, '--api-key-file', 'key'], {
      files: { 'work/.flagadmrc.yaml': `baseUrl: ${server.url}\n`, 'work/key': CANARY },
    })
    expect([code, server.received]).toEqual([3, []])
  })

  test.each([
    ['apiKeyEnv: FLAGADM_API_KEY', 'apiKeyEnv'],
    ['apiKeyFile: /etc/hostname', 'apiKeyFile'],
    ['apiKeyCommand: [touch, ran]', 'apiKeyCommand'],
    ['apiKey: own-literal-key\ncaFile: ca.pem', 'caFile'],
  ])('when the profile takes its key from elsewhere with %s', async (line, field) => {
    const server = await service()
    const { code, stderr, folder } = await flagadm(usage, {
      env: { FLAGADM_API_KEY: CANARY },
      files: { 'work/.flagadmrc.yaml': `baseUrl: ${server.url}\n${line}\n` },
    })
    expect([code, server.received, existsSync(join(folder, 'work/ran'))]).toEqual([3, [], false])
    expect(stderr).toBe(
      `error: ${folder}/work/.flagadmrc.yaml: ${field} of profile 'default' is refused in a project's file\n` +
        'hint: move the profile to your user configuration (~/.config/flagadm/config.yaml)\n',
    )
  })
})

describe('the key of a profile is not sent to another address', () => {
  test.each([
    ['user', userFile],
    ['project', 'work/.flagadmrc'],
  ])('with FLAGADM_BASE_URL and a %s profile', async (_trust, file) => {
    const server = await service()
    const { code, stderr } = await flagadm(usage, {
      env: { FLAGADM_BASE_URL: server.url },
      files: { [file]: `baseUrl: http://127.0.0.1:1\napiKey: '${CANARY}'\n` },
    })
    expect([code, server.received]).toEqual([3, []])
    expect(stderr).toBe(
      `error: the API key from apiKey is not sent to ${server.url} (from FLAGADM_BASE_URL)\n` +
        'hint: specify both: --base-url and --api-key-file, or FLAGADM_BASE_URL and FLAGADM_API_KEY\n',
    )
  })

  test('with --base-url', async () => {
    const server = await service()
    const { code } = await flagadm([...usage, '--base-url', server.url], {
      files: { [userFile]: `baseUrl: http://127.0.0.1:1\napiKey: '${CANARY}'\n` },
    })
    expect([code, server.received]).toEqual([3, []])
  })

  test('but is sent to its own address from every source', async () => {
    const server = await service()
    const { code } = await flagadm([...usage, '--base-url', `${server.url}/`], {
      files: { [userFile]: `baseUrl: ${server.url}\napiKey: '${CANARY}'\n` },
    })
    expect(code).toBe(0)
  })
})

describe('planted files', () => {
  const plantedCode = (folder: string) =>
    `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'ran'))}, '')\nmodule.exports = {}\n`

  test.each([
    '.config/config.js',
    '.config/config.cjs',
    '.config/config.mjs',
    '.config/config.ts',
    '.flagadmrc.js',
    '.flagadmrc.cjs',
    '.flagadmrc.ts',
    'flagadm.config.js',
    'flagadm.config.ts',
  ])('such as %s are not executed', async (file) => {
    const folder = await temporaryFolder()
    const server = await service()
    const { code } = await flagadm(usage, {
      env: { FLAGADM_BASE_URL: server.url, FLAGADM_API_KEY: CANARY },
      files: { [`work/${file}`]: plantedCode(folder) },
    })
    expect([code, existsSync(join(folder, 'ran'))]).toEqual([0, false])
  })

  test('in .config/config.json cannot add search places', async () => {
    const server = await service()
    const { code } = await flagadm(usage, {
      files: {
        'work/.config/config.json': JSON.stringify({
          cosmiconfig: { searchPlaces: ['planted.json'] },
        }),
        'work/planted.json': JSON.stringify({ baseUrl: server.url, apiKey: 'planted-key' }),
      },
    })
    expect([code, server.received]).toEqual([3, []])
  })

  test.each([
    ['work/.flagadmrc.json', '{"$import": "other.json", "apiKey": "own-literal-key"}'],
    ['work/.flagadmrc', '$import: other.json\napiKey: own-literal-key\n'],
    ['work/package.json', '{"flagadm": {"$import": "other.json", "apiKey": "own-literal-key"}}'],
    ['work/package.json', '{"$import": "other.json"}'],
    [userFile, "$import: /tmp/other.json\napiKey: '*:*.x'\n"],
  ])('with $import in %s are refused', async (file, text) => {
    const server = await service()
    const { code, stderr, folder } = await flagadm(usage, {
      files: { [file]: text, 'work/other.json': JSON.stringify({ baseUrl: server.url }) },
    })
    expect([code, server.received]).toEqual([3, []])
    expect(stderr).toBe(
      `error: ${folder}/${file}: $import is refused\nhint: write all fields into one file\n`,
    )
  })

  test('above the repository root are not read', async () => {
    const server = await service()
    const { code, stderr } = await flagadm(usage, {
      cwd: 'above/repository/inside',
      files: {
        'above/.flagadmrc': JSON.stringify({ baseUrl: server.url, apiKey: 'planted-key' }),
        'above/repository/.git/HEAD': '',
      },
    })
    expect([code, server.received]).toEqual([3, []])
    expect(stderr).toBe(
      'error: no service is configured\n' +
        'hint: set FLAGADM_BASE_URL and FLAGADM_API_KEY, add a profile with flagadm profile add, or try it with --profile sandbox\n',
    )
  })

  test('above a working directory outside any repository are not read', async () => {
    const server = await service()
    const { code } = await flagadm(usage, {
      cwd: 'above/inside',
      files: { 'above/.flagadmrc': JSON.stringify({ baseUrl: server.url, apiKey: 'planted-key' }) },
    })
    expect([code, server.received]).toEqual([3, []])
  })

  test('given with --config must be data', async () => {
    const folder = await temporaryFolder()
    const { code } = await flagadm([...usage, '--config', 'config.js'], {
      files: { 'work/config.js': plantedCode(folder) },
    })
    expect([code, existsSync(join(folder, 'ran'))]).toEqual([3, false])
  })
})

describe('a malformed file is reported with line and column and without its content', () => {
  test.each([
    [
      '.flagadmrc.yaml',
      `baseUrl: https://x.test\napiKey: '${CANARY}\n`,
      ':3:1',
      'a missing quotation mark, bracket, colon or comma',
      'correct the file at that place',
    ],
    [
      '.flagadmrc.json',
      `{\n  "apiKey": "${CANARY}" oops\n}`,
      ':2:',
      'unexpected text',
      'correct the file at that place',
    ],
    [
      '.flagadmrc',
      `apiKey: ${CANARY.slice(4)}\n\tbad: [\n`,
      ':2:1',
      'a tab as indentation',
      'indent with spaces',
    ],
  ])('such as %s', async (file, text, position, reason, hint) => {
    const { code, stdout, stderr, folder } = await flagadm(usage, {
      files: { [`work/${file}`]: text },
    })
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr.startsWith(`error: ${folder}/work/${file}${position}`)).toBe(true)
    expect(stderr.endsWith(`: not valid YAML or JSON: ${reason}\nhint: ${hint}\n`)).toBe(true)
    expect(stderr).not.toContain('canary')
  })
})

test('an unquoted key that begins with * is reported with a hint', async () => {
  const { code, stderr, folder } = await flagadm(usage, {
    files: { [userFile]: `baseUrl: https://x.test\napiKey: ${CANARY}\n` },
  })
  expect([code, stderr]).toEqual([
    3,
    `error: ${folder}/${userFile}:2:9: not valid YAML or JSON: a value that begins with '*'\n` +
      'hint: put single quotes around the value\n',
  ])
})

test('a file that is not UTF-8 is refused', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 's.yaml'), Buffer.from([0x6d, 0x6f, 0x64, 0x65, 0x3a, 0xe9]))
  const argv = ['project', 'settings', 'set', 'p', '--file', join(folder, 's.yaml')]
  const { code, stderr } = await flagadm(argv)
  expect([code, stderr]).toEqual([
    2,
    `error: ${join(folder, 's.yaml')} is not UTF-8\nhint: save it as UTF-8\n`,
  ])
})

test('a key in place of its path is not shown', async () => {
  const reason = 'cannot read the file: no such file\nhint: check the path\n'
  const env = { FLAGADM_BASE_URL: 'https://flags.example.com' }
  const given = await flagadm([...usage, '--api-key-file', CANARY], { env })
  expect([given.code, given.stderr]).toEqual([3, `error: --api-key-file: ${reason}`])
  const files = { [userFile]: `baseUrl: https://x.test\napiKeyFile: "${CANARY}"\n` }
  const { code, stderr } = await flagadm(usage, { files })
  expect([code, stderr]).toEqual([3, `error: apiKeyFile of profile 'default': ${reason}`])
})

describe('an invalid field is reported with its path', () => {
  test.each([
    ['profiles:\n  staging:\n    baseurl: https://x.test\n', 'profiles.staging.baseUrl: missing'],
    ['profiles:\n  a:\n    baseUrl: https://x.test\n    key: x\n', 'profiles.a.key: unknown field'],
    ['baseUrl: https://x.test\napiKey: 123456789012\n', 'apiKey: expected string'],
    ['baseUrl: https://x.test\napiKeyCommand: pass\n', 'apiKeyCommand: expected Array'],
    ['baseUrl: https://x.test\napiKeyCommand: []\n', 'apiKeyCommand: expected a command'],
    ['naming:\n  patern: x\n', 'naming.patern: unknown field'],
    [`{ baseUrl: https://x.test, apiKey:${CANARY} }`, 'apiKey…: unknown field'],
    [
      `baseUrl: https://x.test\napiKeyEnv: '${CANARY}'\n`,
      'apiKeyEnv: expected the name of a variable',
    ],
    ["baseUrl: https://x.test\napiKeyCommand: ['']\n", 'apiKeyCommand: expected a command'],
    [
      'baseUrl: https://x.test\napiKeyCommand: [pass, "a\\0b"]\n',
      'apiKeyCommand[1]: expected text',
    ],
    [
      'baseUrl: https://x.test\napiKeyEnv: STAGING KEY\n',
      'apiKeyEnv: expected the name of a variable',
    ],
    ['- a\n', 'expected an object'],
  ])('in %j', async (text, problem) => {
    const { code, stderr, folder } = await flagadm(usage, { files: { [userFile]: text } })
    expect(code).toBe(3)
    expect(stderr).toBe(
      `error: ${folder}/${userFile}: ${problem}\nhint: flagadm help environment lists the fields\n`,
    )
  })
})

describe('a profile name is refused', () => {
  const own = { baseUrl: 'https://x.test', apiKey: 'some-long-key' }
  test.each([
    ['--config=evil.yaml', '--config…'],
    ['-rf', '-rf'],
    ['my profile', 'my…'],
    ['a/b', 'a…'],
    ['\u3164', '…'],
    [`apiKey:${CANARY}`, 'apiKey…'],
    ['', ''],
  ])('if it is %j', async (name, shown) => {
    const text = JSON.stringify({ profiles: { fine: own, [name]: own } })
    for (const path of [userFile, 'work/.flagadmrc']) {
      const { code, stderr, folder } = await flagadm([...usage, '-p', 'fine'], {
        files: { [path]: text },
      })
      expect([code, stderr]).toEqual([
        3,
        `error: ${folder}/${path}: profiles.${shown}: invalid profile name: use letters, digits, dots, hyphens and underscores; begin with a letter or digit\n` +
          'hint: flagadm help environment lists the fields\n',
      ])
    }
  })
})

describe('invalid profiles are refused', () => {
  const one = 'profiles:\n  staging:\n    baseUrl: https://x.test\n    apiKey: some-long-key\n'
  test.each([
    [
      'a name in both files',
      { 'work/.flagadmrc': one, [userFile]: one },
      "profile 'staging' is defined in both F/work/.flagadmrc and F/home/.config/flagadm/config.yaml",
      'rename one of them',
    ],
    [
      'the reserved name',
      { [userFile]: 'profiles:\n  sandbox:\n    baseUrl: https://x.test\n' },
      `F/${userFile}: profiles.sandbox: the profile name 'sandbox' is reserved`,
      'flagadm help environment lists the fields',
    ],
    [
      'two keys',
      { [userFile]: 'baseUrl: https://x.test\napiKey: a-key\napiKeyEnv: KEY\n' },
      `F/${userFile}: a profile has only one of apiKey, apiKeyEnv, apiKeyFile, apiKeyCommand`,
      'flagadm help environment lists the fields',
    ],
    [
      'two defaults',
      {
        [userFile]: 'baseUrl: https://x.test\nprofiles:\n  default:\n    baseUrl: https://y.test\n',
      },
      `profile 'default' is defined in both F/${userFile} and F/${userFile}`,
      'rename one of them',
    ],
    [
      'a key without an address',
      { [userFile]: 'apiKey: a-key\n' },
      `F/${userFile}: a profile at the top level requires baseUrl`,
      'flagadm help environment lists the fields',
    ],
    [
      'a name that no profile has',
      { 'work/.flagadmrc': 'profile: prod\n', [userFile]: one },
      "unknown profile 'prod'",
      'flagadm profile list shows the profiles',
    ],
  ])('%s', async (_what, files, problem, hint) => {
    const { code, stderr, folder } = await flagadm(usage, { files })
    expect(code).toBe(3)
    expect(stderr.replaceAll(folder, 'F')).toBe(`error: ${problem}\nhint: ${hint}\n`)
  })
})

test.each([
  ['sandbx', "did you mean 'sandbox'?"],
  ['stagng', "did you mean 'staging'?"],
])('a profile that is spelt %s has a hint with the closest name', async (name, hint) => {
  const files = { [userFile]: 'profiles: {staging: {baseUrl: https://a.test}}' }
  const { code, stderr } = await flagadm([...usage, '-p', name], { files })
  expect([code, stderr]).toEqual([3, `error: unknown profile '${name}'\nhint: ${hint}\n`])
})

describe('a profile that the project suggests is not needed', () => {
  test.each([
    ['an unknown profile', 'profile: staging\n'],
    ['a profile that is refused', 'baseUrl: https://x.test\napiKeyEnv: FLAGADM_API_KEY\n'],
  ])('if the environment specifies address and key: %s', async (_what, text) => {
    const server = await service()
    const { code } = await flagadm(usage, {
      env: { FLAGADM_BASE_URL: server.url, FLAGADM_API_KEY: CANARY },
      files: { 'work/.flagadmrc': text },
    })
    expect([code, server.received.length]).toEqual([0, 1])
  })
})

test('a refused profile is not needed if the command line specifies address and key', async () => {
  const server = await service()
  const argv = [...usage, '--base-url', server.url, '--api-key-file', 'key']
  const { code } = await flagadm(argv, {
    files: {
      'work/.flagadmrc': 'baseUrl: https://x.test\napiKeyEnv: FLAGADM_API_KEY\n',
      'work/key': CANARY,
    },
  })
  expect([code, server.received.length]).toEqual([0, 1])
})

test('certificates of a profile are not used for another address', async () => {
  const server = await service()
  const { code } = await flagadm([...usage, '-p', 'default', '--base-url', server.url], {
    env: { FLAGADM_API_KEY: CANARY },
    files: { [userFile]: 'baseUrl: https://x.test\ncaFile: none.pem\n' },
  })
  expect(code).toBe(0)
})

test('a relative folder of XDG_CONFIG_HOME is not the configuration of the user', async () => {
  const server = await service()
  const { code } = await flagadm(usage, {
    env: { XDG_CONFIG_HOME: '.config', FLAGADM_API_KEY: CANARY },
    files: { 'work/.config/flagadm/config.yaml': `baseUrl: ${server.url}\n` },
  })
  expect([code, server.received]).toEqual([3, []])
})

test('an empty --config is an error', async () => {
  const { code, stderr, folder } = await flagadm([...usage, '--config', ''], {
    files: { 'work/.flagadmrc': 'profile: x\n' },
  })
  expect([code, stderr]).toEqual([
    3,
    `error: ${folder}/work: contains no configuration\nhint: check the path\n`,
  ])
})

describe('an address is refused', () => {
  test.each([
    [
      'flags.example.com',
      'not an http or https address',
      'write it in full, for example https://flags.example.com',
    ],
    [
      'ftp://flags.example.com',
      'not an http or https address',
      'write it in full, for example https://flags.example.com',
    ],
    [
      'https://me:secret@x.test/p',
      'an address must not contain a user name, password, query or fragment',
      'use https://x.test/p',
    ],
    [
      'https://x.test/?a=1',
      'an address must not contain a user name, password, query or fragment',
      'use https://x.test',
    ],
    [
      'https://x.test/#a',
      'an address must not contain a user name, password, query or fragment',
      'use https://x.test',
    ],
    [
      'https://x.test/p/api/',
      'https://x.test/p/api already contains the path of the API',
      'use https://x.test/p',
    ],
    [
      'https://x.test/api/admin',
      'https://x.test/api/admin already contains the path of the API',
      'use https://x.test',
    ],
    [
      'https://x.test/api/client',
      'https://x.test/api/client already contains the path of the API',
      'use https://x.test',
    ],
    [
      'http://x.test',
      'http://x.test would send the API key unencrypted',
      'use https, or --allow-http (allowHttp: true in the profile) in a network you trust',
    ],
  ])('such as %s', async (address, problem, hint) => {
    const { code, stderr } = await flagadm(usage, {
      env: { FLAGADM_BASE_URL: address, FLAGADM_API_KEY: CANARY },
    })
    expect([code, stderr]).toEqual([3, `error: FLAGADM_BASE_URL: ${problem}\nhint: ${hint}\n`])
  })

  test('but plain http is accepted with --allow-http', async () => {
    const { stdout } = await flagadm([
      ...['project', 'settings', 'set', 'p', '--mode', 'open', '--dry-run', '--json'],
      ...['--allow-http', '--base-url', 'http://x.test/prefix/'],
    ])
    expect(JSON.parse(stdout)).toMatchObject({
      url: 'http://x.test/prefix/api/admin/projects/p/settings',
    })
  })
})

describe('a key is refused without being shown', () => {
  const character = 'contains a character that is not allowed in API keys'
  test.each([
    ['a line break', `${CANARY}\nX-Other: 1`, character],
    ['an escape', `${CANARY}\u001b[31m`, character],
    ['a letter that headers cannot contain', `${CANARY}ключ`, character],
    ['a blank at its end', `${CANARY} `, character],
    ['nothing but blanks', '  ', 'is empty'],
    ['double quotes', `"${CANARY}"`, 'is in quotation marks'],
    ['single quotes', `'${CANARY}'`, 'is in quotation marks'],
    ['Bearer', `Bearer ${CANARY}`, "begins with 'Bearer'"],
    ['Authorization', `Authorization: ${CANARY}`, "begins with 'Authorization:'"],
    ['authorization and bearer', `authorization:bearer ${CANARY}`, "begins with 'Authorization:'"],
  ])('with %s', async (_what, key, problem) => {
    const { code, stderr } = await flagadm(usage, {
      env: { FLAGADM_BASE_URL: 'https://x.test', FLAGADM_API_KEY: key },
    })
    expect([code, stderr]).toEqual([
      3,
      `error: the API key from FLAGADM_API_KEY ${problem}\n` +
        'hint: use the key alone, without quotation marks, spaces or line breaks\n',
    ])
  })

  test.each([
    ['a key file', ['--api-key-file', 'key'], {}],
    ['standard input', ['--api-key-file', '-'], {}],
    ['apiKey', [], { [userFile]: `baseUrl: https://x.test\napiKey: "Bearer ${CANARY}"\n` }],
  ])('from %s', async (_where, argv, files) => {
    const key = `Bearer ${CANARY}`
    const base = argv.length > 0 ? { FLAGADM_BASE_URL: 'https://x.test' } : {}
    const world = { env: base, files: { 'work/key': key, ...files }, stdin: key }
    const { code, stderr } = await flagadm([...usage, ...argv], world)
    expect([code, stderr.includes("begins with 'Bearer'")]).toEqual([3, true])
  })

  test('when apiKeyCommand fails', async () => {
    const command = [process.execPath, '-e', `process.exit(4) // ${CANARY}`]
    const config = JSON.stringify({ baseUrl: 'https://x.test', apiKeyCommand: command })
    const { code, stderr } = await flagadm(usage, { files: { [userFile]: config } })
    expect([code, stderr]).toEqual([
      3,
      `error: apiKeyCommand of profile 'default': the command ended with 4\n` +
        'hint: run the command by hand to see why\n',
    ])
  })
})

test('an unset variable of apiKeyEnv is reported', async () => {
  const { code, stderr } = await flagadm(usage, {
    files: { [userFile]: 'baseUrl: https://x.test\napiKeyEnv: STAGING_KEY\n' },
  })
  expect([code, stderr]).toEqual([
    3,
    `error: apiKeyEnv of profile 'default': the environment variable STAGING_KEY is not set\n` +
      'hint: set STAGING_KEY to the API key\n',
  ])
})

test('a missing key is reported with the ways to specify one', async () => {
  const { code, stderr } = await flagadm(usage, { env: { FLAGADM_BASE_URL: 'https://x.test' } })
  expect([code, stderr]).toEqual([
    3,
    'error: no API key for https://x.test\n' +
      'hint: set FLAGADM_API_KEY, use --api-key-file, or add apiKeyEnv to the profile\n',
  ])
})

test('a configuration file with a key that others can read causes a warning', async () => {
  const server = await service()
  const folder = await temporaryFolder({
    'c.yaml': `baseUrl: ${server.url}\napiKey: '${CANARY}'\n`,
  })
  const file = join(folder, 'c.yaml')
  const argv = [...usage, '--config', file]
  expect((await flagadm(argv)).stderr).toBe('')
  await chmod(file, 0o644)
  expect((await flagadm(argv)).stderr).toBe(
    `warning: ${file} contains an API key and others can read it: run chmod 600 '${file}'\n`,
  )
})

test('a missing file of --config is reported', async () => {
  const { code, stderr, folder } = await flagadm([...usage, '--config', 'none.yaml'])
  expect([code, stderr]).toEqual([
    3,
    `error: ${folder}/work/none.yaml: no such file\nhint: check the path\n`,
  ])
})

test('two options cannot both read standard input', async () => {
  const { code, stderr } = await flagadm(
    ['project', 'settings', 'set', 'p', '--file', '-', '--api-key-file', '-'],
    { stdin: 'mode: open\n', env: { FLAGADM_BASE_URL: 'https://x.test' } },
  )
  expect([code, stderr]).toEqual([
    2,
    'error: --file and --api-key-file both read standard input\nhint: read one of them from a file\n',
  ])
})

describe('caFile without a PEM certificate is refused', () => {
  const der = Buffer.from(certificate.replace(/-----.*-----/g, ''), 'base64')
  test.each([
    ['a DER file', der],
    ['an empty file', ''],
    ['a private key', certificateKey],
  ])('such as %s', async (_what, content) => {
    const files = {
      [userFile]: `baseUrl: https://x.test\napiKey: '${CANARY}'\ncaFile: ca.pem\n`,
      'home/.config/flagadm/ca.pem': content,
    }
    const { code, stderr, folder } = await flagadm(usage, { files })
    expect([code, stderr]).toEqual([
      3,
      `error: caFile ${folder}/home/.config/flagadm/ca.pem contains no PEM certificate\n` +
        'hint: use a PEM file; for a DER file: openssl x509 -inform der -in ca.der -out ca.pem\n',
    ])
  })
})
