import { watch } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ended, shell, start } from '../support/binary.ts'
import { CANARY, environment, temporaryFolder } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'

// Long enough that a file is not written with one call of the system.
const description = 'A long text. '.repeat(40_000)

/** Runs a command and sends it a signal as soon as something changes in the folder where it writes. */
async function interrupt(
  argv: readonly string[],
  env: Record<string, string>,
  folder: string,
  signal: NodeJS.Signals,
) {
  const watcher = watch(folder)
  const changed = new Promise((fulfil) => watcher.once('change', fulfil))
  const child = await start(argv, env, 'pipe', { cwd: folder })
  const end = ended(child)
  await Promise.race([changed, end])
  child.kill(signal)
  const { code } = await end
  watcher.close()
  return code
}

describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s while a file is written leaves only complete files', (signal, exit) => {
  it('of settings export', async () => {
    const featureNaming = { pattern: 'a', example: 'a', description }
    const projects = Array.from({ length: 20 }, (_, n) => ({
      id: `p${n}`,
      mode: 'open' as const,
      featureNaming,
    }))
    const { env } = await sandboxOf(projects)
    const folder = await temporaryFolder()
    const argv = ['project', 'settings', 'export', '--all-projects', '--dir', folder]
    expect(await interrupt(argv, env, folder, signal)).toBe(exit)
    const files = await readdir(folder)
    expect(files.length).toBeGreaterThan(0)
    expect(files.length).toBeLessThan(20)
    expect(files.filter((file) => !/^p\d+\.yaml$/.test(file))).toEqual([])
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
    expect(texts.filter((text) => text.length < description.length)).toEqual([])
  })

  it('of plan --save', async () => {
    const { env } = await sandboxOf([{ id: 'shop', mode: 'open' }])
    const wanted = { shop: { mode: 'private', featureNaming: { pattern: 'a', description } } }
    const documents = await temporaryFolder({ 'a.json': JSON.stringify({ projects: wanted }) })
    const folder = await temporaryFolder()
    const path = join(folder, 'plan.json')
    const argv = ['project', 'settings', 'plan', '-f', join(documents, 'a.json'), '--save', path]
    expect(await interrupt([...argv, '--no-verify'], env, folder, signal)).toBe(exit)
    expect(await readdir(folder)).toEqual(['plan.json'])
    expect(JSON.parse(await readFile(path, 'utf8')).projects).toHaveLength(1)
  })

  it('of profile add, which has made its change', async () => {
    const folder = await temporaryFolder({ 'c.yaml': `# ${description}\nretries: 1\n` })
    const path = join(folder, 'c.yaml')
    const argv = ['profile', 'add', 'a', '--base-url', 'https://a.test', '--api-key-env', 'A']
    const code = await interrupt([...argv, '--no-check', '--config', path], {}, folder, signal)
    expect([code, await readdir(folder)]).toEqual([0, ['c.yaml']])
    expect(await readFile(path, 'utf8')).toMatch(/\nprofiles:\n {2}a:\n {4}baseUrl: .*\n.*: A\n$/)
  })
})

describe('a device or a pipe is not replaced', () => {
  const document = '{"projects":{"shop":{"mode":"private"}}}'
  const refused = (path: string) =>
    `error: ${path} is neither a regular file nor a link to one\nhint: use another name\n`

  it.each([
    ['a pipe', 'mkfifo target'],
    ['a link to a pipe', 'mkfifo pipe; ln -s pipe target'],
    // Only a link, because a program that replaces it would break the system if root runs this test.
    ['a link to a device', 'ln -s /dev/null target'],
  ])('by plan --save to %s', async (_what, prepare) => {
    const { env } = await sandboxOf([{ id: 'shop', mode: 'open' }])
    const cwd = await temporaryFolder({ 'a.json': document })
    const script = `${prepare}; flagadm project settings plan -f a.json --save target`
    const { code, stderr } = await shell(script, env, { cwd })
    expect([code, stderr]).toEqual([2, refused('target')])
    const left = (await readdir(cwd)).filter((name) => name !== 'pipe')
    expect([left.sort(), (await lstat(join(cwd, 'target'))).isFile()]).toEqual([
      ['a.json', 'target'],
      false,
    ])
  })

  it('by profile use with a pipe as --config', async () => {
    const cwd = await temporaryFolder()
    const text = 'profiles:\n  a: { baseUrl: https://a.test }\n'
    const script = `mkfifo c.yaml; printf '${text}' > c.yaml & flagadm profile use a --config c.yaml; test -p c.yaml && echo pipe`
    const { stdout, stderr } = await shell(script, {}, { cwd })
    expect([stdout, stderr]).toEqual(['pipe\n', refused(`${cwd}/c.yaml`)])
  })
})

it('20 profiles that are added at the same time are all stored', async () => {
  const cwd = await temporaryFolder()
  const names = Array.from({ length: 20 }, (_, n) => `p${n}`)
  const { url } = await serve((response) => json(response, 200, {}))
  const script = names
    .map(
      (name) => `flagadm profile add ${name} --base-url ${url} --api-key-stdin --no-check <key &`,
    )
    .join('\n')
  const outcome = await shell(`echo "$KEY" > key\n${script}\nwait`, { KEY: CANARY }, { cwd })
  expect(outcome.stdout.match(/^Added/gm)).toHaveLength(20)
  const { stdout } = await shell('flagadm profile list --json', environment(url), { cwd })
  const stored: { name: string }[] = JSON.parse(stdout)
  expect(stored.map(({ name }) => name).sort()).toEqual(names.sort())
  const files = await readdir(join(cwd, '.config/flagadm'))
  expect(files.sort()).toEqual(['config.yaml', ...names.map((name) => `${name}.key`)].sort())
})
