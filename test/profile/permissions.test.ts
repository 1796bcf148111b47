import { execFileSync } from 'node:child_process'
import { chmod, chown, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'

const argv = ['project', 'settings', 'set', 'p', '--mode', 'open', '--dry-run', '--quiet']
const address = 'baseUrl: https://x.test\n'
const done = ''

async function configurationFile(text: string, mode = 0o600) {
  const file = join(await temporaryFolder({ 'c.yaml': text }), 'c.yaml')
  await chmod(file, mode)
  return file
}

describe('a configuration file that others can write', () => {
  test.each([[address], ['profiles: {a: {baseUrl: https://x.test}}\n']])(
    'is refused if everyone can: %j',
    async (text) => {
      const file = await configurationFile(text, 0o602)
      expect(await flagadm([...argv, '--config', file])).toMatchObject({
        code: 3,
        stderr: `error: ${file} is writable by everyone\nhint: run: chmod o-w '${file}'\n`,
      })
    },
  )

  test('is accepted in a project, because its key goes only to its own address', async () => {
    const folder = await temporaryFolder({ 'work/.flagadmrc': address })
    await chmod(join(folder, 'work/.flagadmrc'), 0o666)
    const cwd = join('..', basename(folder), 'work')
    expect(await flagadm(argv, { cwd, uid: 4242 })).toMatchObject({ code: 0, stderr: done })
  })

  test('is accepted if it has neither addresses nor profiles', async () => {
    const file = await configurationFile('retries: 1\n', 0o666)
    const outcome = await flagadm([...argv, '--config', file, '--base-url', 'https://x.test'])
    expect(outcome).toMatchObject({ code: 0, stderr: done })
  })

  test('is refused if it belongs to another user who is not root', async () => {
    const file = await configurationFile(address)
    // Root's files are accepted, so change the owner first.
    if (process.getuid?.() === 0) await chown(file, 65_534, 65_534)
    expect(await flagadm([...argv, '--config', file], { uid: 4242 })).toMatchObject({
      code: 3,
      stderr:
        `error: ${file} belongs to another user\n` +
        `hint: check its content, then run: chown 4242 '${file}'\n`,
    })
  })
})

test('the owner and mode are not checked where users have no ids', async () => {
  const file = await configurationFile(address, 0o666)
  const outcome = await flagadm([...argv, '--config', file], { uid: undefined })
  expect(outcome).toMatchObject({ code: 0, stderr: done })
})

test('a configuration file of the user or of root is accepted', async () => {
  const [own, roots] = [await configurationFile(address), await configurationFile(address)]
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chown(own, 4242, 4242)
  const uid = isRoot ? 4242 : (process.getuid?.() ?? 0)
  for (const file of isRoot ? [own, roots] : [own]) {
    expect(await flagadm([...argv, '--config', file], { uid })).toMatchObject({
      code: 0,
      stderr: done,
    })
  }
})

describe('a configuration that is not a regular file', () => {
  test('is read if --config specifies it', async () => {
    const file = join(await temporaryFolder(), 'pipe')
    execFileSync('mkfifo', [file])
    const [outcome] = await Promise.all([
      flagadm([...argv, '--config', file]),
      writeFile(file, address),
    ])
    expect(outcome).toMatchObject({ code: 0, stderr: done })
  })

  test('is read only once, so profile show knows no line of it', async () => {
    const file = join(await temporaryFolder(), 'pipe')
    execFileSync('mkfifo', [file])
    const [{ code, stdout }] = await Promise.all([
      flagadm(['profile', 'show', '--json', '--config', file]),
      writeFile(file, address),
    ])
    expect([code, JSON.parse(stdout).baseUrl]).toEqual([
      0,
      { value: 'https://x.test', origin: { kind: 'user', name: file } },
    ])
  })

  test('is reported if it is empty', async () => {
    expect(await flagadm([...argv, '--config', '/dev/null'])).toMatchObject({
      code: 3,
      stderr: 'error: /dev/null: contains no configuration\nhint: check the path\n',
    })
  })

  test('is refused if it is endless', async () => {
    expect(await flagadm([...argv, '--config', '/dev/zero'])).toMatchObject({
      code: 3,
      stderr: 'error: /dev/zero is larger than 16 MiB\nhint: check the path\n',
    })
  })

  test('is refused if it is larger than 16 MiB', async () => {
    const file = await configurationFile(`# ${'x'.repeat(16 * 1024 * 1024)}\n`, 0o600)
    const { code, stderr } = await flagadm([...argv, '--config', file])
    expect([code, stderr]).toEqual([
      3,
      `error: ${file}: it is larger than 16 MiB\nhint: check the path\n`,
    ])
  })
})
