import { chmod, lstat, readdir, readFile, stat, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/host.ts'
import { shell } from '../support/binary.ts'
import { patientClock } from '../support/clock.ts'
import { CANARY, flagadm, type Outcome, temporaryFolder } from '../support/flagadm.ts'
import { before, mine, profile, userFile } from '../support/profile.ts'

const address = ['--base-url', 'https://a.test']
const addA = ['profile', 'add', 'a', ...address, '--api-key-env', 'A', '--no-check']

describe('profile use', () => {
  test('changes only the default', async () => {
    const { code, stdout, stderr, text } = await profile(['use', 'production'], mine())
    expect([code, stdout, stderr]).toEqual([
      0,
      'Profile production is now the default in ~/.config/flagadm/config.yaml\n',
      '',
    ])
    expect(text).toBe(before.replace('defaultProfile: staging', 'defaultProfile: production'))
  })

  test('adds the default if there is none', async () => {
    const text = before.replace(/^defaultProfile.*\n\n/m, '')
    expect((await profile(['use', 'production'], mine(text))).text).toBe(
      `${text}defaultProfile: production\n`,
    )
  })

  test('changes the field profile, which takes precedence', async () => {
    const text = before.replace('defaultProfile', 'profile')
    expect((await profile(['use', 'production'], mine(text))).text).toBe(
      text.replace('profile: staging', 'profile: production'),
    )
  })

  test.each([
    [{ FLAGADM_PROFILE: 'staging' }, {}, 'FLAGADM_PROFILE'],
    [{}, { 'work/.flagadmrc': 'profile: staging' }, './.flagadmrc'],
  ])('warns of what takes precedence: %j %j', async (env, files, what) => {
    const world = { env, files: { [userFile]: before, ...files } }
    const { code, stderr } = await profile(['use', 'production'], world)
    expect([code, stderr]).toEqual([0, `warning: ${what} takes precedence and chooses 'staging'\n`])
  })

  test('prints JSON', async () => {
    const { stdout } = await profile(['use', 'production', '--json'], mine())
    expect(JSON.parse(stdout)).toEqual({
      action: 'used',
      profile: 'production',
      file: '/tmp/home/.config/flagadm/config.yaml',
    })
  })
})

describe('profile rename', () => {
  test('keeps comments and order, and renames the default', async () => {
    const { code, stdout, text } = await profile(['rename', 'staging', 'test'], mine())
    expect([code, stdout]).toEqual([
      0,
      'Renamed profile staging to test in ~/.config/flagadm/config.yaml\n',
    ])
    expect(text).toBe(
      before
        .replace('defaultProfile: staging', 'defaultProfile: test')
        .replace('  staging:', '  test:'),
    )
  })

  test('keeps the default if that is another profile', async () => {
    const { text } = await profile(['rename', 'production', 'live'], mine())
    expect(text).toBe(before.replace('  production:', '  live:'))
  })

  test('moves a profile at the top level, and keeps it the default', async () => {
    const text = '# mine\nbaseUrl: https://a.test # A\ntimeout: 5s\napiKeyEnv: KEY\n'
    expect((await profile(['rename', 'default', 'a'], mine(text))).text).toBe(
      'timeout: 5s\nprofiles:\n  a:\n    # mine\n    baseUrl: https://a.test # A\n    apiKeyEnv: KEY\ndefaultProfile: a\n',
    )
  })

  test("warns if a project's file chooses the old name", async () => {
    const files = { [userFile]: before, 'work/.flagadmrc': 'profile: staging' }
    const { stderr } = await profile(['rename', 'staging', 'test'], { files })
    expect(stderr).toBe("warning: ./.flagadmrc still chooses the profile 'staging'\n")
  })

  test.each([
    ['a b', 2, "invalid profile name 'a b'"],
    ['../a', 2, "invalid profile name '../a'"],
    ['', 2, "invalid profile name ''"],
    ['sandbox', 2, "the profile name 'sandbox' is reserved"],
    ['constructor', 2, "the profile name 'constructor' is reserved"],
    [
      'production',
      3,
      "profile 'production' already exists in /tmp/home/.config/flagadm/config.yaml",
    ],
  ])('refuses the name %j', async (name, exit, message) => {
    const { code, stderr, text } = await profile(['rename', 'staging', name], mine())
    expect([code, stderr.split('\n')[0], text]).toEqual([exit, `error: ${message}`, before])
  })
})

describe('profile remove', () => {
  test('removes the profile and the default with it', async () => {
    const { code, stdout, stderr, text } = await profile(['remove', 'staging', '--yes'], mine())
    expect([code, stdout, stderr]).toEqual([
      0,
      'Removed profile staging from ~/.config/flagadm/config.yaml\n',
      '',
    ])
    expect(text).toBe(`# My services


profiles:
  # The copy
  production:
    baseUrl: https://flags.example.com
    apiKeyCommand: [pass, show, flags]

timeout: 5s # slow
`)
  })

  test('keeps the default if that is another profile', async () => {
    const { text } = await profile(['remove', 'production', '--yes'], mine())
    expect(text).toBe(before.replace(/ {2}production:\n.*\n.*\n/, ''))
  })

  test('does not show the path of a key file that does not exist, which may be a key', async () => {
    const text = `baseUrl: https://a.test\napiKeyFile: '${CANARY}'\nretries: 1\n`
    const { stderr, text: after } = await profile(['remove', 'default', '--yes'], mine(text))
    expect([after, stderr]).toEqual(['retries: 1\n', ''])
  })

  test('removes a profile at the top level', async () => {
    const text = 'baseUrl: https://a.test\napiKeyFile: a.key\nretries: 1\n'
    const files = { [userFile]: text, 'home/.config/flagadm/a.key': CANARY }
    const { stderr, text: after } = await profile(['remove', 'default', '--yes'], { files })
    expect([after, stderr]).toEqual([
      'retries: 1\n',
      'note: its key file ~/.config/flagadm/a.key was kept; delete it if you no longer need it\n',
    ])
  })

  const refused = 'error: not confirmed, so nothing was changed\nhint: answer yes, or use --yes\n'

  test.each([
    ['y', 0, 'Removed profile staging from ~/.config/flagadm/config.yaml\n', ''],
    ['n', 130, '', refused],
    ['\u0003', 130, '', 'error: interrupted; nothing was changed\n'],
  ])('asks on a terminal and acts on the answer %j', async (keys, exit, stdout, error) => {
    const world = { ...mine(), dialog: [['Remove profile staging', keys]] as const }
    const outcome = await profile(['remove', 'staging'], world)
    expect([outcome.code, outcome.stdout]).toEqual([exit, stdout])
    expect(stripVTControlCharacters(outcome.stderr).endsWith(error)).toBe(true)
    expect(outcome.text === before).toBe(stdout === '')
  })

  test('asks on one line of a terminal that reports 0 columns', async () => {
    const dialog = [['?', 'n']] as const
    const { stderr } = await profile(['remove', 'staging'], { ...mine(), dialog, dialogColumns: 0 })
    expect(stripVTControlCharacters(stderr)).toContain(
      'Remove profile staging from ~/.config/flagadm/config.yaml?\n',
    )
  })

  test('is refused without a terminal', async () => {
    const { code, stdout, stderr, text } = await profile(['remove', 'staging'], mine())
    expect([code, stdout, stderr, text]).toEqual([
      2,
      '',
      'error: confirmation required: this removes profile staging from ~/.config/flagadm/config.yaml\n' +
        'hint: run the command on a terminal, or use --yes\n',
      before,
    ])
  })

  test('does not ask with --yes', async () => {
    const { code, stderr } = await profile(['remove', 'staging', '--yes'], {
      ...mine(),
      dialog: [],
    })
    expect([code, stderr]).toEqual([0, ''])
  })
})

describe('a change', () => {
  const changes = [[['use', 'b']], [['rename', 'b', 'c']], [['remove', 'b', '--yes']]]
  const json = '{\n\t"profiles": {\n\t\t"b": {\n\t\t\t"baseUrl": "https://b.test"\n\t\t}\n\t}\n}\n'

  test.each([
    ['use', ['use', 'b'], json.replace('\t}\n}', '\t},\n\t"defaultProfile": "b"\n}')],
    ['rename', ['rename', 'b', 'c'], json.replace('"b": {', '"c": {')],
    ['remove', ['remove', 'b', '--yes'], '{\n\t"profiles": {}\n}\n'],
  ])('of JSON keeps it JSON: %s', async (_what, argv, after) => {
    const path = 'home/.config/flagadm/config.json'
    const { code, text } = await profile(argv, { files: { [path]: json } }, path)
    expect([code, text]).toEqual([0, after])
  })

  test.each(['', '\n'])(
    'of JSON on one line keeps it on one line, with the end %j',
    async (end) => {
      const path = 'home/.config/flagadm/config.json'
      const files = { [path]: `{"profiles":{"b":{"baseUrl":"https://b.test"}}}${end}` }
      const { text } = await profile(['use', 'b'], { files }, path)
      expect(text).toBe(
        `{"profiles":{"b":{"baseUrl":"https://b.test"}},"defaultProfile":"b"}${end}`,
      )
    },
  )

  test.each([
    ['two spaces if nothing is indented', '{\n"retries": 1,\n"profiles": {\n"b": {\n', '  '],
    ['the indentation after the first line', '{ "retries": 1,\n    "profiles": { "b": {', '    '],
  ])('of JSON uses %s', async (_what, start, indent) => {
    const path = 'home/.config/flagadm/config.json'
    const files = { [path]: `${start}"baseUrl": "https://b.test" } } }\n` }
    const { text } = await profile(['use', 'b'], { files }, path)
    const profiles = { b: { baseUrl: 'https://b.test' } }
    const data = { retries: 1, profiles, defaultProfile: 'b' }
    expect(text).toBe(`${JSON.stringify(data, null, indent)}\n`)
  })

  test('of JSON keeps the order of names and the digits of numbers', async () => {
    const path = 'home/.config/flagadm/package.json'
    const text = '{"id":12345678901234567890,"f":1.0,"flagadm":{"profiles":{"b":P,"7":P}}}'
    const files = { [path]: text.replaceAll('P', '{"baseUrl":"https:\\/\\/b.test"}') }
    const argv = ['use', '7', '--config', '../home/.config/flagadm/package.json']
    const { code, text: after } = await profile(argv, { files }, path)
    expect([code, after]).toEqual([
      0,
      text
        .replaceAll('P', '{"baseUrl":"https://b.test"}')
        .replace(/\}\}$/, ',"defaultProfile":"7"}}'),
    ])
  })

  test('of package.yaml is made in the field that is read', async () => {
    const path = 'home/.config/flagadm/package.yaml'
    const text = 'flagadm:\n  profiles:\n    b: { baseUrl: https://b.test }\n'
    const argv = ['use', 'b', '--config', '../home/.config/flagadm/package.yaml']
    const { code, text: after } = await profile(argv, { files: { [path]: text } }, path)
    expect([code, after]).toEqual([0, `${text}  defaultProfile: b\n`])
  })

  test.each([
    ['on one line', ''],
    ['on several lines', 4],
  ])('of JSON keeps lists %s', async (_, indent) => {
    const path = 'home/.config/flagadm/config.json'
    const b = { baseUrl: 'https://b.test', apiKeyCommand: ['pass', 'show', 'b'] }
    const data = { trustedProjects: [], profiles: { b } }
    const files = { [path]: JSON.stringify(data, null, indent) }
    const { code, text } = await profile(['use', 'b'], { files }, path)
    const after = JSON.stringify({ ...data, defaultProfile: 'b' }, null, indent)
    expect([code, text]).toEqual([0, after])
  })

  test('of JSON with a duplicate name is refused, because one of them would be lost', async () => {
    const path = 'home/.config/flagadm/config.json'
    const text =
      '{"profiles":{"b":{"baseUrl":"https://b.test"},\n"b":{"baseUrl":"https://c.test"}}}'
    const {
      code,
      stderr,
      text: after,
    } = await profile(['use', 'b'], { files: { [path]: text } }, path)
    expect([code, stderr, after]).toEqual([
      3,
      'error: /tmp/home/.config/flagadm/config.json:2:1: not valid YAML or JSON: a duplicate key\n' +
        'hint: remove one of them\n',
      text,
    ])
  })

  test('of JSON with a trailing comma adds quotation marks', async () => {
    const path = 'home/.config/flagadm/config.json'
    const files = { [path]: '{"profiles":{"b":{"baseUrl":"https://b.test"},},}' }
    const { text } = await profile(['use', 'b'], { files }, path)
    expect(JSON.parse(text ?? '')).toEqual({
      profiles: { b: { baseUrl: 'https://b.test' } },
      defaultProfile: 'b',
    })
  })

  test.each([
    [
      'config.yaml',
      'profiles:\r\n  b:\r\n    baseUrl: https://b.test\r\n',
      'defaultProfile: b\r\n',
    ],
    [
      'config.json',
      '{\r\n  "profiles": {\r\n    "b": {\r\n      "baseUrl": "https://b.test"\r\n    }\r\n  }',
      ',\r\n  "defaultProfile": "b"\r\n}\r\n',
    ],
  ])('of %s keeps a byte order mark and Windows line endings', async (name, start, end) => {
    const path = `home/.config/flagadm/${name}`
    const before = `\ufeff${start}${name.endsWith('json') ? '\r\n}\r\n' : ''}`
    const { code, text } = await profile(['use', 'b'], { files: { [path]: before } }, path)
    expect([code, text]).toEqual([0, `\ufeff${start}${end}`])
  })

  test.each([
    '# Mine\n\nprofiles:\n    # The copy\n    staging:\n        baseUrl: https://b.test\n',
    'trustedProjects:\n- ~/a # shop\nprofiles:\n  staging:\n    baseUrl: https://b.test\n',
  ])('keeps the indentation of %j', async (text) => {
    expect((await profile(['use', 'staging'], mine(text))).text).toBe(
      `${text}defaultProfile: staging\n`,
    )
  })

  test('adds a profile on lines of its own after the last one was removed', async () => {
    const { code, text } = await profile(
      ['add', 'a', '--base-url', 'https://a.test', '--api-key-env', 'A', '--no-check'],
      mine('profiles: {}\n'),
    )
    expect([code, text]).toEqual([
      0,
      'profiles:\n  a:\n    baseUrl: https://a.test\n    apiKeyEnv: A\ndefaultProfile: a\n',
    ])
  })

  test('keeps Windows line endings', async () => {
    const { text } = await profile(['use', 'production'], mine(before.replaceAll('\n', '\r\n')))
    expect(text).toBe(
      before.replace('Profile: staging', 'Profile: production').replaceAll('\n', '\r\n'),
    )
  })

  test('keeps a file that contains only comments', async () => {
    const argv = ['add', 'a', '--base-url', 'https://a.test', '--api-key-env', 'A', '--no-check']
    const { text } = await profile(argv, mine('# nothing yet\n'))
    expect(text).toBe(
      '# nothing yet\n\ndefaultProfile: a\nprofiles:\n  a:\n    baseUrl: https://a.test\n    apiKeyEnv: A\n',
    )
  })

  test('of the file of --config changes that file', async () => {
    const folder = await temporaryFolder({ 'c.yaml': before })
    const path = join(folder, 'c.yaml')
    const { code } = await profile(['use', 'production', '--config', path], mine())
    expect([code, await readFile(path, 'utf8')]).toEqual([
      0,
      before.replace('Profile: staging', 'Profile: production'),
    ])
  })

  test('makes a file that others can read private', async () => {
    const folder = await temporaryFolder({ 'c.yaml': before })
    const path = join(folder, 'c.yaml')
    await chmod(path, 0o644)
    await profile(['use', 'production', '--config', path])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test.each(changes)('of an unknown profile fails: %j', async (argv) => {
    const { code, stderr, text } = await profile(argv, mine())
    expect([code, stderr, text]).toEqual([
      3,
      "error: unknown profile 'b'\nhint: choose one of staging, production\n",
      before,
    ])
  })

  test.each(changes)("of a project's profile is refused: %j", async (argv) => {
    const project = 'profiles: { b: { baseUrl: "https://b.test", apiKey: project-key } }\n'
    const world = { files: { 'work/.flagadmrc': project } }
    const { code, stderr, text } = await profile(argv, world, 'work/.flagadmrc')
    expect([code, stderr, text]).toEqual([
      3,
      "error: profile 'b' is defined in /tmp/work/.flagadmrc, which belongs to the project\n" +
        'hint: edit that file, or use the profile with -p b\n',
      project,
    ])
  })

  test.each([
    ...changes,
    [['add', 'z', '--base-url', 'https://z.test', '--api-key-env', 'Z', '--no-check']],
  ])('of a file that everyone can write is refused: %j', async (argv) => {
    const text = 'profiles: { b: { baseUrl: "https://b.test" } }\n'
    const folder = await temporaryFolder({ 'c.yaml': text })
    const path = join(folder, 'c.yaml')
    await chmod(path, 0o666)
    const { code, stderr } = await flagadm(['profile', ...argv, '--config', path])
    expect([code, stderr]).toEqual([
      3,
      `error: ${path} is writable by everyone\nhint: run: chmod o-w '${path}'\n`,
    ])
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  test('that would break an alias is refused', async () => {
    const text = 'profiles:\n  a: &a { baseUrl: "https://a.test" }\n  b: *a\n'
    const { code, stderr, text: after } = await profile(['remove', 'a', '--yes'], mine(text))
    expect([code, stderr, after]).toEqual([
      3,
      'error: /tmp/home/.config/flagadm/config.yaml: this change is not possible\nhint: edit the file by hand\n',
      text,
    ])
  })

  test.each([
    [['rename', '123', 'a'], '  a: {'],
    [['remove', '123', '--yes'], 'profiles: {}'],
  ])('of a profile whose name is a number: %j', async (argv, text) => {
    const world = mine('profiles:\n  123: { baseUrl: "https://a.test" }\n')
    const { code, text: after } = await profile(argv, world)
    expect([code, after?.includes(text)]).toEqual([0, true])
  })

  test('of a pipe is refused', async () => {
    const script = `echo 'baseUrl: https://a.test' | flagadm profile use default --config /dev/stdin`
    const { code, stderr } = await shell(script)
    expect([code, stderr]).toEqual([
      3,
      'error: /dev/stdin: not a regular file\nhint: use a regular file\n',
    ])
  })

  test('of a file that is not UTF-8 is refused', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'c.yaml')
    const bytes = Buffer.from('# caf\u00e9\nbaseUrl: https://a.test\n', 'latin1')
    await writeFile(path, bytes, { mode: 0o600 })
    const { code, stderr } = await flagadm(['profile', 'use', 'default', '--config', path])
    expect([code, stderr]).toEqual([3, `error: ${path}: not UTF-8\nhint: save it as UTF-8\n`])
    expect(await readFile(path)).toEqual(bytes)
  })

  test('follows a link to the file', async () => {
    const folder = await temporaryFolder({ 'real.yaml': before })
    await symlink(join(folder, 'real.yaml'), join(folder, 'c.yaml'))
    await flagadm(['profile', 'use', 'production', '--config', join(folder, 'c.yaml')])
    expect(await readFile(join(folder, 'real.yaml'), 'utf8')).toContain('Profile: production')
    expect((await lstat(join(folder, 'c.yaml'))).isSymbolicLink()).toBe(true)
  })

  test('without a home directory fails', async () => {
    const { code, stderr }: Outcome = await flagadm(addA, { homeless: true })
    expect([code, stderr]).toEqual([
      3,
      'error: no home directory for the configuration file\nhint: set HOME or XDG_CONFIG_HOME\n',
    ])
  })

  test('in a folder that is a file fails', async () => {
    const argv = ['add', 'a', '--base-url', 'https://a.test', '--api-key-env', 'A', '--no-check']
    const { code, stderr } = await profile(argv, { files: { 'home/.config': 'x' } })
    expect([code, stderr.split('\n')[0]]).toEqual([
      1,
      'error: /tmp/home/.config/flagadm cannot be created: no such file',
    ])
  })
})

describe('two changes of the same file', () => {
  const address = ['--base-url', 'https://a.test', '--api-key-env', 'A', '--no-check']
  const added = (name: string, path: string) =>
    flagadm(['profile', 'add', name, ...address, '--config', path])

  test('at the same time are both made', async () => {
    const folder = await temporaryFolder({ 'c.yaml': before })
    const path = join(folder, 'c.yaml')
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const codes = await Promise.all(names.map(async (name) => (await added(name, path)).code))
    expect(codes).toEqual(names.map(() => 0))
    const text = await readFile(path, 'utf8')
    for (const name of names) expect(text).toContain(`\n  ${name}:\n`)
    expect(await readdir(folder)).toEqual(['c.yaml'])
  })

  /** Runs a command while another one makes this change. */
  async function during(change: string, argv: readonly string[]) {
    const folder = await temporaryFolder({ 'c.yaml': before, 'c.yaml.lock': '' })
    const path = join(folder, 'c.yaml')
    const clock = { ...systemClock, sleep: finish }
    async function finish() {
      await writeFile(path, change)
      await unlink(`${path}.lock`)
    }
    const { code, stderr } = await flagadm(['profile', ...argv, '--config', path], { clock })
    const error = stderr.replaceAll(folder, '/tmp').split('\n')[0]
    return { code, error, text: await readFile(path, 'utf8'), left: await readdir(folder) }
  }

  test('are both made if one waits for the other', async () => {
    const change = before.replace('staging # for now', 'production')
    expect(await during(change, ['rename', 'production', 'live'])).toEqual({
      code: 0,
      error: '',
      text: before.replace('staging # for now', 'live').replace('production:', 'live:'),
      left: ['c.yaml'],
    })
  })

  const withA = before.replace('production:', 'a:')
  const exists = "error: profile 'a' already exists in /tmp/c.yaml"
  const unknown = "error: unknown profile 'production'"

  test.each([
    [['add', 'a', ...address], exists],
    [['rename', 'staging', 'a'], exists],
    [['rename', 'production', 'b'], unknown],
    [['use', 'production'], unknown],
    [['remove', 'production', '--yes'], unknown],
  ])('are refused if the first one made the second impossible: %j', async (argv, error) => {
    expect(await during(withA, argv)).toEqual({ code: 3, error, text: withA, left: ['c.yaml'] })
  })

  test('wait at most 10 s for a file that a killed process left behind', async () => {
    const folder = await temporaryFolder({ 'c.yaml': before, 'c.yaml.lock': '' })
    const path = join(folder, 'c.yaml')
    const { clock, waits } = patientClock()
    const { code, stderr } = await flagadm(['profile', 'use', 'production', '--config', path], {
      clock,
    })
    expect([code, stderr]).toEqual([
      3,
      `error: ${path}.lock: another flagadm is changing the configuration\nhint: if none is running, delete it\n`,
    ])
    expect(waits.reduce((sum, wait) => sum + wait)).toBe(10_020)
    expect(await readFile(path, 'utf8')).toBe(before)
  })

  test('wait for each other if one of them is made through a link', async () => {
    const folder = await temporaryFolder({ 'data/c.yaml': before, 'data/c.yaml.lock': '' })
    const path = join(folder, 'c.yaml')
    await symlink('data/c.yaml', path)
    const { clock } = patientClock()
    const argv = ['profile', 'use', 'production', '--config', path]
    const { code, stderr } = await flagadm(argv, { clock })
    const lock = join(folder, 'data/c.yaml.lock')
    expect([code, stderr.split('\n')[0]]).toEqual([
      3,
      `error: ${lock}: another flagadm is changing the configuration`,
    ])
    expect(await readdir(folder)).toEqual(['c.yaml', 'data'])
  })

  test('fail if the file is a link into a missing folder', async () => {
    const folder = await temporaryFolder({ 'flagadm/other.txt': '' })
    const file = join(folder, 'flagadm/config.yaml')
    await symlink(join(folder, 'missing/config.yaml'), file)
    const { code, stderr } = await flagadm(addA, { env: { XDG_CONFIG_HOME: folder } })
    expect([code, stderr]).toEqual([
      1,
      `error: ${file} cannot be written: no such file\nhint: check the path and its permissions\n`,
    ])
  })
})
