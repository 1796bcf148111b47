import { describe, expect, it } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { CANARY, flagadm, temporaryFolder } from '../support/flagadm.ts'
import { writes } from '../support/operations.ts'
import { type Run, send, userFile } from '../support/profile.ts'
import { json, serve, someUsage } from '../support/server.ts'

const other = 'another-key-0123456789'
const DEAD = 'http://127.0.0.1:1'
const service = { FLAGADM_BASE_URL: 'SERVICE' }
const apiKey = { FLAGADM_API_KEY: CANARY }
const env = { ...service, ...apiKey }
/** Variables for another service. */
const exported = { FLAGADM_BASE_URL: DEAD, FLAGADM_API_KEY: other, FLAGADM_PROFILE: 'dead' }
const pair = `baseUrl: SERVICE\napiKey: '${CANARY}'\n`
const own = `{baseUrl: SERVICE, apiKey: '${CANARY}'}`
const keyless = '{baseUrl: SERVICE}'
const dead = `dead: {baseUrl: ${DEAD}, apiKey: ${other}}`
const user = (text: string) => ({ [userFile]: text })
const project = (text: string) => ({ 'work/.flagadmrc': text })
/** A user with a profile for the service and one for another. */
const two = user(`profiles: {a: ${own}, ${dead}}\n`)
const keyFile = { 'work/key': `${CANARY}\n` }
const set = ['project', 'settings', 'set', 'p', '--mode', 'open', '--no-read', '--quiet']
const at = ['--base-url', 'SERVICE', '--api-key-file']

type Texts = Record<string, string>

describe('address and key come from', () => {
  it.each<[string, string[], Texts, Texts, Run?]>([
    ['the environment', [], env, {}],
    [
      'options rather than the environment',
      [...at, 'key'],
      exported,
      { ...keyFile, ...user(`profiles: {${dead}}\n`) },
    ],
    ['standard input', [...at, '-'], {}, {}, { stdin: `${CANARY}\n` }],
    ['the default profile of the user', [], {}, user(pair)],
    ['the only profile of the user', [], {}, user(`profiles: {a: ${own}}\n`)],
    [
      'the profile of defaultProfile',
      [],
      {},
      user(`defaultProfile: a\nprofiles: {a: ${own}, ${dead}}\n`),
    ],
    [
      'the profile that the project chooses, with the key of the user',
      [],
      {},
      { 'work/.git/HEAD': '', ...project('profile: a\n'), ...two },
      { cwd: 'work/deep/down' },
    ],
    ['the environment rather than the profile', [], env, user(`profiles: {${dead}}\n`)],
    ['--profile rather than all variables', ['-p', 'a'], exported, two],
    [
      '--profile, with FLAGADM_API_KEY if the profile has no key',
      ['-p', 'a'],
      apiKey,
      user(`profiles: {a: ${keyless}}`),
    ],
    [
      '--profile, with --api-key-file rather than its key',
      ['-p', 'a', '--api-key-file', 'key'],
      {},
      { ...user('profiles: {a: {baseUrl: SERVICE, apiKey: x}}'), ...keyFile },
    ],
    [
      'FLAGADM_PROFILE rather than what a project chooses',
      [],
      { FLAGADM_PROFILE: 'a' },
      { ...project('profile: dead\n'), ...two },
    ],
    [
      'the file of --config only',
      ['--config', 'own.yaml'],
      {},
      { 'work/own.yaml': pair, ...project('no: x\n'), ...user('no: x\n') },
    ],
    ['a profile and an equal --base-url', ['--base-url', 'SERVICE/'], {}, user(pair)],
    ['the variable of apiKeyEnv', [], { A: CANARY }, user('baseUrl: SERVICE\napiKeyEnv: A\n')],
    [
      'the file of apiKeyFile, beside the configuration',
      [],
      {},
      {
        ...user('baseUrl: SERVICE\napiKeyFile: a.key\n'),
        'home/.config/flagadm/a.key': `${CANARY}\r\n`,
      },
    ],
    ['the environment despite an unknown profile', [], env, project('profile: a\n')],
    [
      'the environment despite a refused profile',
      [],
      env,
      project('baseUrl: https://x.test\napiKeyEnv: FLAGADM_API_KEY\n'),
    ],
    [
      '--base-url and the environment, without caFile of a profile for another address',
      ['-p', 'default', '--base-url', 'SERVICE'],
      apiKey,
      user('baseUrl: https://x.test\ncaFile: none.pem\n'),
    ],
    ['the environment, with NODE_DEBUG=fs', [], { ...env, NODE_DEBUG: 'fs' }, {}],
    [
      'the environment, with the largest limits',
      [],
      { ...env, FLAGADM_TIMEOUT: '24h', FLAGADM_RETRIES: '100' },
      {},
    ],
  ])('%s', async (_source, argv, variables, files, more) => {
    const outcome = await send({ argv, env: variables, files, ...more })
    expect(outcome).toMatchObject({ code: 0, stderr: '', keys: [CANARY] })
  })

  it('the folder of XDG_CONFIG_HOME', async () => {
    const folder = await temporaryFolder({
      'flagadm/config.yml': 'profiles: {a: {baseUrl: https://a.test}}',
    })
    const argv = ['profile', 'show', '--json']
    const { stdout } = await flagadm(argv, { env: { XDG_CONFIG_HOME: folder } })
    expect(JSON.parse(stdout).baseUrl.value).toBe('https://a.test')
  })
})

describe('an address and a literal key in one file of a project', () => {
  const json = JSON.stringify({ baseUrl: 'SERVICE', apiKey: CANARY })

  it.each([
    ['.flagadmrc', pair],
    ['.flagadmrc.json', json],
    ['.flagadmrc.yaml', pair],
    ['.flagadmrc.yml', pair],
    ['flagadm.config.json', `{"profile":"a","profiles":{"a":${json}}}`],
    ['flagadm.config.yaml', `profiles: {a: ${own}}`],
    ['flagadm.config.yml', pair],
    ['package.json', `{"name":"x","flagadm":${json}}`],
  ])('are used for reads and writes: %s', async (file, text) => {
    const files = { [`work/${file}`]: text }
    for (const run of [{ files }, { files, command: set }]) {
      expect(await send(run)).toMatchObject({ code: 0, stderr: '', keys: [CANARY] })
    }
  })

  it('are used from a folder inside the repository', async () => {
    const files = { ...project(pair), 'work/.git/HEAD': '' }
    expect((await send({ command: set, cwd: 'work/src/app', files })).keys).toEqual([CANARY])
  })

  it('are used for a write if the default of the user is that profile', async () => {
    const mine = user('defaultProfile: a\nprofiles: {b: {baseUrl: https://b.test}}\n')
    const files = { ...project(`profiles: {a: ${own}}\n`), ...mine }
    expect((await send({ command: set, files })).keys).toEqual([CANARY])
  })
})

describe('a key is not sent', () => {
  const both =
    'specify both: --base-url and --api-key-file, or FLAGADM_BASE_URL and FLAGADM_API_KEY'
  const notSent = (key: string, from = './.flagadmrc') =>
    [`the API key from ${key} is not sent to SERVICE (from ${from})`, both] as const
  const elsewhere = `baseUrl: ${DEAD}\napiKey: '${CANARY}'\n`
  const config = '~/.config/flagadm/config.yaml'
  const chosen = { ...project('profile: a\n'), ...user(`profiles: {a: ${keyless}, ${dead}}\n`) }
  const key = ['--api-key-file', 'key']
  const optional = ['-p', 'default', '--base-url', 'SERVICE']
  const list = 'flagadm profile list shows the profiles'
  const [noFile, path] = ['cannot read the file: no such file', 'check the path']
  const address = project('baseUrl: SERVICE\n')

  it.each<[string, string[], Texts, Texts, ...(readonly [string, string])]>([
    ['from a variable to a project', [], apiKey, address, ...notSent('FLAGADM_API_KEY')],
    [
      'from a variable to a project with a key',
      [],
      apiKey,
      project(pair),
      ...notSent('FLAGADM_API_KEY'),
    ],
    [
      'from a file to a project',
      key,
      {},
      { ...project(pair), ...keyFile },
      ...notSent('--api-key-file'),
    ],
    [
      'from a variable to a chosen profile',
      [],
      apiKey,
      chosen,
      ...notSent('FLAGADM_API_KEY', config),
    ],
    [
      'from a file to a chosen profile',
      key,
      {},
      { ...chosen, ...keyFile },
      ...notSent('--api-key-file', config),
    ],
    [
      'of the user to a variable',
      [],
      service,
      user(elsewhere),
      ...notSent('apiKey', 'FLAGADM_BASE_URL'),
    ],
    [
      'of a project to a variable',
      [],
      service,
      project(elsewhere),
      ...notSent('apiKey', 'FLAGADM_BASE_URL'),
    ],
    [
      'of a project to an option',
      optional,
      {},
      project(elsewhere),
      ...notSent('apiKey', '--base-url'),
    ],
    [
      'of a profile to an option',
      optional,
      apiKey,
      user(elsewhere),
      ...notSent('apiKey', '--base-url'),
    ],
    [
      'if there is none',
      ['--base-url', 'SERVICE'],
      {},
      {},
      'no API key for SERVICE',
      'set FLAGADM_API_KEY, use --api-key-file, or add apiKeyEnv to the profile',
    ],
    // The path of a missing file may be the key.
    ['from a missing file', [...at, CANARY], {}, {}, `--api-key-file: ${noFile}`, path],
    [
      'from a missing apiKeyFile',
      [],
      {},
      user(`baseUrl: SERVICE\napiKeyFile: "${CANARY}"\n`),
      `apiKeyFile of profile 'default': ${noFile}`,
      path,
    ],
    // The name of an inherited property of every object.
    [
      'from a variable that is not set',
      [],
      {},
      user('baseUrl: SERVICE\napiKeyEnv: constructor\n'),
      "apiKeyEnv of profile 'default': the environment variable constructor is not set",
      'set constructor to the API key',
    ],
    ...['http', 'fs,TLS', '*', 'ht*p'].map(
      (value): [string, string[], Texts, Texts, string, string] => [
        `with NODE_DEBUG=${value}`,
        [],
        { ...env, NODE_DEBUG: value },
        {},
        'the API key is not sent: NODE_DEBUG would print it',
        'unset NODE_DEBUG, or remove http, https, net and tls from it',
      ],
    ),
    [
      'if there are several profiles and no default',
      [],
      apiKey,
      two,
      'there are several profiles and no default',
      'choose one with -p or flagadm profile use',
    ],
    [
      'to a misspelt profile',
      ['-p', 'stagng'],
      {},
      user('profiles: {staging: {baseUrl: https://a.test}}'),
      "unknown profile 'stagng'",
      "did you mean 'staging'?",
    ],
    [
      'to an unknown profile of a project',
      [],
      {},
      project('profile: x\n'),
      "unknown profile 'x'",
      list,
    ],
    [
      'to an unknown profile of a variable',
      [],
      { ...env, FLAGADM_PROFILE: 'x' },
      {},
      "unknown profile 'x'",
      list,
    ],
    [
      'to a misspelt sandbox',
      ['-p', 'sandbx'],
      {},
      {},
      "unknown profile 'sandbx'",
      "did you mean 'sandbox'?",
    ],
  ])('%s', async (_what, argv, variables, files, message, hint) => {
    expect(await send({ argv, env: variables, files })).toEqual({
      code: 3,
      keys: [],
      stdout: '',
      stderr: `error: ${message}\nhint: ${hint}\n`,
    })
  })

  it('from a variable to a profile that a project chose, but to one that the user chose', async () => {
    const run = { argv: ['-p', 'a'], env: apiKey, files: chosen }
    expect(await send(run)).toMatchObject({ code: 0, keys: [CANARY] })
  })

  it('with NODE_DEBUG, except for that of the sandbox, which is public', async () => {
    const argv = ['feature', 'usage', 'dark-mode', '-p', 'sandbox']
    expect((await flagadm(argv, { env: { NODE_DEBUG: 'http' } })).code).toBe(0)
  })
})

describe('a key is refused without being shown', () => {
  const character = 'contains a character that is not allowed in API keys'
  it.each([
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
    expect(await send({ env: { ...env, FLAGADM_API_KEY: key } })).toMatchObject({
      code: 3,
      keys: [],
      stderr:
        `error: the API key from FLAGADM_API_KEY ${problem}\n` +
        'hint: use the key alone, without quotation marks, spaces or line breaks\n',
    })
  })

  const bearer = `Bearer ${CANARY}`
  const profile = (line: string) => user(`baseUrl: SERVICE\n${line}\n`)
  it.each<[string, string[], Texts, Texts]>([
    ['--api-key-file', [...at, 'key'], {}, { 'work/key': bearer }],
    ['--api-key-file', [...at, '-'], {}, {}],
    ['A_KEY', [], { A_KEY: bearer }, profile('apiKeyEnv: A_KEY')],
    ["apiKey of profile 'default'", [], {}, profile(`apiKey: "${bearer}"`)],
    [
      "apiKeyFile of profile 'default'",
      [],
      {},
      { ...profile('apiKeyFile: key'), 'home/.config/flagadm/key': bearer },
    ],
  ])('from %s', async (from, argv, variables, files) => {
    const { code, stderr } = await send({ argv, env: variables, files, stdin: bearer })
    const error = `error: the API key from ${from} begins with 'Bearer'`
    expect([code, stderr.split('\n')[0]]).toEqual([3, error])
  })
})

describe('a write with a profile that a project file chose', () => {
  const files = { ...project('profile: my-profile\n'), ...user(`profiles: {my-profile: ${own}}\n`) }

  it.each(writes)('is refused before it asks or sends: %s', async (_name, { argv, subject }) => {
    const command = argv.filter((arg) => arg !== '--yes')
    const { code, keys, stderr } = await send({ command, files })
    expect([code, keys]).toEqual([3, []])
    expect(stderr).toBe(
      `error: ${subject.text}profile 'my-profile' was chosen by ./.flagadmrc, so it can only be used for reading\n` +
        'hint: choose it yourself with -p my-profile\n',
    )
  })

  it.each<[string, Run]>([
    ['with -p', { command: set, argv: ['-p', 'my-profile'] }],
    ['with FLAGADM_PROFILE', { command: set, env: { FLAGADM_PROFILE: 'my-profile' } }],
    ['for reading', {}],
  ])('is allowed %s', async (_when, run) => {
    expect(await send({ ...run, files })).toMatchObject({ code: 0, stderr: '', keys: [CANARY] })
  })
})

it.each<[string, string[], string]>([
  ['a, SERVICE', ['-p', 'a'], own],
  ['SERVICE', ['-p', 'a', ...at, 'key'], '{baseUrl: https://a.test}'],
])('a write reports its target as %s', async (target, argv, profile) => {
  const files = { ...user(`profiles: {a: ${profile}}\n`), ...keyFile }
  const { code, stdout } = await send({ command: set.slice(0, -1), argv, files })
  expect([code, stdout]).toEqual([0, `Updated project p on ${target}\n  mode         open\n`])
})

const chosenBy = (chooser: string) =>
  `~/.config/flagadm/config.yaml; API key from apiKey; profile a chosen by ${chooser}`
it.each<[string, string[], Texts, Texts]>([
  ['--base-url; API key from --api-key-file', [...at, 'key'], {}, keyFile],
  ['--base-url; API key from FLAGADM_API_KEY', ['--base-url', 'SERVICE'], env, {}],
  [chosenBy('./.flagadmrc'), [], {}, { ...project('profile: a\n'), ...two }],
  [chosenBy('FLAGADM_PROFILE'), [], { FLAGADM_PROFILE: 'a' }, two],
  [chosenBy('--profile'), ['-p', 'a'], {}, two],
])('--verbose shows the sources %s', async (sources, argv, variables, files) => {
  const { stderr } = await send({ argv: ['-v', ...argv], env: variables, files })
  expect(stderr.split('\n')[0]).toBe(`debug: address SERVICE from ${sources}`)
})

it.each([
  [2, []],
  [1, ['--concurrency', '1']],
])('%i concurrent requests are sent with %j', async (most, argv) => {
  let [active, largest] = [0, 0]
  const { url } = await serve(async (response) => {
    largest = Math.max(largest, ++active)
    // The other requests have arrived.
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
    active--
    json(response, 200, someUsage)
  })
  const files = user(`baseUrl: ${url}\napiKey: '${CANARY}'\nconcurrency: 2\n`)
  await flagadm(['feature', 'usage', 'a', 'b', 'c', 'd', ...argv], { files })
  expect(largest).toBe(most)
})

describe('timeout and retries come from', () => {
  const files = { ...project('retries: 1\n'), ...user('retries: 3\ntimeout: 8\n') }

  it.each<[number, string[], Record<string, string>, Record<string, string>]>([
    [5, ['--retries', '4'], { FLAGADM_RETRIES: '0' }, files],
    [1, [], { FLAGADM_RETRIES: '0' }, files],
    [2, [], {}, files],
    [4, [], {}, user('retries: 3\n')],
    [3, [], {}, {}],
  ])('the option, the variable, the project, the user: %i attempts', async (count, ...given) => {
    const [argv, variables, files] = given
    const server = await serve((response) => json(response, 503, {}))
    await flagadm(['feature', 'usage', 'f', ...argv], {
      env: { FLAGADM_BASE_URL: server.url, FLAGADM_API_KEY: CANARY, ...variables },
      files,
      clock: patientClock().clock,
    })
    expect(server.received.length).toBe(count)
  })

  it.each<[string, string[], Record<string, string>, string]>([
    ['the option', ['--timeout', '0.05s'], { FLAGADM_TIMEOUT: '1' }, ''],
    ['the environment', [], { FLAGADM_TIMEOUT: '0.05s' }, 'timeout: 1\n'],
    ['a file', [], {}, 'timeout: 0.05s\n'],
  ])('%s, with a unit', async (_source, argv, variables, file) => {
    const { url } = await serve(() => {})
    const { code, stderr } = await flagadm(['feature', 'usage', 'f', ...argv, '--retries', '0'], {
      env: { FLAGADM_BASE_URL: url, FLAGADM_API_KEY: CANARY, ...variables },
      files: project(file),
    })
    const error = `error: f: no complete response from ${url} within 0.05 s`
    expect([code, stderr.split('\n')[0]]).toEqual([8, error])
  })

  it.each([
    ['FLAGADM_TIMEOUT', 'soon', 'use a duration of up to 24h, such as 10, 90s or 2h'],
    ['FLAGADM_TIMEOUT', '25h', 'use a duration of up to 24h, such as 10, 90s or 2h'],
    ['FLAGADM_RETRIES', '-1', 'use a whole number from 0 to 100'],
  ])('the environment, which is refused with %s=%s', async (name, value, hint) => {
    expect(await send({ env: { ...env, [name]: value } })).toMatchObject({
      code: 3,
      keys: [],
      stderr: `error: ${name}: invalid value '${value}'\nhint: ${hint}\n`,
    })
  })
})
