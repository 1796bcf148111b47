import { watch } from 'node:fs'
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/host.ts'
import { createFolder, writeWhole } from '../../src/old/output/file.ts'
import { shell } from '../support/binary.ts'
import { temporaryFolder } from '../support/flagadm.ts'

const hostIn = (cwd: string) => ({ cwd, platform: process.platform, clock: systemClock })

const table = 'flagadm feature usage dark-mode -p sandbox -o csv --output-file'
const heading = 'flag,application,environment,timestamp,enabled,disabled,variants\r\n'

describe('a file', () => {
  it('is created without leaving another file', async () => {
    const folder = await temporaryFolder()
    await writeWhole('out', hostIn(folder), 'text')
    expect(await readdir(folder)).toEqual(['out'])
    expect(await readFile(join(folder, 'out'), 'utf8')).toBe('text')
  })

  it('has all pieces of a long text', async () => {
    const cwd = await temporaryFolder()
    await writeWhole('out', hostIn(cwd), ['a', '', 'ü'])
    expect(await readFile(join(cwd, 'out'), 'utf8')).toBe('aü')
  })

  it('is replaced, not rewritten, and keeps its mode', async () => {
    const folder = await temporaryFolder({ out: 'old' })
    const path = join(folder, 'out')
    await chmod(path, 0o640)
    const before = await stat(path)
    await writeWhole('out', hostIn(folder), 'new')
    const after = await stat(path)
    expect(await readFile(path, 'utf8')).toBe('new')
    expect(after.mode).toBe(before.mode)
    expect(after.ino).not.toBe(before.ino)
    expect(await readdir(folder)).toEqual(['out'])
  })

  it.runIf(process.platform === 'linux')('is written under a random name first', async () => {
    const folder = await temporaryFolder()
    const seen = new Set<string>()
    await new Promise<void>((fulfil, reject) => {
      const watcher = watch(folder, (_event, name) => {
        if (name !== null) seen.add(name)
        if (name !== 'out') return
        watcher.close()
        fulfil()
      })
      writeWhole('out', hostIn(folder), 'text').catch(reject)
    })
    const [temporary] = [...seen].filter((name) => name !== 'out')
    expect(temporary).toMatch(/^\.flagadm-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })

  it('leaves nothing behind when it cannot be written', async () => {
    const folder = await temporaryFolder({ 'folder/file': '' })
    await expect(writeWhole('folder', hostIn(folder), 'text')).rejects.toMatchObject({
      kind: 'unexpected',
      message: 'folder cannot be written: it is a directory',
      hint: 'check the path and its permissions',
    })
    await expect(writeWhole('none/out', hostIn(folder), 'text')).rejects.toMatchObject({
      message: 'none/out cannot be written: there is no folder none',
      hint: 'create the folder first',
    })
    expect(await readdir(folder)).toEqual(['folder'])
  })
})

describe('a link', () => {
  it('to a file is followed', async () => {
    const folder = await temporaryFolder({ 'data/file': 'old' })
    await symlink('data', join(folder, 'way'))
    await symlink('way/file', join(folder, 'out'))
    await writeWhole('out', hostIn(folder), 'new')
    expect(await readlink(join(folder, 'out'))).toBe('way/file')
    expect(await readFile(join(folder, 'data/file'), 'utf8')).toBe('new')
    expect(await readdir(join(folder, 'data'))).toEqual(['file'])
  })

  it('to a file that does not exist yet is followed', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'data'))
    await symlink('data/file', join(folder, 'second'))
    await symlink('second', join(folder, 'out'))
    await writeWhole('out', hostIn(folder), 'new')
    expect(await readlink(join(folder, 'out'))).toBe('second')
    expect(await readFile(join(folder, 'data/file'), 'utf8')).toBe('new')
  })

  it('to itself is reported', async () => {
    const folder = await temporaryFolder()
    await symlink('out', join(folder, 'out'))
    await expect(writeWhole('out', hostIn(folder), 'text')).rejects.toMatchObject({
      message: 'out cannot be written: ELOOP',
    })
  })
})

describe.runIf(process.platform === 'linux')('--output-file', () => {
  it('/dev/stdout writes to a pipe', async () => {
    const { code, stdout } = await shell(`${table} /dev/stdout | cat`)
    expect([code, stdout.slice(0, heading.length)]).toEqual([0, heading])
  })

  it('/dev/stdout appends to a file that stdout is appended to', async () => {
    const cwd = await temporaryFolder({ log: 'before\n' })
    expect(await shell(`${table} /dev/stdout >> log`, {}, { cwd })).toMatchObject({ code: 0 })
    expect(await readFile(join(cwd, 'log'), 'utf8')).toMatch(`before\n${heading}`)
  })

  it('- is standard output', async () => {
    const cwd = await temporaryFolder()
    const { code, stdout } = await shell(`${table} -`, {}, { cwd })
    expect([code, stdout.slice(0, heading.length), await readdir(cwd)]).toEqual([0, heading, []])
  })

  it('writes to a named pipe', async () => {
    const cwd = await temporaryFolder()
    const { code, stdout } = await shell(`mkfifo pipe; cat pipe & ${table} pipe; wait`, {}, { cwd })
    expect([code, stdout.slice(0, heading.length)]).toEqual([0, heading])
    expect((await stat(join(cwd, 'pipe'))).isFIFO()).toBe(true)
  })

  it('/dev/stdout does not fail when the pipe is closed', async () => {
    const script =
      `{ while [ ! -e closed ]; do sleep 0.02; done; ${table} /dev/stdout; echo "code $?" >&2; } | ` +
      '{ exec <&-; touch closed; }'
    expect((await shell(script)).stderr).toBe('code 0\n')
  })

  it('keeps the file when nothing could be read', async () => {
    const cwd = await temporaryFolder()
    await writeFile(join(cwd, 'out'), 'old')
    const { code } = await shell(
      'flagadm feature usage no-such -p sandbox --output-file out',
      {},
      { cwd },
    )
    expect([code, await readFile(join(cwd, 'out'), 'utf8')]).toEqual([6, 'old'])
  })
})

describe('a folder', () => {
  it('is created with those that contain it, and may exist', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'a/b/c')
    await createFolder(path, 0o700)
    await createFolder(path)
    expect((await stat(path)).mode & 0o777).toBe(0o700)
    expect(await readdir(join(folder, 'a'))).toEqual(['b'])
  })

  it.each([
    ['a file', 'file', 'EEXIST'],
    ['a path below a file', 'file/a/b', 'ENOTDIR'],
    ['a link that leads nowhere', 'link', 'EEXIST'],
  ])('is not created in place of %s', async (_what, path, code) => {
    const folder = await temporaryFolder({ file: '' })
    await symlink(join(folder, 'missing'), join(folder, 'link'))
    await expect(createFolder(join(folder, path))).rejects.toMatchObject({ code })
  })

  it('is reported if the system allows none', async () => {
    const { code, stderr } = await shell(
      'flagadm project settings export --all-projects --dir /dev/null/flags -p sandbox',
    )
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^error: --dir: cannot create \/dev\/null\/flags: /),
    ])
  })
})
