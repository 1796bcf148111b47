import { describe, expect, it } from 'vitest'
import { CANARY, type World } from '../support/flagadm.ts'
import { mine, profile, userFile } from '../support/profile.ts'

const twoProfiles = `# mine
defaultProfile: staging
profiles:
  staging:
    baseUrl: https://flags.staging.example.com
    apiKeyEnv: STAGING_KEY
  production: { baseUrl: "https://flags.example.com", apiKey: "${CANARY}" }
`
const file = '/tmp/home/.config/flagadm/config.yaml'
const shown = '~/.config/flagadm/config.yaml'

describe('profile list', () => {
  it('marks the default profile and shows why', async () => {
    expect(await profile(['list'], mine(twoProfiles))).toMatchObject({
      code: 0,
      stdout: `  Profile     Address                            API key                File                           Default
──────────────────────────────────────────────────────────────────────────────────────────────────────────────
* staging     https://flags.staging.example.com  apiKeyEnv STAGING_KEY  ~/.config/flagadm/config.yaml  yes
  production  https://flags.example.com          apiKey                 ~/.config/flagadm/config.yaml
`,
      stderr: '',
    })
  })

  it('shows what makes a profile the default, if that is not its own file', async () => {
    const world = { ...mine(twoProfiles), env: { FLAGADM_PROFILE: 'staging' } }
    const { stdout } = await profile(['list'], world)
    expect(stdout).toContain(`STAGING_KEY  ${shown}  FLAGADM_PROFILE\n`)
  })

  it('does not show an invalid address, which may contain a password', async () => {
    const { code, stdout } = await profile(['list'], mine('baseUrl: https://me:canary@a.test\n'))
    expect([code, stdout.split('\n')[2]]).toEqual([0, `* default  invalid  none     ${shown}  yes`])
  })

  const both = mine(twoProfiles)
  const byProject = { [userFile]: twoProfiles, 'work/.flagadmrc': 'profile: production' }
  it.each<[string | undefined, World, string[]?]>([
    ['--profile', both, ['-p', 'production']],
    ['FLAGADM_PROFILE', { ...both, env: { FLAGADM_PROFILE: 'production' } }],
    ['./.flagadmrc', { files: byProject }],
    [shown, mine('profiles: {a: {baseUrl: "https://a.test"}}')],
    [shown, mine('profiles: {a: {baseUrl: x}, default: {baseUrl: x}}')],
    [undefined, mine('profiles: {a: {baseUrl: x}, b: {baseUrl: x}}')],
  ])('shows that the default comes from %s (%#)', async (reason, world, argv = []) => {
    const { stdout } = await profile(['list', '--json', ...argv], world)
    expect(/"default":"([^"]*)"/.exec(stdout)?.[1]).toBe(reason)
  })

  it('prints an array as JSON', async () => {
    const text = `profiles: {a: {baseUrl: "http://a.test", apiKey: '${CANARY}'}, b: {baseUrl: "https://b.test"}}`
    const world = { ...mine(text), env: { FLAGADM_PROFILE: 'b' } }
    expect(JSON.parse((await profile(['list', '--json'], world)).stdout)).toEqual([
      { name: 'a', baseUrl: 'http://a.test', apiKey: 'apiKey', file },
      { name: 'b', baseUrl: 'https://b.test', file, default: 'FLAGADM_PROFILE' },
    ])
  })

  it.each([
    [[], 'No profiles. Add one with flagadm profile add.\n'],
    [['--json'], '[]\n'],
  ])('%j prints nothing else without profiles', async (argv, stdout) => {
    expect(await profile(['list', ...argv])).toMatchObject({
      code: 0,
      stdout,
      stderr: '',
    })
  })
})

describe('profile show', () => {
  it('shows every value with its source, without credentials', async () => {
    const world = {
      ...mine(`${twoProfiles}timeout: 5s\nnaming:\n  pattern: a+\n`),
      env: { STAGING_KEY: CANARY, HTTPS_PROXY: 'http://me:secret@proxy.test:3128' },
    }
    expect(await profile(['show', '--retries', '5'], world)).toMatchObject({
      code: 0,
      stdout: `profile         staging (~/.config/flagadm/config.yaml)
baseUrl         https://flags.staging.example.com (~/.config/flagadm/config.yaml)
apiKey          admin token (apiKeyEnv STAGING_KEY)
proxy           http://proxy.test:3128 (HTTPS_PROXY)
timeout         5s (~/.config/flagadm/config.yaml)
retries         5 (--retries)
naming.pattern  a+ (~/.config/flagadm/config.yaml)
`,
      stderr: '',
    })
  })

  it('shows a profile by name, its own key, and variables', async () => {
    const env = { FLAGADM_API_KEY: 'user:0123456789abcdef', FLAGADM_TIMEOUT: '7' }
    const { stdout } = await profile(['show', 'production'], { ...mine(twoProfiles), env })
    expect(stdout).toBe(`profile  production (--profile)
baseUrl  https://flags.example.com (~/.config/flagadm/config.yaml)
apiKey   admin token (apiKey)
timeout  7 (FLAGADM_TIMEOUT)
retries  2 (default)
`)
  })

  it('shows optional fields of the profile, and why the key is not used', async () => {
    const text =
      'baseUrl: http://a.test\nallowHttp: true\ncaFile: ca.pem\napiKeyFile: key\nconcurrency: 2\n'
    const { stdout } = await profile(['show'], mine(text))
    expect(stdout.split('\n').slice(2, 6)).toEqual([
      "apiKey       not used (apiKeyFile): apiKeyFile of profile 'default': cannot read the file: no such file",
      `caFile       /tmp/home/.config/flagadm/ca.pem (${shown})`,
      `allowHttp    true (${shown})`,
      `concurrency  2 (${shown})`,
    ])
  })

  it('has the path of the file and the line of each field in JSON', async () => {
    const more = '_KEY\n    concurrency: 3\n    caFile: ca.pem\n'
    const text = `${twoProfiles.replace('_KEY\n', more)}timeout: 5s\nnaming:\n  pattern: a+\n`
    const world = { ...mine(text), env: { STAGING_KEY: 'user:0123456789' } }
    const { stdout } = await profile(['show', '--json'], world)
    const origin = (line: number) => ({ kind: 'user', name: file, line })
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

  it('shows the sandbox', async () => {
    const { stdout } = await profile(['show', 'sandbox', '--json'])
    const from = 'the embedded sandbox'
    expect(JSON.parse(stdout).apiKey).toEqual({
      value: `from ${from}`,
      kind: 'admin',
      origin: { kind: 'sandbox', name: from },
    })
  })

  it.each([
    [['show', 'x'], "unknown profile 'x'"],
    [['show'], 'no service is configured'],
  ])('exits with 3 for %j: %s', async (argv, message) => {
    const { code, stdout, stderr } = await profile(argv)
    expect({ code, stdout }).toEqual({
      code: 3,
      stdout: '',
    })
    expect(stderr.split('\n')[0]).toBe(`error: ${message}`)
  })
})
