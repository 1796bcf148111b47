import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { chmod, lstat, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { CANARY, flagadm, temporaryFolder } from '../support/flagadm.ts'
import { before, mine, profile, userFile } from '../support/profile.ts'
import { json as respond, serve, someUsage } from '../support/server.ts'
import { withLock } from '../../src/profile/lock.ts'
import { ending } from '../support/text.ts'

const addA = ['add', 'a', '--base-url', 'https://a.test', '--api-key-env', 'A', '--no-check']
const shown = '~/.config/flagadm/config.yaml'
const config = '/tmp/home/.config/flagadm/config.yaml'

describe('a change of the configuration', () => {
  const production = 'defaultProfile: production'
  const changed = before.replace('defaultProfile: staging', production)
  const without = (name: string) => before.replace(new RegExp(` {2}${name}:\\n.*\\n.*\\n`), '')
  const noDefault = before.replace(/^defaultProfile.*\n\n/m, '')
  const withProfile = before.replace('defaultProfile', 'profile')
  const withoutStaging = without('staging').replace('defaultProfile: staging # for now\n', '')
  const flow = 'profiles:\n  a: &a { baseUrl: "https://a.test" }\n  b: *a\n'
  // The path of a key file that does not exist may be a key, so it is not shown.
  const top = `baseUrl: https://a.test\napiKeyFile: '${CANARY}'\nretries: 1\n`
  const inOneLine = 'profiles: {a: {baseUrl: https://a.test, apiKeyEnv: A}}\ndefaultProfile: a\n'
  const use = ['use', 'production']

  it.each<[string, string[], string, string]>([
    ['only the default', use, before, changed],
    ['a new default', use, noDefault, `${noDefault}${production}\n`],
    [
      'the field profile, which precedes',
      use,
      withProfile,
      changed.replace('defaultProfile', 'profile'),
    ],
    ['the default with its profile', ['remove', 'staging', '--yes'], before, withoutStaging],
    ['only a profile', ['remove', 'production', '--yes'], before, without('production')],
    ['the profile at the top level', ['remove', 'default', '--yes'], top, 'retries: 1\n'],
    ['a list that was empty', [...addA, '-q'], 'profiles: {}\n', inOneLine],
    ['aliases', ['use', 'a'], flow, `${flow}defaultProfile: a\n`],
  ])('%s: %j', async (_what, argv, text, after) => {
    expect(await profile(argv, mine(text))).toMatchObject({
      code: 0,
      stderr: '',
      text: after,
    })
  })

  const json = (configuration: object) => `${JSON.stringify(configuration, null, 2)}\n`
  const b = { profiles: { b: { baseUrl: 'https://b.test' } } }
  const withB = { ...b, defaultProfile: 'b' }
  const yaml = 'flagadm:\n  profiles:\n    b:\n      baseUrl: https://b.test\n'

  it.each<[string, string[], string, string]>([
    ['config.json', ['use', 'b'], JSON.stringify(b), json(withB)],
    ['package.json', ['use', 'b'], JSON.stringify({ flagadm: b }), json({ flagadm: withB })],
    ['package.yaml', ['use', 'b'], yaml, `${yaml}  defaultProfile: b\n`],
  ])('of %s keeps its form: %j', async (name, argv, text, after) => {
    const path = `work/${name}`
    const outcome = await profile([...argv, '--config', name], { files: { [path]: text } }, path)
    expect([outcome.code, outcome.text]).toEqual([0, after])
  })

  const unknown = "unknown profile 'b'"
  const list = 'the profiles are: staging, production, sandbox'
  const builtIn = 'the profile sandbox is built in, not configured'
  const useIt = 'it is always there: use it with -p sandbox'
  const twice = '{"profiles":{"b":{"baseUrl":"https://b.test"},\n"b":{"baseUrl":"https://c.test"}}}'
  const duplicate = `${config}:2:1: not valid YAML or JSON: a duplicate key`
  const impossible = `${config}: this change is not possible`

  it.each<[string[], string, string, string]>([
    [['use', 'b'], before, unknown, list],
    [['use', 'sandbox'], before, builtIn, useIt],
    [['remove', 'sandbox', '--yes'], before, builtIn, useIt],
    // One of the two would be lost.
    [['use', 'b'], twice, duplicate, 'remove one of them'],
    // The alias would break.
    [['remove', 'a', '--yes'], flow, impossible, 'edit the file by hand'],
  ])('%j is refused for %j', async (argv, text, error, hint) => {
    const stderr = `error: ${error}\nhint: ${hint}\n`
    expect(await profile(argv, mine(text))).toMatchObject({
      code: 3,
      stdout: '',
      stderr,
      text,
    })
  })

  it.each([['use'], ['remove', '--yes']])(
    'of a profile of a project is refused: %s',
    async (...argv) => {
      const project = 'profiles: { b: { baseUrl: "https://b.test", apiKey: project-key } }\n'
      const world = { files: { 'work/.flagadmrc': project } }
      expect(await profile([...argv, 'b'], world, 'work/.flagadmrc')).toMatchObject({
        code: 3,
        stderr:
          "error: profile 'b' is defined in /tmp/work/.flagadmrc, which belongs to the project\n" +
          'hint: edit that file\n',
        text: project,
      })
    },
  )

  it('prints what was done, or JSON', async () => {
    const use = await profile(['use', 'production'], mine())
    expect(use.stdout).toBe(`Profile production is now the default in ${shown}\n`)
    const remove = await profile(['remove', 'staging', '--yes'], mine())
    expect(remove.stdout).toBe(`Removed profile staging from ${shown}\n`)
    const { stdout } = await profile(['use', 'production', '--json'], mine())
    expect(JSON.parse(stdout)).toEqual({
      action: 'used',
      profile: 'production',
      file: config,
    })
  })

  it('follows a link, and makes the file of --config private', async () => {
    const folder = await temporaryFolder({ 'real.yaml': before })
    const real = join(folder, 'real.yaml')
    const path = join(folder, 'c.yaml')
    await chmod(real, 0o644)
    await symlink(real, path)
    await profile(['use', 'production', '--config', path])
    expect(await readFile(real, 'utf8')).toContain('Profile: production')
    expect((await lstat(path)).isSymbolicLink()).toBe(true)
    expect((await stat(real)).mode & 0o777).toBe(0o600)
  })

  it('is refused if the file is not UTF-8', async () => {
    const bytes = Buffer.from('# caf\u00e9\nbaseUrl: https://a.test\n', 'latin1')
    const { code, stderr, folder } = await profile(['use', 'default'], {
      files: { [userFile]: bytes },
    })
    expect([code, stderr]).toEqual([3, `error: ${config}:1 is not UTF-8\nhint: save it as UTF-8\n`])
    expect(await readFile(join(folder, userFile))).toEqual(bytes)
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('ends with 0 if %s comes while the file is written, otherwise with %i', async (name, exit) => {
    const world = { ...mine(), signal: AbortSignal.abort(name) }
    expect(await profile(['use', 'production'], world)).toMatchObject({ code: 0, text: changed })
    expect((await profile(['use', 'none'], world)).code).toBe(exit)
  })

  it('fails without a home directory, or if its folder is a file', async () => {
    expect(await profile(addA, { homeless: true })).toMatchObject({
      code: 3,
      stderr:
        'error: no home directory for the configuration file\nhint: set HOME or XDG_CONFIG_HOME\n',
    })
    const { code, stderr } = await profile(addA, { files: { 'home/.config': 'x' } })
    expect([code, stderr.split('\n')[0]]).toEqual([
      1,
      `error: ${config} cannot be written: no such file`,
    ])
    const taken = await profile(addA, { files: { 'home/.config/flagadm': 'x' } })
    expect([taken.code, taken.stderr]).toEqual([
      3,
      `error: ${dirname(config)} is not a folder\nhint: remove it, or name a file with --config\n`,
    ])
  })
})

it.each([
  [['use', 'none'], 3],
  [['remove', 'none', '--yes'], 3],
])('%j leaves no folder behind without a configuration', async (argv, exit) => {
  const { code, folder } = await profile(argv)
  expect([code, await readdir(folder)]).toEqual([exit, ['work']])
})

describe('profile remove', () => {
  const refused = 'note: nothing was changed\n'

  it.each([
    ['y', 0, `Removed profile staging from ${shown}\n`, ''],
    ['n', 130, '', refused],
    ['\u0003', 130, '', 'error: interrupted; nothing was changed\n'],
  ])('asks on a terminal and acts on the answer %j', async (keys, exit, stdout, error) => {
    const dialog = [[`Remove profile staging from ${shown}?\n`, keys]] as const
    const outcome = await profile(['remove', 'staging'], { ...mine(), dialog, dialogColumns: 0 })
    expect([outcome.code, outcome.stdout]).toEqual([exit, stdout])
    expect(stripVTControlCharacters(outcome.stderr).endsWith(error)).toBe(true)
    expect(outcome.text === before).toBe(stdout === '')
  })

  it('is refused without a terminal', async () => {
    expect(await profile(['remove', 'staging'], mine())).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        `error: confirmation required: this removes profile staging from ${shown}\n` +
        'hint: run the command on a terminal, or use --yes\n',
      text: before,
    })
  })

  it.each([
    ['a', 'note: its key file a.key was kept; delete it if you no longer need it\n'],
    ['b', ''],
  ])('mentions a key file that no other profile uses: %s', async (name, stderr) => {
    const text =
      'profiles:\n' +
      '  a: { baseUrl: "https://a.test", apiKeyFile: a.key }\n' +
      '  b: { baseUrl: "https://b.test", apiKeyFile: shared.key }\n' +
      '  c: { baseUrl: "https://c.test", apiKeyFile: ./shared.key }\n'
    const outcome = await profile(['remove', name, '--yes'], mine(text))
    expect(outcome).toMatchObject({ code: 0, stderr })
  })
})

describe('two changes of the same file', () => {
  const leftIn = async (folder: string) => (await readdir(folder)).sort()

  /** Adds the profile `a` to a file that gets another text while the service is asked. */
  async function addDuring(text: string) {
    const folder = await temporaryFolder({ 'c.yaml': before })
    const path = join(folder, 'c.yaml')
    const { url } = await serve((response, request) => {
      writeFileSync(path, text)
      const user = { user: { username: 'me' }, permissions: [] }
      respond(response, 200, request.url.endsWith('/user') ? user : someUsage)
    })
    const argv = ['add', 'a', '--base-url', url, '--api-key-stdin', '--config', path]
    const outcome = await flagadm(['profile', ...argv], { stdin: CANARY })
    return { ...outcome, url, text: await readFile(path, 'utf8'), left: await leftIn(folder) }
  }

  it('are both stored if the file changes while the service is asked', async () => {
    const changed = before.replace('production:', 'live:')
    const { code, url, text, left } = await addDuring(changed)
    const added = `  a:\n    baseUrl: ${url}\n    apiKeyFile: a.key\n`
    expect([code, left]).toEqual([0, ['a.key', 'c.yaml']])
    expect(text).toBe(changed.replace('\ntimeout:', `${added}\ntimeout:`))
  })

  it('are refused if the second one adds a profile that the first one has added', async () => {
    const taken = before.replace('production:', 'a:')
    const { text, left, ...outcome } = await addDuring(taken)
    expect(ending(outcome)).toBe(
      "3 error: the profile name 'a' already exists\nhint: choose another name, or replace its key with --replace\n",
    )
    expect([text, left]).toEqual([taken, ['c.yaml']])
  })

  it('are all stored if they are made at the same time', async () => {
    const folder = await temporaryFolder({ 'c.yaml': before })
    const path = join(folder, 'c.yaml')
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const runs = await Promise.all(
      names.map((name) => profile(['add', name, ...addA.slice(2), '--config', path])),
    )
    expect(runs.map(({ code }) => code)).toEqual(names.map(() => 0))
    const { stdout } = await profile(['list', '--json', '--config', path])
    const stored: { name: string }[] = JSON.parse(stdout)
    expect(stored.map(({ name }) => name).sort()).toEqual([...names, 'production', 'staging'])
    expect(await leftIn(folder)).toEqual(['c.yaml'])
  })

  it('wait for each other for 5 s, and then name the lock', async () => {
    const folder = await temporaryFolder({ 'c.yaml': before, 'c.yaml.lock': '' })
    const { clock, waits } = patientClock()
    const path = join(folder, 'c.yaml')
    expect(
      ending(await flagadm(['profile', 'use', 'production', '--config', path], { clock })),
    ).toBe(
      `3 error: ${path}.lock exists: another command is changing the configuration\n` +
        'hint: run the command again; if no other one is running, delete that file\n',
    )
    expect(waits.reduce((sum, wait) => sum + wait)).toBe(5000)
    expect([await readFile(path, 'utf8'), await leftIn(folder)]).toEqual([
      before,
      ['c.yaml', 'c.yaml.lock'],
    ])
  })

  it('name the process that has the lock, and since when', async () => {
    const holder = 'process 4711, since 2026-11-20 16:00 UTC'
    const folder = await temporaryFolder({ 'c.yaml': before, 'c.yaml.lock': `${holder}\n` })
    const { clock } = patientClock()
    const argv = ['profile', 'use', 'production', '--config', join(folder, 'c.yaml')]
    expect((await flagadm(argv, { clock })).stderr).toContain(
      `is changing the configuration (${holder})\n`,
    )
  })

  it('do not read a lock that is a pipe, which may wait forever', async () => {
    const folder = await temporaryFolder({ 'c.yaml': before })
    const path = join(folder, 'c.yaml')
    execFileSync('mkfifo', [`${path}.lock`])
    const { clock } = patientClock()
    const argv = ['profile', 'use', 'production', '--config', path]
    expect((await flagadm(argv, { clock })).stderr).toContain(
      `${path}.lock exists: another command is changing the configuration\n`,
    )
  })

  it('write the process and the time into the lock', async () => {
    const { clock } = patientClock()
    const host = {
      clock,
      pid: 4711,
      holdSignals: () => () => {},
      interruption: new AbortController().signal,
    }
    const path = join(await temporaryFolder({}), 'c.yaml')
    const text = await withLock(host, path, () => readFile(`${path}.lock`, 'utf8'))
    expect(text).toMatch(/^process 4711, since \d{4}-\d\d-\d\d \d\d:\d\d UTC\n$/)
  })

  it('wait only until the lock is gone', async () => {
    const folder = await temporaryFolder({ 'c.yaml': before, 'c.yaml.lock': '' })
    const { clock } = patientClock()
    const path = join(folder, 'c.yaml')
    const waiting = { ...clock, sleep: () => rm(`${path}.lock`) }
    const argv = ['profile', 'use', 'production', '--config', path]
    expect((await flagadm(argv, { clock: waiting })).code).toBe(0)
    expect(await leftIn(folder)).toEqual(['c.yaml'])
  })

  it('end with an interrupt while they wait', async () => {
    const folder = await temporaryFolder({ 'c.yaml': before, 'c.yaml.lock': '' })
    const path = join(folder, 'c.yaml')
    const argv = ['profile', 'use', 'production', '--config', path]
    expect((await flagadm(argv, { signal: AbortSignal.abort('SIGINT') })).code).toBe(130)
    expect(await readFile(path, 'utf8')).toBe(before)
  })

  it('of the same file through links wait for each other', async () => {
    const folder = await temporaryFolder({ 'own/c.yaml': before, 'own/c.yaml.lock': '' })
    const path = join(folder, 'link.yaml')
    await symlink('own/c.yaml', path)
    const { clock } = patientClock()
    const argv = ['profile', 'use', 'production', '--config', path]
    expect((await flagadm(argv, { clock })).stderr).toContain(`${folder}/own/c.yaml.lock exists`)
  })
})
