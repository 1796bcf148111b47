import { describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { patientClock } from '../support/clock.ts'
import { CANARY, environment, flagadm, temporaryFolder } from '../support/flagadm.ts'
import { runs } from '../support/operations.ts'
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
const profileAt = ['-p', 'default', '--base-url', 'SERVICE']

type Texts = Record<string, string>

describe('address and key come from', () => {
  const deep = { 'work/.git/HEAD': '', ...project('profile: a\n'), ...two }
  const withDefault = user(`defaultProfile: a\nprofiles: {a: ${own}, ${dead}}\n`)
  const others = { ...keyFile, ...user(`profiles: {${dead}}\n`) }
  const withoutKey = user(`profiles: {a: ${keyless}}`)
  const chosen = { ...project('profile: dead\n'), ...two }
  const malformed = { 'work/own.yaml': pair, ...project('no: x\n'), ...user('no: x\n') }
  const inVariable = user('baseUrl: SERVICE\napiKeyEnv: A\n')
  const beside = {
    ...user('baseUrl: SERVICE\napiKeyFile: a.key\n'),
    'home/.config/flagadm/a.key': `${CANARY}\r\n`,
  }
  const refused = project('baseUrl: https://x.test\napiKeyEnv: FLAGADM_API_KEY\n')
  const foreign = user('baseUrl: https://x.test\ncaFile: none.pem\n')
  const limits = { ...env, FLAGADM_TIMEOUT: '24h', FLAGADM_RETRIES: '100' }

  it.each<[string, string[], Texts, Texts, Run?]>([
    ['the environment', [], env, {}],
    ['options rather than the environment', [...at, 'key'], exported, others],
    ['standard input', [...at, '-'], {}, {}, { stdin: `${CANARY}\n` }],
    ['the only profile of the user', [], {}, user(`profiles: {a: ${own}}\n`)],
    ['the profile of defaultProfile', [], {}, withDefault],
    ['the profile that the project chooses', [], {}, deep, { cwd: 'work/deep/down' }],
    ['the environment rather than the profile', [], env, user(`profiles: {${dead}}\n`)],
    ['--profile rather than all variables', ['-p', 'a'], exported, two],
    ['--profile and FLAGADM_API_KEY, if it has no key', ['-p', 'a'], apiKey, withoutKey],
    ['FLAGADM_PROFILE rather than the project', [], { FLAGADM_PROFILE: 'a' }, chosen],
    ['the file of --config only', ['--config', 'own.yaml'], {}, malformed],
    ['a profile and an equal --base-url', ['--base-url', 'SERVICE/'], {}, user(pair)],
    ['the variable of apiKeyEnv', [], { A: CANARY }, inVariable],
    ['the file of apiKeyFile, beside the configuration', [], {}, beside],
    ['the environment despite a refused profile', [], env, refused],
    ['--base-url, without caFile of the profile', profileAt, apiKey, foreign],
    ['the environment, with the largest limits', [], limits, {}],
  ])('%s', async (_source, argv, variables, files, more) => {
    const outcome = await send({ argv, env: variables, files, ...more })
    expect(outcome).toMatchObject({
      code: 0,
      stderr: '',
      keys: [CANARY],
    })
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
    ['flagadm.config.json', `{"profile":"a","profiles":{"a":${json}}}`],
    ['flagadm.config.yaml', `profiles: {a: ${own}}`],
    ['package.json', `{"name":"x","flagadm":${json}}`],
  ])('are used for reads and writes: %s', async (file, text) => {
    const files = { [`work/${file}`]: text }
    for (const run of [{ files }, { files, command: set }]) {
      expect(await send(run)).toMatchObject({
        code: 0,
        stderr: '',
        keys: [CANARY],
      })
    }
  })
})

describe('a key is not sent', () => {
  const elsewhere = `baseUrl: ${DEAD}\napiKey: '${CANARY}'\n`
  const home = '~/.config/flagadm/config.yaml'
  const rc = './.flagadmrc'
  const chosen = { ...project('profile: a\n'), ...user(`profiles: {a: ${keyless}, ${dead}}\n`) }
  const inFile = ['--api-key-file', 'key']

  it.each<[key: string, from: string, what: string, string[], Texts, Texts]>([
    ['FLAGADM_API_KEY', rc, 'a project', [], apiKey, project('baseUrl: SERVICE\n')],
    ['FLAGADM_API_KEY', rc, 'a project with a key', [], apiKey, project(pair)],
    ['--api-key-file', rc, 'a project', inFile, {}, { ...project(pair), ...keyFile }],
    ['FLAGADM_API_KEY', home, 'a chosen profile', [], apiKey, chosen],
    ['apiKey', 'FLAGADM_BASE_URL', 'the user', [], service, user(elsewhere)],
    ['apiKey', '--base-url', 'a project', profileAt, {}, project(elsewhere)],
    ['apiKey', '--base-url', 'a profile', profileAt, apiKey, user(elsewhere)],
  ])('from %s to an address from %s: %s', async (key, from, _what, argv, variables, files) => {
    const way = '--base-url and --api-key-file, or FLAGADM_BASE_URL and FLAGADM_API_KEY'
    expect(await send({ argv, env: variables, files })).toEqual({
      code: 3,
      keys: [],
      stdout: '',
      stderr: `error: the API key from ${key} is not sent to SERVICE (from ${from})\nhint: specify both: ${way}\n`,
    })
  })

  const noFile = 'cannot read the file: no such file'
  const list = 'the profiles are: sandbox'
  const staging = user('profiles: {staging: {baseUrl: https://a.test}}')
  // The path of a missing file may be the key.
  const notPath = user(`baseUrl: SERVICE\napiKeyFile: "${CANARY}"\n`)
  // The name of an inherited property of every object.
  const inherited = user('baseUrl: SERVICE\napiKeyEnv: constructor\n')
  const unset = "apiKeyEnv of profile 'default': the environment variable constructor is not set"
  const ways = 'set FLAGADM_API_KEY, use --api-key-file, or add apiKeyEnv to the profile'
  const several = 'there are several profiles and no default'
  const choose = 'choose one with -p: a, dead'
  const debugging = 'the API key is not sent: NODE_DEBUG would print it'
  const unsetDebug = 'unset NODE_DEBUG, or remove http, https, net, tls and child_process from it'

  it.each<[message: string, hint: string, string[], Texts, Texts]>([
    ['no API key for SERVICE', ways, ['--base-url', 'SERVICE'], {}, {}],
    [`--api-key-file: ${noFile}`, 'check the path', [...at, CANARY], {}, {}],
    [`apiKeyFile of profile 'default': ${noFile}`, 'check the path', [], {}, notPath],
    [unset, 'set constructor to the API key', [], {}, inherited],
    [debugging, unsetDebug, [], { ...env, NODE_DEBUG: 'http' }, {}],
    [debugging, unsetDebug, [], { ...env, NODE_DEBUG: 'ht*p' }, {}],
    [debugging, unsetDebug, [], { ...env, NODE_DEBUG: 'child_process' }, {}],
    [several, choose, [], apiKey, two],
    ["unknown profile 'stagng'", "did you mean 'staging'?", ['-p', 'stagng'], {}, staging],
    ["unknown profile 'x'", list, [], {}, project('profile: x\n')],
    ["unknown profile 'x'", list, [], { ...env, FLAGADM_PROFILE: 'x' }, {}],
  ])('if there is a problem: %s (%#)', async (message, hint, argv, variables, files) => {
    const stderr = `error: ${message}\nhint: ${hint}\n`
    const outcome = await send({ argv, env: variables, files })
    expect(outcome).toEqual({
      code: 3,
      keys: [],
      stdout: '',
      stderr,
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

describe('the variable with the key of one host', () => {
  const FLAGS = 'FLAGADM_API_KEY_flags_example_com'
  /** Where `profile show` finds the key of an address in a project's file, and why it is not used. */
  const shownKey = async (
    baseUrl: string,
    variables: Texts,
    argv: string[] = [],
    more: Texts = {},
  ) => {
    const files = { ...project(`baseUrl: ${baseUrl}\n`), ...more }
    const run = await flagadm(['profile', 'show', '--json', ...argv], { env: variables, files })
    const { value, problem } = JSON.parse(run.stdout).apiKey
    return problem === undefined ? value : `${value}: not sent`
  }

  it.each([
    ['https://flags.example.com', FLAGS],
    ['https://flags.example.com:443/prefix', FLAGS],
    ['https://FLAGS.example.com', FLAGS],
    ['https://flags-example.com', 'FLAGADM_API_KEY_flags__example_com'],
    ['https://a--b.example', 'FLAGADM_API_KEY_a____b_example'],
    ['https://10.0.0.1', 'FLAGADM_API_KEY_10_0_0_1'],
  ])('is used with the address %s of a project: %s', async (baseUrl, variable) => {
    expect(await shownKey(baseUrl, { [variable]: CANARY })).toBe(`from ${variable}`)
    const all = { [variable]: CANARY, FLAGADM_API_KEY: other }
    expect(await shownKey(baseUrl, all)).toBe(`from ${variable}`)
  })

  it.each([
    ['another host', 'https://example.com'],
    ['a host below it', 'https://a.flags.example.com'],
    ['another port', 'https://flags.example.com:8443'],
    ['a host with an underscore', 'https://flags_example.com'],
    ['a host with a hyphen beside a dot', 'https://flags-.example.com'],
    ['a host that ends in a dot', 'https://flags.example.com.'],
  ])('is not used with %s', async (_what, baseUrl) => {
    expect(await shownKey(baseUrl, { [FLAGS]: other, FLAGADM_API_KEY: CANARY })).toBe(
      'from FLAGADM_API_KEY: not sent',
    )
  })

  it('is not used with plain http', async () => {
    const files = project('baseUrl: http://flags.example.com\nallowHttp: true\n')
    const { stdout } = await flagadm(['profile', 'show', '--json'], {
      env: { [FLAGS]: CANARY },
      files,
    })
    expect(JSON.parse(stdout).apiKey.value).toBe('none')
  })

  it('gives way to --api-key-file, and to the key of a profile that is chosen with -p', async () => {
    const baseUrl = 'https://flags.example.com'
    const variables = { [FLAGS]: other }
    const files = user(`profiles: {a: {baseUrl: '${baseUrl}', apiKey: '${CANARY}'}}\n`)
    expect(await shownKey(baseUrl, variables, ['-p', 'a'], files)).toBe('from apiKey')
    const { stdout } = await flagadm(
      ['profile', 'show', '--json', '--base-url', baseUrl, '--api-key-file', 'key'],
      { env: variables, files: keyFile },
    )
    expect(JSON.parse(stdout).apiKey.value).toBe('from --api-key-file')
  })

  it('may write, is masked, and is named where another key is refused', async () => {
    const files = project('baseUrl: https://flags.example.com\n')
    // Nothing listens there, so the request ends before it is sent.
    const proxy = { HTTPS_PROXY: DEAD, FLAGADM_RETRIES: '0' }
    const written = await flagadm(set, { env: { ...proxy, [FLAGS]: CANARY }, files })
    expect([written.code, written.stderr]).toEqual([8, expect.stringContaining('the proxy')])
    const refused = await flagadm(set, { env: { ...proxy, ...apiKey }, files })
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringContaining(`or set ${FLAGS}, for this host alone\n`),
    ])
    const missing = await flagadm(set, { env: proxy, files })
    expect(missing.stderr).toContain(`hint: set ${FLAGS}, use --api-key-file`)
    const shown = await flagadm([...set, `*${CANARY}`], { env: { [FLAGS]: CANARY } })
    expect(shown.stderr).not.toContain(CANARY)
  })
})

describe('a key is refused without being shown', () => {
  const character = 'contains a character that is not allowed in API keys'
  it.each([
    ['a line break', `${CANARY}\nX-Other: 1`, character],
    ['a letter that headers cannot contain', `${CANARY}ключ`, character],
    ['a blank at its end', `${CANARY} `, character],
    ['double quotes', `"${CANARY}"`, 'is in quotation marks'],
    ['Bearer', `Bearer ${CANARY}`, "begins with 'Bearer'"],
    ['Authorization', `Authorization: ${CANARY}`, "begins with 'Authorization:'"],
    ['the text of another file', `${CANARY.repeat(250)}`, 'is longer than 10000 characters'],
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
  const inFile = { 'home/.config/flagadm/key': bearer }
  it.each<[string, string[], Texts, Texts]>([
    ['--api-key-file', [...at, 'key'], {}, { 'work/key': bearer }],
    ['--api-key-file', [...at, '-'], {}, {}],
    ['A_KEY', [], { A_KEY: bearer }, profile('apiKeyEnv: A_KEY')],
    ["apiKey of profile 'default'", [], {}, profile(`apiKey: "${bearer}"`)],
    ["apiKeyFile of profile 'default'", [], {}, { ...profile('apiKeyFile: key'), ...inFile }],
  ])('from %s', async (from, argv, variables, files) => {
    const { code, stderr } = await send({ argv, env: variables, files, stdin: bearer })
    const error = `error: the API key from ${from} begins with 'Bearer'`
    expect([code, stderr.split('\n')[0]]).toEqual([3, error])
  })
})

describe('a write with a profile that a project file chose', () => {
  const files = { ...project('profile: my-profile\n'), ...user(`profiles: {my-profile: ${own}}\n`) }

  // The others in this group change the user's own configuration.
  const writes = commands.filter(({ words, group }) => {
    return group === 'Commands that change something:' && !words.startsWith('profile ')
  })

  it.each(writes)('is refused before it reads, asks or sends: $words', async ({ words }) => {
    const { argv = [] } = runs[`flagadm ${words}`] ?? {}
    const own = argv.filter((arg) => !['-p', 'sandbox', '--yes', '--dry-run'].includes(arg))
    const { code, keys, stderr } = await send({ command: [...words.split(' '), ...own], files })
    expect([code, keys]).toEqual([3, []])
    // Some commands have found their project by then.
    expect(stderr.replace('project default: ', '')).toBe(
      `error: profile 'my-profile' was chosen by ./.flagadmrc, so it can only be used for reading\n` +
        'hint: choose it yourself with -p my-profile\n',
    )
  })

  it.each<[string, Run]>([
    ['with -p', { command: set, argv: ['-p', 'my-profile'] }],
    ['with FLAGADM_PROFILE', { command: set, env: { FLAGADM_PROFILE: 'my-profile' } }],
    ['for reading', {}],
  ])('is allowed %s', async (_when, run) => {
    expect(await send({ ...run, files })).toMatchObject({
      code: 0,
      stderr: '',
      keys: [CANARY],
    })
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
  let active = 0
  let largest = 0
  const { url } = await serve(async (response) => {
    largest = Math.max(largest, ++active)
    // The other requests have arrived.
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
    active--
    json(response, 200, someUsage)
  })
  const files = user(`baseUrl: ${url}\napiKey: '${CANARY}'\nconcurrency: 2\n`)
  await flagadm(['feature', 'usage', 'a', 'b', 'c', 'd', '--quiet', ...argv], { files })
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
  ])(
    'the option, the variable, the project, then the user: %i attempts',
    async (count, ...given) => {
      const [argv, variables, files] = given
      const server = await serve((response) => json(response, 503, {}))
      const env = { ...environment(server.url), ...variables }
      const world = { env, files, clock: patientClock().clock }
      await flagadm(['feature', 'usage', 'f', ...argv], world)
      expect(server.received.length).toBe(count)
    },
  )

  it.each<[string, string[], Record<string, string>, string]>([
    ['the option', ['--timeout', '0.05s'], { FLAGADM_TIMEOUT: '1' }, ''],
    ['the environment', [], { FLAGADM_TIMEOUT: '0.05s' }, 'timeout: 1\n'],
    ['a file', [], {}, 'timeout: 0.05s\n'],
  ])('%s, with a unit', async (_source, argv, variables, file) => {
    const { url } = await serve(() => {})
    const env = { ...environment(url), ...variables }
    const command = ['feature', 'usage', 'f', '--retries', '0', ...argv]
    const { code, stderr } = await flagadm(command, { env, files: project(file) })
    const error = `error: f: no complete response from ${url} within 0.05 s`
    expect([code, stderr.split('\n')[0]]).toEqual([8, error])
  })

  it.each([
    ['FLAGADM_TIMEOUT', 'soon', 'use a duration of up to 24h, such as 10, 90s or 2h'],
    ['FLAGADM_RETRIES', '-1', 'use a whole number from 0 to 100'],
  ])('the environment, which is refused with %s=%s', async (name, value, hint) => {
    expect(await send({ env: { ...env, [name]: value } })).toMatchObject({
      code: 3,
      keys: [],
      stderr: `error: ${name}: invalid value '${value}'\nhint: ${hint}\n`,
    })
  })
})
