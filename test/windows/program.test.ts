import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { join } from '../../src/paths.ts'
import { temporaryFolder } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'

// Under Wine, the program is that of the unpacked package.
const bin = ['../../node_modules/.cache/unpacked/package/bin/flagadm.js', '../../bin/flagadm.js']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find(existsSync)

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the built program on Windows, with the folder as working and home directory. */
function flagadm(
  argv: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<Ended> {
  const { PATH, SystemRoot, ComSpec } = process.env
  const all = { PATH, SystemRoot, ComSpec, USERPROFILE: cwd, ...env }
  return new Promise((fulfil) => {
    const child = execFile(
      process.execPath,
      [String(bin), ...argv],
      { cwd, env: all },
      (_, stdout, stderr) => fulfil({ code: child.exitCode, stdout, stderr }),
    )
    child.stdin?.end()
  })
}

// Under Wine, Z: is the root of Linux; the runners of GitHub have C: and D:.
const otherDrive =
  ['Z:/', 'D:/', 'C:/'].find(
    (drive) => existsSync(drive) && !tmpdir().toUpperCase().startsWith(drive.slice(0, 2)),
  ) ?? 'no other drive'

const user = '.config/flagadm/config.yaml'
const get = ['project', 'settings', 'get', 'p']

/** A service with a project `p`, and a configuration with its address. */
async function service() {
  const sandbox = await sandboxOf([{ id: 'p', mode: 'open' }])
  const { env, url, keys } = sandbox
  const profile = (fields: object) => JSON.stringify({ baseUrl: url, ...fields })
  return { env, url, key: keys.full, profile }
}

describe('it', () => {
  test('prints its version', async () => {
    const file = new URL('../../package.json', import.meta.url)
    const { version } = JSON.parse(await readFile(file, 'utf8'))
    const outcome = await flagadm(['--version'], await temporaryFolder())
    expect(outcome).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('prints help', async () => {
    const { code, stdout, stderr } = await flagadm(['--help'], await temporaryFolder())
    const [line] = stdout.split('\n')
    expect([code, line, stderr]).toEqual([0, 'Usage: flagadm <command> [options]', ''])
  })

  test('reads from the service that the variables describe', async () => {
    const { env } = await service()
    const { code, stdout, stderr } = await flagadm([...get, '--json'], await temporaryFolder(), env)
    expect([code, stderr, JSON.parse(stdout).mode]).toEqual([0, '', 'open'])
  })

  test.each([
    [2, ['unknown']],
    [3, ['project', 'list']],
    [6, ['project', 'settings', 'get', 'none']],
    [8, ['project', 'list', '--base-url', 'http://127.0.0.1:9', '--retries', '0']],
    [9, ['naming', 'check', 'Upper', '--pattern', '[a-z]+']],
  ])('exits with %i for %s', async (code, argv) => {
    const { env } = await service()
    const outcome = await flagadm(argv, await temporaryFolder(), code === 3 ? {} : env)
    expect(outcome.code).toBe(code)
  })
})

describe('the configuration', () => {
  test('is read from the folder of the user, and shown with /', async () => {
    const { key, profile, url } = await service()
    const folder = await temporaryFolder({ [user]: profile({ apiKey: key }) })
    const { stdout, stderr } = await flagadm(['profile', 'list', '--json'], folder)
    expect([JSON.parse(stdout), stderr]).toEqual([
      [
        {
          name: 'default',
          baseUrl: url,
          apiKey: 'apiKey',
          file: `${folder}/${user}`,
          default: expect.stringMatching(/\.config\/flagadm\/config\.yaml$/),
        },
      ],
      '',
    ])
    expect((await flagadm(get, folder)).code).toBe(0)
  })

  test.each(['~/key.txt', '~\\key.txt', 'keys\\key.txt', 'keys/key.txt'])(
    'may contain the path %s',
    async (apiKeyFile) => {
      const { key, profile } = await service()
      const files = { 'key.txt': key, '.config/flagadm/keys/key.txt': key }
      const folder = await temporaryFolder({ [user]: profile({ apiKeyFile }), ...files })
      expect(await flagadm(get, folder)).toMatchObject({ code: 0, stderr: '' })
    },
  )

  test('on another drive is shown with its path', async () => {
    const { key, profile } = await service()
    const folder = await temporaryFolder({ 'c.json': profile({ apiKey: key }), 'd/e': '' })
    const argv = ['profile', 'show', '--config', join(folder, 'c.json')]
    const { stdout, stderr } = await flagadm(argv, otherDrive, { USERPROFILE: otherDrive })
    expect(stdout).toContain(`(${folder}/c.json)`)
    expect(stderr).toBe('')
  })
})

describe('apiKeyCommand', () => {
  test.each(['none.exe', 'none'])('reports that %s does not exist', async (program) => {
    const { profile } = await service()
    const folder = await temporaryFolder({ [user]: profile({ apiKeyCommand: [program] }) })
    const { code, stderr } = await flagadm(get, folder)
    expect([code, stderr.split('\n')[0]]).toEqual([
      3,
      `error: apiKeyCommand of profile 'default': the command cannot be run: no such file`,
    ])
  })
})

describe('profile add', () => {
  test('stores a command with the backslashes of its paths', async () => {
    const folder = await temporaryFolder()
    const add = ['profile', 'add', 'a', '--base-url', 'https://a.test', '--no-check']
    const command = 'C:\\x\\y.exe /c "C:\\a b\\z"'
    const outcome = await flagadm([...add, '--api-key-command', command], folder)
    expect(outcome).toMatchObject({ code: 0 })
    expect(await readFile(join(folder, user), 'utf8')).toContain(
      'apiKeyCommand: [C:\\x\\y.exe, /c, C:\\a b\\z]\n',
    )
  })
})

describe('files on another drive', () => {
  test.each(['text', 'github'])('are reported with their path as %s', async (format) => {
    const folder = await temporaryFolder({ 'src/a.ts': "isEnabled('Dark')\n" })
    const check = ['naming', 'check', '--pattern', '[a-z]+', '--scan', `${folder}/src`]
    const { stdout } = await flagadm([...check, '-o', format], otherDrive)
    expect(stdout.replaceAll('%3A', ':')).toContain(`${folder}/src/a.ts`)
    expect(stdout).not.toContain('../')
  })

  test('have absolute addresses in SARIF', async () => {
    const folder = await temporaryFolder({ 'src/a b.ts': "isEnabled('Dark')\n" })
    const check = ['naming', 'check', '--pattern', '[a-z]+', '--scan', `${folder}/src`]
    const { code, stdout } = await flagadm([...check, '-o', 'sarif'], otherDrive)
    const [result] = JSON.parse(stdout).runs[0].results
    expect([code, result.locations[0].physicalLocation.artifactLocation]).toEqual([
      9,
      { uri: `file:///${folder}/src/a%20b.ts` },
    ])
  })
})
