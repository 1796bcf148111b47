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

test.each([
  [0, get],
  [2, ['unknown']],
  [3, ['project', 'list']],
  [6, ['project', 'settings', 'get', 'none']],
  [8, ['project', 'list', '--base-url', 'http://127.0.0.1:9', '--retries', '0']],
  [9, ['naming', 'check', 'Upper', '--pattern', '[a-z]+']],
])('the program exits with %i for %s', async (code, argv) => {
  const { env } = await service()
  const outcome = await flagadm(argv, await temporaryFolder(), code === 3 ? {} : env)
  expect(outcome.code).toBe(code)
})

describe('the configuration', () => {
  test('is read from the folder of the user, and shown with /', async () => {
    const { key, profile, url } = await service()
    const folder = await temporaryFolder({ [user]: profile({ apiKey: key }) })
    const { stdout, stderr } = await flagadm(['profile', 'list', '--json'], folder)
    const file = `${folder}/${user}`
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'default', baseUrl: url, file }])
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

test('an apiKeyCommand that does not exist is reported', async () => {
  const { profile } = await service()
  const folder = await temporaryFolder({ [user]: profile({ apiKeyCommand: ['none.exe'] }) })
  const { code, stderr } = await flagadm(get, folder)
  expect([code, stderr.split('\n')[0]]).toEqual([
    3,
    `error: apiKeyCommand of profile 'default': the command cannot be run: no such file`,
  ])
})

test('profile add stores a command with the backslashes of its paths', async () => {
  const folder = await temporaryFolder()
  const add = ['profile', 'add', 'a', '--base-url', 'https://a.test', '--no-check']
  const command = 'C:\\x\\y.exe /c "C:\\a b\\z"'
  expect((await flagadm([...add, '--api-key-command', command], folder)).code).toBe(0)
  const text = await readFile(join(folder, user), 'utf8')
  expect(text).toContain('apiKeyCommand:\n      - C:\\x\\y.exe\n      - /c\n      - C:\\a b\\z\n')
})

test.each([
  ['text', '/src/a b.ts'],
  ['github', '/src/a b.ts'],
  ['sarif', '/src/a%20b.ts'],
])('files on another drive have their whole path in %s', async (format, path) => {
  const folder = await temporaryFolder({ 'src/a b.ts': "isEnabled('Dark')\n" })
  const check = ['naming', 'check', '--pattern', '[a-z]+', '--scan', `${folder}/src`]
  const { code, stdout } = await flagadm([...check, '-o', format], otherDrive)
  const shown = format === 'sarif' ? `"uri":"file:///${folder}${path}"` : folder + path
  expect([code, stdout.replaceAll('%3A', ':')]).toEqual([9, expect.stringContaining(shown)])
  expect(stdout).not.toContain('../')
})
