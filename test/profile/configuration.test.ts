import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { certificate, certificateKey } from '../support/certificate.ts'
import { CANARY, flagadm, temporaryFolder } from '../support/flagadm.ts'
import { send, userFile } from '../support/profile.ts'
import { ending } from '../support/text.ts'

const change = ['project', 'settings', 'set', 'p', '--mode', 'open', '--dry-run', '--json']
const none = 'no service is configured'
const at = (name: string) => `baseUrl: https://${name}.test\n`

/** The address used, which shows which file was read; otherwise the error. */
async function addressWith(files: Record<string, string>, cwd = 'work', argv: string[] = []) {
  const { code, stdout, stderr } = await flagadm([...change, ...argv], { files, cwd })
  return code === 0 ? JSON.parse(stdout).baseUrl : JSON.parse(stderr).error.message
}

/** A configuration file with a mode. */
async function fileWith(text: string, mode = 0o600): Promise<string> {
  const file = join(await temporaryFolder({ 'c.yaml': text }), 'c.yaml')
  await chmod(file, mode)
  return file
}

const folder = 'home/.config/flagadm'
const rc = 'work/.flagadmrc'
const profiles = 'profiles: {a: {baseUrl: https://a.test}, b: {baseUrl: https://b.test}}\n'
const git = { 'work/.git/HEAD': '' }

describe('the configuration is', () => {
  const near = { ...git, [rc]: at('far'), 'work/a/.flagadmrc': at('near') }
  const above = { '.flagadmrc': at('planted'), ...git }
  const empty = {
    'work/.flagadmrc/x': '',
    'work/.flagadmrc.json': 'null',
    'work/.flagadmrc.yaml': '# nothing\n',
    'work/flagadm.config.json': JSON.stringify({ baseUrl: 'https://first.test' }),
    'work/flagadm.config.yaml': at('second'),
  }
  const json = { [`${folder}/config.json`]: '{"baseUrl":"x"}', [`${folder}/config.yml`]: at('yml') }
  const own = { 'work/own.yaml': `defaultProfile: b\n${profiles}` }
  const theirs = { [rc]: 'defaultProfile: a\n', [userFile]: `defaultProfile: b\n${profiles}` }
  const both = { [rc]: 'profile: b\n', [userFile]: `profile: a\n${profiles}` }
  const twoFields = { [userFile]: `profile: b\ndefaultProfile: a\n${profiles}` }
  const more = { [rc]: `naming: {pattern: a+}\ntimeout: 3\nretries: 1\n${at('x')}` }
  const planted = {
    'work/.config/config.json': '{"cosmiconfig":{"searchPlaces":["planted.json"]}}',
    'work/planted.json': JSON.stringify({ baseUrl: 'https://planted.test' }),
  }

  it.each<[string, string, Record<string, string>, string?, string[]?]>([
    ['the nearest one in a repository', 'https://near.test', near, 'work/a/b'],
    ['not one above a repository', none, above, 'work/a/b'],
    ['not one above, outside a repository', none, { [rc]: at('above') }, 'work/a'],
    ['the first that is not empty and no folder', 'https://first.test', empty],
    ['config.yml rather than config.json', 'https://yml.test', json],
    ['that of --config', 'https://b.test', own, 'work', ['--config', 'own.yaml']],
    ["not a project's defaultProfile", 'https://b.test', theirs],
    ["the project's profile rather than the user's", 'https://b.test', both],
    ["the user's profile rather than the default", 'https://b.test', twoFields],
    ['one with a rule and limits beside the profile', 'https://x.test', more],
    ['not in a place that .config/config.json adds', none, planted],
  ])('%s', async (_what, address, files, cwd = 'work', argv = []) => {
    expect(await addressWith(files, cwd, argv)).toBe(address)
  })

  it.each(['{"name": "x"}', '{"flagadm": {}}', '[]'])('not the package.json %s', async (text) => {
    expect(await addressWith({ 'work/package.json': text })).toBe(none)
  })

  // Cosmiconfig would execute each of them.
  it.each(['.config/config.js', '.flagadmrc.js', '.flagadmrc.ts', 'flagadm.config.cjs'])(
    'not the code in %s',
    async (file) => {
      const text = "throw new Error('executed')"
      expect(await addressWith({ [`work/${file}`]: text })).toBe(none)
    },
  )

  it('not in a relative XDG_CONFIG_HOME, which may be in a repository', async () => {
    const planted = await temporaryFolder({ 'flagadm/config.yaml': at('planted') })
    const env = { XDG_CONFIG_HOME: relative(process.cwd(), planted) }
    expect((await flagadm(change, { env })).stderr).toContain(none)
  })

  it('missing for a user without a home directory', async () => {
    const files = { [userFile]: at('home'), 'work/c.yaml': `${at('work')}apiKeyFile: ~/key\n` }
    const world = { files, homeless: true }
    expect((await flagadm(change, world)).stderr).toContain(none)
    const reading = await flagadm(['feature', 'usage', 'f', '--config', 'c.yaml'], world)
    const problem = "apiKeyFile of profile 'default': cannot read the file: no such file"
    expect([reading.code, reading.stderr]).toEqual([3, `error: ${problem}\nhint: check the path\n`])
  })
})

const own = { baseUrl: 'https://x.test', apiKey: 'some-long-key' }
const url = 'baseUrl: https://x.test\n'

describe('a configuration is refused', () => {
  const place = 'correct the file at that place'
  const missing = 'a missing quotation mark, bracket, colon or comma'
  const quote = 'put single quotes around the value'
  const add = `add it; ${quote} if it is a pattern`
  const star = "a value that begins with '*', or '<<' with a value that is not a map"
  it.each([
    ['work/.flagadmrc.yaml', `${url}apiKey: '${CANARY}\n`, ':3:1', missing, add],
    ['work/.flagadmrc.json', `{\n  "k": "${CANARY}" oops\n}`, ':2:53', 'unexpected text', place],
    [rc, `a: b\n\tbad: [\n`, ':2:1', 'a tab as indentation', 'indent with spaces'],
    [userFile, `${url}apiKey: ${CANARY}\n`, '', star, quote],
  ])('if %s is malformed, with the place: %j', async (file, text, at, problem, hint) => {
    expect(ending(await send({ files: { [file]: text } }))).toBe(
      `3 error: F/${file}${at}: not valid YAML or JSON: ${problem}\nhint: ${hint}\n`,
    )
  })

  const named = (name: string) => JSON.stringify({ profiles: { fine: own, [name]: own } })
  const form = 'use letters, digits, dots, hyphens and underscores; begin with a letter or digit'
  const wrongName = (shown: string) => `profiles.${shown}: invalid profile name: ${form}`
  const oneKey = 'a profile has only one of apiKey, apiKeyEnv, apiKeyFile, apiKeyCommand'
  const reserved = "profiles.sandbox: the profile name 'sandbox' is reserved"
  it.each([
    ['profiles: {staging: {baseurl: x}}', 'profiles.staging.baseUrl: missing'],
    [`${url}apiKey: 123456789012\n`, 'apiKey: expected string'],
    [`${url}apiKeyCommand: []\n`, 'apiKeyCommand: expected a command'],
    [`${url}apiKeyCommand: [pass, "a\\0b"]\n`, 'apiKeyCommand[1]: expected text'],
    [`${url}apiKeyEnv: '${CANARY}'\n`, 'apiKeyEnv: expected the name of a variable'],
    ['naming: {patern: x}', 'naming.patern: unknown field'],
    [`{ baseUrl: https://x.test, apiKey:${CANARY} }`, 'apiKey…: unknown field'],
    ['apiKey: a-key\n', 'a profile at the top level requires baseUrl'],
    [`${url}apiKey: a-key\napiKeyEnv: KEY\n`, oneKey],
    ['profiles: {sandbox: {baseUrl: https://x.test}}\n', reserved],
    [named('my profile'), wrongName('my…')],
    [named(`apiKey:${CANARY}`), wrongName('apiKey…')],
  ])('with the invalid field in %j', async (text, problem) => {
    const { code, keys, stderr } = await send({ files: { [userFile]: text } })
    const hint = 'for the fields:\n  flagadm help variables'
    const error = `error: F/${userFile}: ${problem}\nhint: ${hint}\n`
    expect({ code, keys, stderr }).toEqual({
      code: 3,
      keys: [],
      stderr: error,
    })
  })

  it.each([
    ['apiKeyEnv', 'FLAGADM_API_KEY'],
    ['apiKeyFile', '/etc/hostname'],
    ['apiKeyCommand', '[touch, ran]'],
    ['caFile', 'ca.pem'],
  ])("with %s in a project's file", async (field, value) => {
    const env = { FLAGADM_API_KEY: CANARY }
    const files = { [rc]: `baseUrl: SERVICE\n${field}: ${value}\n` }
    expect(await send({ env, files })).toMatchObject({
      code: 3,
      keys: [],
      stderr:
        `error: F/${rc}: ${field} of profile 'default' is refused in a project's file\n` +
        'hint: move the profile to your user configuration (~/.config/flagadm/config.yaml)\n',
    })
  })

  const one = 'profiles: {a: {baseUrl: https://x.test}}\n'
  const twice = `profile 'a' is defined in both F/${rc} and F/${userFile}`
  const imports = '$import: other.json\napiKey: own-literal-key\n'
  const oneFile = 'write all fields into one file'
  const check = 'check the path'
  const empty = { 'work/empty.yaml': '# nothing\n' }
  it.each<[string[], Record<string, string>, string, string]>([
    [[], { [rc]: one, [userFile]: one }, twice, 'rename one of them'],
    [[], { [rc]: imports }, `F/${rc}: $import is refused`, oneFile],
    [[], { [userFile]: imports }, `F/${userFile}: $import is refused`, oneFile],
    [['--config', 'none.yaml'], {}, 'F/work/none.yaml: no such file', check],
    [['--config', 'empty.yaml'], empty, 'F/work/empty.yaml: contains no configuration', check],
    [['--config', '.'], {}, 'F/work: contains no configuration', check],
  ])('if it is ambiguous, missing or imports others: %j %j', async (argv, files, problem, hint) => {
    expect(ending(await send({ argv, files }))).toBe(`3 error: ${problem}\nhint: ${hint}\n`)
  })

  it('if --config is code, which is not executed', async () => {
    const marker = join(await temporaryFolder(), 'ran')
    const files = { 'work/c.js': `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')` }
    expect((await send({ argv: ['--config', 'c.js'], files })).code).toBe(3)
    expect(existsSync(marker)).toBe(false)
  })

  it('if it cannot be read', async () => {
    const home = await temporaryFolder()
    const file = join(home, 'flagadm/config.yaml')
    await mkdir(join(home, 'flagadm'))
    await symlink('config.yaml', file)
    const { code, stderr } = await send({ env: { XDG_CONFIG_HOME: home } })
    const error = `error: ${file}: cannot be read: ELOOP\nhint: check its permissions\n`
    expect([code, stderr]).toEqual([3, error])
  })
})

it.each([
  ['a DER file', Buffer.from(certificate.replace(/-----.*-----/g, ''), 'base64')],
  ['an empty file', ''],
  ['a private key', certificateKey],
])('caFile without a PEM certificate, such as %s, is refused', async (_what, content) => {
  const text = `${url}apiKey: '${CANARY}'\ncaFile: ca.pem\n`
  const files = { [userFile]: text, [`${folder}/ca.pem`]: content }
  const { code, stderr, folder: root } = await flagadm(['feature', 'usage', 'f'], { files })
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr:
      `error: caFile ${root}/${folder}/ca.pem contains no PEM certificate\n` +
      'hint: use a PEM file; for a DER file: openssl x509 -inform der -in ca.der -out ca.pem\n',
  })
})

describe('a configuration file that others can write', () => {
  const argv = [...change.slice(0, -1), '--base-url', 'https://x.test', '--quiet']
  const me = process.getuid?.()
  const isRoot = me === 0
  // Only root can change the owner of a file, and accepts its own files.
  const other = isRoot ? 65_534 : me
  const user = isRoot ? 4242 : me
  const named = 'profiles: {a: {baseUrl: https://x.test}}\n'
  const writable = "error: F is writable by everyone\nhint: run: chmod o-w 'F'\n"
  const foreign =
    "error: F belongs to another user\nhint: check its content, then run: chown 4242 'F'\n"

  it.each<[string, string, number, number | undefined, number | undefined, string]>([
    ['everyone can', at('x'), 0o602, me, me, writable],
    ['everyone can, and profiles have names', named, 0o602, me, me, writable],
    ['it has no profiles', 'retries: 1\n', 0o666, me, me, ''],
    ['users have no ids', at('x'), 0o666, me, undefined, ''],
    ['it belongs to another user', at('x'), 0o600, other, 4242, foreign],
    ['it belongs to the user', at('x'), 0o600, user, user, ''],
    ['it belongs to root', at('x'), 0o600, me, user, ''],
  ])('is refused or accepted if %s', async (_what, text, mode, owner, uid, error) => {
    const file = await fileWith(text, mode)
    if (isRoot) await chown(file, owner ?? 0, owner ?? 0)
    const { code, stderr } = await flagadm([...argv, '--config', file], { uid })
    expect([code, stderr.replaceAll(file, 'F')]).toEqual([error === '' ? 0 : 3, error])
  })

  it('is accepted in a project, because its key goes only to its own address', async () => {
    const root = await temporaryFolder({ 'work/.flagadmrc': at('x') })
    await chmod(join(root, 'work/.flagadmrc'), 0o666)
    const cwd = join('..', basename(root), 'work')
    expect((await flagadm(change, { cwd, uid: 4242 })).code).toBe(0)
  })
})

describe('a key that others can read causes a warning', () => {
  const key = `apiKey: '${CANARY}'`
  const named = `profiles: {a: {baseUrl: https://a.test, ${key}}, b: {baseUrl: x}}`
  it.each([
    ['in a profile', 0o640, true, named],
    ['at the top level', 0o604, true, `${at('x')}${key}\n`],
    ['where only the owner can', 0o700, false, `${at('x')}${key}\n`],
    ['where there is none', 0o644, false, `${at('x')}apiKeyEnv: KEY\n`],
  ])('%s, with mode %i: %s', async (_where, mode, isWarned, text) => {
    const file = await fileWith(text, mode)
    const { stderr } = await flagadm(['profile', 'list', '--config', file])
    const advice = `run chmod 600 '${file}'`
    const warning = `warning: ${file} contains an API key and others can read it: ${advice}\n`
    expect(stderr).toBe(isWarned ? warning : '')
  })
})

describe("a project's configuration that is a link", () => {
  const text = `${at('x')}apiKey: '${CANARY}'\n`

  async function linked(target: string, place: string, git: Record<string, string> = {}) {
    const files = { 'mine/c.yaml': text, 'work/own/c.yaml': text, 'work/sub/x': '', ...git }
    const root = await temporaryFolder(files)
    await symlink(target, join(root, 'work/sub', place))
    const cwd = join('..', basename(root), 'work/sub')
    const { code, stdout, stderr } = await flagadm(['profile', 'list'], { cwd })
    return { code, stdout, stderr, file: join(root, 'work/sub', place) }
  }

  it.each([
    ['../../mine/c.yaml', '.flagadmrc', git],
    ['../../mine/c.yaml', 'package.json', git],
    ['/etc/passwd', '.flagadmrc', git],
    ['../own/c.yaml', '.flagadmrc', {}],
  ])('out of the repository, to %s, is refused as %s', async (target, place, files) => {
    const { code, stdout, stderr, file } = await linked(target, place, files)
    const hint = 'remove it, or name it with --config'
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toBe(`error: ${file} is a link out of the repository\nhint: ${hint}\n`)
  })

  it('in the repository is read', async () => {
    const { code, stdout } = await linked('../own/c.yaml', '.flagadmrc', git)
    expect([code, stdout]).toEqual([0, expect.stringContaining('https://x.test')])
  })
})

describe('a configuration that is not a regular file', () => {
  it('is read once, so profile show knows no line of it', async () => {
    const file = join(await temporaryFolder(), 'pipe')
    execFileSync('mkfifo', [file])
    const [{ code, stdout }] = await Promise.all([
      flagadm(['profile', 'show', '--json', '--config', file]),
      writeFile(file, at('x')),
    ])
    expect({ code, baseUrl: JSON.parse(stdout).baseUrl }).toEqual({
      code: 0,
      baseUrl: { value: 'https://x.test', origin: { kind: 'user', name: file } },
    })
  })

  it('is read once, so naming lint knows no line of the rule', async () => {
    const file = join(await temporaryFolder(), 'pipe')
    execFileSync('mkfifo', [file])
    const [{ code, stdout }] = await Promise.all([
      flagadm(['naming', 'lint', '-o', 'github', '--config', file]),
      writeFile(file, 'naming: {pattern: .*, example: a, description: b}\n'),
    ])
    expect([code, stdout.split('title=')[0]]).toEqual([0, '::warning '])
  })

  it.each([
    ['the project', rc, 'a pipe'],
    ['the project', 'work/package.json', 'a pipe'],
    ['the project', rc, 'a link to a device'],
    ['the user', userFile, 'a pipe'],
    ['the user', userFile, 'a link to a device'],
  ])(
    'is refused without opening it if it is found: of %s in %s, %s',
    async (_whose, place, what) => {
      const root = await temporaryFolder({ 'work/x': '' })
      const file = join(root, place)
      await mkdir(dirname(file), { recursive: true })
      if (what === 'a pipe') execFileSync('mkfifo', [file])
      else await symlink('/dev/zero', file)
      const home = join(root, 'home/.config')
      const outcome = await flagadm(['profile', 'list'], {
        cwd: join('..', basename(root), 'work'),
        env: { XDG_CONFIG_HOME: home },
      })
      expect([outcome.code, outcome.stdout, outcome.stderr]).toEqual([
        3,
        '',
        `error: ${file} is not a regular file\nhint: remove it, or name it with --config\n`,
      ])
    },
  )

  it.each([
    ['empty', '/dev/null: contains no configuration'],
    ['endless', '/dev/zero is larger than 16 MiB'],
  ])('is refused if it is %s', async (_what, problem) => {
    const [file = ''] = problem.split(/:? /)
    const { code, stderr } = await flagadm([...change.slice(0, -1), '--config', file])
    expect([code, stderr]).toEqual([3, `error: ${problem}\nhint: check the path\n`])
  })
})
