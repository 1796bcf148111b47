import { chmod, lstat, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it, test } from 'vitest'
import { json as respond, serve } from '../support/server.ts'
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

  test('prints JSON', async () => {
    const { stdout } = await profile(['use', 'production', '--json'], mine())
    expect(JSON.parse(stdout)).toEqual({
      action: 'used',
      profile: 'production',
      file: '/tmp/home/.config/flagadm/config.yaml',
    })
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

  it('says nothing about a key file that another profile uses', async () => {
    const text =
      'profiles:\n' +
      '  a: { baseUrl: "https://a.test", apiKeyFile: shared.key }\n' +
      '  b: { baseUrl: "https://b.test", apiKeyFile: ./shared.key }\n'
    const files = { [userFile]: text, 'home/.config/flagadm/shared.key': CANARY }
    const { code, stderr } = await profile(['remove', 'a', '--yes'], { files })
    expect([code, stderr]).toEqual([0, ''])
  })

  test('removes a profile at the top level', async () => {
    const text = 'baseUrl: https://a.test\napiKeyFile: default.key\nretries: 1\n'
    const files = { [userFile]: text, 'home/.config/flagadm/default.key': CANARY }
    const { stderr, text: after } = await profile(['remove', 'default', '--yes'], { files })
    expect([after, stderr]).toEqual([
      'retries: 1\n',
      'note: its key file default.key was kept; delete it if you no longer need it\n',
    ])
  })

  const refused = 'error: not confirmed, so nothing was changed\n'

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
  const changes = [[['use', 'b']], [['remove', 'b', '--yes']]]

  test.each([
    ['use', ['use', 'b'], { profiles: { b: { baseUrl: 'https://b.test' } }, defaultProfile: 'b' }],
    ['remove', ['remove', 'b', '--yes'], { profiles: {} }],
  ])('of JSON keeps it JSON: %s', async (_what, argv, after) => {
    const path = 'home/.config/flagadm/config.json'
    const files = { [path]: '{"profiles":{"b":{"baseUrl":"https://b.test"}}}' }
    const { code, text } = await profile(argv, { files }, path)
    expect([code, text]).toEqual([0, `${JSON.stringify(after, null, 2)}\n`])
  })

  test('of package.json is made in the field that is read', async () => {
    const path = 'home/.config/flagadm/package.json'
    const text = '{"name":"x","flagadm":{"profiles":{"b":{"baseUrl":"https://b.test"}}}}'
    const argv = ['use', 'b', '--config', '../home/.config/flagadm/package.json']
    const { code, text: after } = await profile(argv, { files: { [path]: text } }, path)
    const { flagadm: configuration, ...rest } = JSON.parse(`${after}`)
    expect([code, rest, configuration.defaultProfile]).toEqual([0, { name: 'x' }, 'b'])
  })

  test('of package.yaml is made in the field that is read', async () => {
    const path = 'home/.config/flagadm/package.yaml'
    const text = 'flagadm:\n  profiles:\n    b:\n      baseUrl: https://b.test\n'
    const argv = ['use', 'b', '--config', '../home/.config/flagadm/package.yaml']
    const { code, text: after } = await profile(argv, { files: { [path]: text } }, path)
    expect([code, after]).toEqual([0, `${text}  defaultProfile: b\n`])
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

  test('adds a profile after the last one was removed', async () => {
    const { code, text } = await profile(
      ['add', 'a', '--base-url', 'https://a.test', '--api-key-env', 'A', '--no-check'],
      mine('profiles: {}\n'),
    )
    expect([code, text]).toEqual([
      0,
      'profiles: {a: {baseUrl: https://a.test, apiKeyEnv: A}}\ndefaultProfile: a\n',
    ])
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
      "error: unknown profile 'b'\nhint: flagadm profile list shows the profiles\n",
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
        'hint: edit that file\n',
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

  test('of a profile whose name is a number', async () => {
    const world = mine('profiles:\n  123: { baseUrl: "https://a.test" }\n')
    const { code, text } = await profile(['remove', '123', '--yes'], world)
    expect([code, text]).toEqual([0, 'profiles: {}\n'])
  })

  test('of a file that is not UTF-8 is refused', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'c.yaml')
    const bytes = Buffer.from('# caf\u00e9\nbaseUrl: https://a.test\n', 'latin1')
    await writeFile(path, bytes, { mode: 0o600 })
    const { code, stderr } = await flagadm(['profile', 'use', 'default', '--config', path])
    expect([code, stderr]).toEqual([3, `error: ${path} is not UTF-8\nhint: save it as UTF-8\n`])
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
      'error: /tmp/home/.config/flagadm/config.yaml cannot be written: no such file',
    ])
  })
})

describe('two changes of the same file', () => {
  it('are refused if the file changes while the service is asked', async () => {
    const folder = await temporaryFolder({ 'c.yaml': before })
    const path = join(folder, 'c.yaml')
    const changed = before.replace('production:', 'live:')
    const { url } = await serve((response) => {
      writeFileSync(path, changed)
      respond(response, 200, { user: { username: 'me' }, permissions: [], lastHourUsage: [] })
    })
    const argv = ['add', 'a', '--base-url', url, '--api-key-stdin', '--config', path]
    const { code, stderr } = await flagadm(['profile', ...argv], { stdin: CANARY })
    expect([code, stderr]).toEqual([
      3,
      `error: ${path}: the file has changed meanwhile\nhint: run the command again\n`,
    ])
    expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual([changed, ['c.yaml']])
  })

  it('leave a complete file if they are made at the same time', async () => {
    const folder = await temporaryFolder({ 'c.yaml': before })
    const path = join(folder, 'c.yaml')
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const add = ['--base-url', 'https://a.test', '--api-key-env', 'A', '--no-check']
    const runs = await Promise.all(
      names.map((name) => flagadm(['profile', 'add', name, ...add, '--config', path])),
    )
    expect(runs.map(({ code }) => code).filter((code) => code !== 0 && code !== 3)).toEqual([])
    const list = await flagadm(['profile', 'list', '--config', path])
    expect([list.code, await readdir(folder)]).toEqual([0, ['c.yaml']])
  })
})
