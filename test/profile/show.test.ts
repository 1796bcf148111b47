import { describe, expect, test } from 'vitest'
import { CANARY, flagadm, type World } from '../support/flagadm.ts'

const userFile = 'home/.config/flagadm/config.yaml'
const twoProfiles = `# mine
defaultProfile: staging
profiles:
  staging:
    baseUrl: https://flags.staging.example.com
    apiKeyEnv: STAGING_KEY
  production: { baseUrl: "https://flags.example.com", apiKey: "${CANARY}" }
`

/** Runs `flagadm profile …` and replaces the temporary folder in its output. */
async function profile(argv: readonly string[], world: World) {
  const { code, stdout, stderr, folder } = await flagadm(['profile', ...argv], world)
  return {
    code,
    stdout: stdout.replaceAll(folder, '/tmp'),
    stderr: stderr.replaceAll(folder, '/tmp'),
  }
}

describe('profile list', () => {
  test('marks the default profile and shows why', async () => {
    expect(await profile(['list'], { files: { [userFile]: twoProfiles } })).toEqual({
      code: 0,
      stdout: `  Profile     Address                            API key                File                           Default
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
* staging     https://flags.staging.example.com  apiKeyEnv STAGING_KEY  ~/.config/flagadm/config.yaml  ~/.config/flagadm/config.yaml
  production  https://flags.example.com          apiKey                 ~/.config/flagadm/config.yaml
`,
      stderr: '',
    })
  })

  test('prints an array as JSON', async () => {
    const { stdout } = await profile(['list', '--json'], { files: { [userFile]: twoProfiles } })
    const file = '/tmp/home/.config/flagadm/config.yaml'
    expect(JSON.parse(stdout)).toEqual([
      {
        name: 'staging',
        baseUrl: 'https://flags.staging.example.com',
        apiKey: 'apiKeyEnv STAGING_KEY',
        file,
        default: '~/.config/flagadm/config.yaml',
      },
      { name: 'production', baseUrl: 'https://flags.example.com', apiKey: 'apiKey', file },
    ])
  })

  test('shows an http address, and no default if none is chosen', async () => {
    const text =
      'profiles: { a: { baseUrl: "http://a.test", allowHttp: true }, b: { baseUrl: "https://b.test" } }'
    const { stdout } = await profile(['list', '--json'], { files: { [userFile]: text } })
    const file = '/tmp/home/.config/flagadm/config.yaml'
    expect(JSON.parse(stdout)).toEqual([
      { name: 'a', baseUrl: 'http://a.test', file },
      { name: 'b', baseUrl: 'https://b.test', file },
    ])
  })

  const single = { [userFile]: 'profiles: { a: { baseUrl: "https://a.test" } }' }
  const several = { [userFile]: 'profiles: { a: {baseUrl: x}, default: {baseUrl: x} }' }

  test.each<[string, World, string, string[]]>([
    ['the option', { files: { [userFile]: twoProfiles } }, '--profile', ['-p', 'production']],
    [
      'the variable',
      { files: { [userFile]: twoProfiles }, env: { FLAGADM_PROFILE: 'production' } },
      'FLAGADM_PROFILE',
      [],
    ],
    [
      "a project's file",
      { files: { [userFile]: twoProfiles, 'work/.flagadmrc': 'profile: production' } },
      './.flagadmrc',
      [],
    ],
    ['its being the only one', { files: single }, '~/.config/flagadm/config.yaml', []],
    ['its name', { files: several }, '~/.config/flagadm/config.yaml', []],
  ])('shows that the default comes from %s', async (_what, world, reason, argv) => {
    const { stdout } = await profile(['list', '--json', ...argv], world)
    const [, chosen = ''] = /"default":"([^"]*)"/.exec(stdout) ?? []
    expect(chosen).toBe(reason)
  })

  test('does not show an invalid address, which may contain a password', async () => {
    const files = { [userFile]: 'baseUrl: https://me:canary@a.test\n' }
    const { code, stdout } = await profile(['list'], { files })
    expect([code, stdout]).toEqual([
      0,
      `  Profile  Address  API key  File                           Default
─────────────────────────────────────────────────────────────────────────────────────────
* default  invalid  none     ~/.config/flagadm/config.yaml  ~/.config/flagadm/config.yaml
`,
    ])
  })

  test.each([
    [[], 'No profiles. Add one with flagadm profile add.\n'],
    [['--json'], '[]\n'],
  ])('%j prints nothing else without profiles', async (argv, stdout) => {
    expect(await profile(['list', ...argv], {})).toEqual({ code: 0, stdout, stderr: '' })
  })
})

describe('profile show', () => {
  test('shows every value with its file', async () => {
    const world = {
      files: { [userFile]: `${twoProfiles}timeout: 5s\nnaming:\n  pattern: a+\n` },
      env: { STAGING_KEY: CANARY, HTTPS_PROXY: 'http://me:secret@proxy.test:3128' },
    }
    expect(await profile(['show'], world)).toEqual({
      code: 0,
      stdout: `profile         staging (~/.config/flagadm/config.yaml)
baseUrl         https://flags.staging.example.com (~/.config/flagadm/config.yaml)
apiKey          admin token (apiKeyEnv STAGING_KEY)
proxy           http://proxy.test:3128 (HTTPS_PROXY)
timeout         5s (~/.config/flagadm/config.yaml)
retries         2 (default)
naming.pattern  a+ (~/.config/flagadm/config.yaml)
`,
      stderr: '',
    })
  })

  test('shows options and variables as origins', async () => {
    const world = {
      files: { [userFile]: twoProfiles },
      env: { FLAGADM_API_KEY: 'user:0123456789abcdef', FLAGADM_TIMEOUT: '7' },
    }
    const { stdout, stderr } = await profile(['show', 'production', '--retries', '5'], world)
    expect([stdout, stderr]).toEqual([
      `profile  production (--profile)
baseUrl  https://flags.example.com (~/.config/flagadm/config.yaml)
apiKey   admin token (apiKey)
timeout  7 (FLAGADM_TIMEOUT)
retries  5 (--retries)
`,
      '',
    ])
  })

  test('shows that there is no key', async () => {
    const files = { [userFile]: 'profiles: { a: { baseUrl: "https://a.test" } }' }
    const world = { files, env: { FLAGADM_PROFILE: 'b' } }
    const { stdout, stderr } = await profile(['show', 'a'], world)
    expect([stdout.split('\n')[2], stderr]).toEqual(['apiKey   none', ''])
  })

  test('prints an object as JSON', async () => {
    const files = { 'work/package.json': `{\n"flagadm": {"baseUrl": "https://a.test"}}` }
    const { stdout } = await profile(['show', '--json', '--allow-http'], { files })
    const name = '/tmp/work/package.json'
    expect(JSON.parse(stdout)).toEqual({
      profile: { value: 'default', origin: { kind: 'project', name } },
      baseUrl: { value: 'https://a.test', origin: { kind: 'project', name, line: 2 } },
      apiKey: { value: 'none', origin: { kind: 'default', name: '' } },
      allowHttp: { value: 'true', origin: { kind: 'flag', name: '--allow-http' } },
      timeout: { value: '10s', origin: { kind: 'default', name: 'default' } },
      retries: { value: '2', origin: { kind: 'default', name: 'default' } },
    })
  })

  test('has the path of the file and the line of each field in JSON', async () => {
    const ca = '    concurrency: 3\n    caFile: ca.pem\n'
    const text = `${twoProfiles.replace('_KEY\n', `_KEY\n${ca}`)}timeout: 5s\nnaming:\n  pattern: a+\n`
    const world = { files: { [userFile]: text }, env: { STAGING_KEY: 'user:0123456789' } }
    const { stdout } = await profile(['show', '--json'], world)
    const origin = (line: number) => {
      return { kind: 'user', name: '/tmp/home/.config/flagadm/config.yaml', line }
    }
    expect(JSON.parse(stdout)).toEqual({
      profile: { value: 'staging', origin: origin(2) },
      baseUrl: { value: 'https://flags.staging.example.com', origin: origin(5) },
      apiKey: { value: 'from apiKeyEnv STAGING_KEY', origin: origin(6), kind: 'personal' },
      caFile: { value: '/tmp/home/.config/flagadm/ca.pem', origin: origin(8) },
      concurrency: { value: '3', origin: origin(7) },
      timeout: { value: '5s', origin: origin(10) },
      retries: { value: '2', origin: { kind: 'default', name: 'default' } },
      'naming.pattern': { value: 'a+', origin: origin(12) },
    })
  })

  test('shows concurrency of the profile', async () => {
    const text = 'baseUrl: https://a.test\napiKeyFile: key\nconcurrency: 2\n'
    const files = { 'home/.config/flagadm/config.yaml': text, 'home/.config/flagadm/key': 'k' }
    const { stdout } = await flagadm(['profile', 'show'], { files })
    expect(stdout).toMatch(/^concurrency {2}2 \(~\/.config\/flagadm\/config.yaml\)$/m)
  })

  test('shows caFile and allowHttp of the profile', async () => {
    const text = 'baseUrl: http://a.test\nallowHttp: true\ncaFile: ca.pem\napiKeyFile: key\n'
    const { stdout } = await profile(['show'], { files: { [userFile]: text } })
    expect(stdout).toMatch(
      /^apiKey {5}not used \(apiKeyFile\): apiKeyFile of profile 'default': cannot read the file: no such file$/m,
    )
    expect(stdout).toMatch(/^caFile {5}\/tmp\/home\/\.config\/flagadm\/ca\.pem \(/m)
    expect(stdout).toMatch(/^allowHttp {2}true \(~\/.config\/flagadm\/config.yaml\)$/m)
  })

  test.each([
    ['*:*.0123456789abcdef0123', 'admin'],
    ['*:development.0123456789abcdef', 'client'],
    ['[]:development.0123456789abcdef', 'client'],
    ['shop:production.0123456789abcdef', 'client'],
    ['user:0123456789abcdef', 'personal'],
    ['user:v2_0123456789_abcdef.x', 'personal'],
    ['0123456789abcdef', 'unknown'],
    ['*:*:0123456789abcdef', 'unknown'],
  ])('recognises the kind of the token %s', async (key, kind) => {
    const env = { FLAGADM_BASE_URL: 'https://a.test', FLAGADM_API_KEY: key }
    const { stdout } = await profile(['show', '--json'], { env })
    expect(JSON.parse(stdout).apiKey).toEqual({
      value: 'from FLAGADM_API_KEY',
      kind,
      origin: { kind: 'environment', name: 'FLAGADM_API_KEY' },
    })
    expect(stdout).not.toContain(key)
  })

  test('does not read a key that would not be sent', async () => {
    const files = {
      'work/.flagadmrc': 'profile: staging',
      [userFile]: twoProfiles,
    }
    const world = { files, env: { FLAGADM_API_KEY: CANARY } }
    const { code, stdout } = await profile(['show'], world)
    expect(code).toBe(0)
    expect(stdout).toContain(
      ' (FLAGADM_API_KEY): the API key from FLAGADM_API_KEY is not sent to https://flags.staging.example.com',
    )
  })

  test('shows the sandbox', async () => {
    const { code, stdout } = await profile(['show', 'sandbox', '--json'], {})
    expect([code, JSON.parse(stdout).apiKey]).toEqual([
      0,
      {
        value: 'from the embedded sandbox',
        kind: 'admin',
        origin: { kind: 'sandbox', name: 'the embedded sandbox' },
      },
    ])
  })

  test.each([
    [['show', 'x', '-p', 'y'], 3, "unknown profile 'x'"],
    [['show', 'x'], 3, "unknown profile 'x'"],
    [['show'], 3, 'no service is configured'],
  ])('%j fails', async (argv, exit, message) => {
    const { code, stdout, stderr } = await profile(argv, {})
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([exit, '', `error: ${message}`])
  })
})
