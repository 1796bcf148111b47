import {
  chmod,
  cp,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { ended, shell, start } from '../support/binary.ts'
import { temporaryFolder } from '../support/flagadm.ts'

const lines = ['feature', 'usage', 'dark-mode', '--json', '-p', 'sandbox']

function run(home: string, env: Record<string, string> = {}) {
  return start(lines, { HOME: home, NODE_DISABLE_COMPILE_CACHE: undefined, ...env }).then(ended)
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

const permissions = async (path: string) => (await stat(path)).mode & 0o777

/** A home directory whose cache a first run has filled. */
async function filledHome() {
  const home = await temporaryFolder()
  const first = await run(home)
  const cache = join(home, '.cache/flagadm')
  return { home, cache, first }
}

describe('compiled code', () => {
  test('is stored where only the user can read or write it, and used by the next run', async () => {
    const { home, cache, first } = await filledHome()
    const files = await filesIn(cache)
    expect(files).not.toEqual([])
    expect(await permissions(cache)).toBe(0o700)
    expect(new Set(await Promise.all(files.map(permissions)))).toEqual(new Set([0o600]))
    expect(await run(home)).toEqual(first)
    expect(await filesIn(cache)).toEqual(files)
  })

  test('is stored in XDG_CACHE_HOME if that is an absolute path', async () => {
    const [home, elsewhere] = [await temporaryFolder(), await temporaryFolder()]
    await run(home, { XDG_CACHE_HOME: elsewhere })
    expect(await filesIn(join(elsewhere, 'flagadm'))).not.toEqual([])
    expect(await readdir(home)).toEqual([])
    await run(home, { XDG_CACHE_HOME: 'relative' })
    expect(await readdir(home)).toEqual(['.cache'])
  })

  test('is not stored with NODE_DISABLE_COMPILE_CACHE', async () => {
    const home = await temporaryFolder()
    const { code } = await run(home, { NODE_DISABLE_COMPILE_CACHE: '1' })
    expect([code, await readdir(home)]).toEqual([0, []])
  })

  test.each([
    ['damaged', (file: string) => damage(file)],
    ['cut off', (file: string) => truncate(file, 100)],
    ['empty', (file: string) => truncate(file)],
  ])('is ignored when it is %s', async (_what, spoil) => {
    const { home, cache, first } = await filledHome()
    for (const file of await filesIn(cache)) await spoil(file)
    expect(await run(home)).toEqual(first)
  })

  test('is not used from a folder that others can write', async () => {
    const { home, cache, first } = await filledHome()
    await chmod(cache, 0o777)
    for (const file of await filesIn(cache)) await writeFile(file, '')
    expect(await run(home)).toEqual(first)
    for (const file of await filesIn(cache)) expect((await stat(file)).size).toBe(0)
  })

  test('is not stored through a symbolic link', async () => {
    const [home, elsewhere] = [await temporaryFolder(), await temporaryFolder()]
    await mkdir(join(home, '.cache'))
    await symlink(elsewhere, join(home, '.cache/flagadm'))
    const { code } = await run(home)
    expect([code, await readdir(elsewhere)]).toEqual([0, []])
  })

  test.each(['/dev/null', '/nowhere', '/proc'])(
    'is not needed: a home of %s works',
    async (home) => {
      expect(await run(home)).toMatchObject({ code: 0, stderr: '' })
    },
  )

  test('is not used for another build', async () => {
    const root = fileURLToPath(new URL('../../', import.meta.url))
    const copy = await temporaryFolder()
    for (const part of ['bin', 'dist'])
      await cp(join(root, part), join(copy, part), { recursive: true })
    const entry = join(copy, 'dist/cli.js')
    const version = async () => {
      const env = { NODE_DISABLE_COMPILE_CACHE: undefined }
      return (await shell(`"$NODE" '${copy}/bin/flagadm.js' --version`, env, { cwd: copy })).stdout
    }
    // npm gives all files of all packages the same time.
    const time = new Date('1985-10-26T08:15:00Z')
    const change = async (from: string, to: string) => {
      await writeFile(entry, (await readFile(entry, 'utf8')).replace(from, to))
      await utimes(entry, time, time)
    }
    await change(manifest.version, '1.1.1')
    expect(await version()).toBe('1.1.1\n')
    await change('1.1.1', '2.2.2')
    expect(await version()).toBe('2.2.2\n')
  })
})

async function damage(file: string): Promise<void> {
  const bytes = await readFile(file)
  // Compiled code is longer than its source, which comes first.
  for (let at = Math.ceil(bytes.length / 2); at < bytes.length; at += 997)
    bytes[at] = (bytes[at] ?? 0) ^ 0x5a
  await writeFile(file, bytes)
}
