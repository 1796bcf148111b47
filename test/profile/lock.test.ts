import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { linkSync } from 'node:fs'
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/host.ts'
import { presenceOf, type ProcessIdentity, thisProcess } from '../../src/profile/process.ts'
import { ended, start } from '../support/binary.ts'
import { patientClock } from '../support/clock.ts'
import { CANARY, flagadm, temporaryFolder } from '../support/flagadm.ts'

const before = 'profiles:\n  staging:\n    baseUrl: https://staging.test\n'
const uuid = '0e650185-7769-46c2-93eb-6d2ca6c49cf6'
const use = ['profile', 'use', 'staging']
const added = `${before}  a:\n    baseUrl: https://a.test\n    apiKeyFile: a.key\n`

/** The id of a process that has ended. */
function endedProcess(): number {
  return spawnSync('true').pid
}

const killed = (): ProcessIdentity => ({ ...thisProcess(), pid: endedProcess() })

function lockText(owner: ProcessIdentity, more: object = {}): string {
  return JSON.stringify({ ...owner, draft: `/nonexistent.lock.${uuid}`, ...more })
}

/** A folder with a configuration and the files that are beside it. */
async function folderWith(files: Record<string, string> = {}) {
  const folder = await temporaryFolder({ 'c.yaml': before, ...files })
  const config = join(folder, 'c.yaml')
  return {
    folder,
    config,
    read: () => readFile(config, 'utf8'),
    names: async () => (await readdir(folder)).sort(),
    async change(argv: readonly string[] = use, stdin?: string) {
      const { clock, waits } = patientClock()
      const world = { clock, ...(stdin !== undefined && { stdin }) }
      const { code, stderr } = await flagadm([...argv, '-q', '--config', config], world)
      return { code, stderr: stderr.replaceAll(folder, 'F'), waits }
    },
  }
}

const address = ['--base-url', 'https://a.test', '--no-check']
const add = ['profile', 'add', 'a', ...address, '--api-key-stdin']
const done = { code: 0, stderr: '', waits: [] }

describe('the lock of a process that', () => {
  test('was killed is taken over without waiting', async () => {
    const { change, read, names } = await folderWith({ 'c.yaml.lock': lockText(killed()) })
    expect(await change()).toEqual(done)
    expect(await read()).toBe(`${before}defaultProfile: staging\n`)
    expect(await names()).toEqual(['c.yaml'])
  })

  test('was killed while it waited leaves nothing behind', async () => {
    const lock = lockText(killed())
    const running = lockText(thisProcess())
    const { change, names } = await folderWith({
      [`c.yaml.lock.${uuid}`]: lock,
      [`c.yaml.lock.takeover.${uuid}`]: lock,
      [`c.yaml.lock.${uuid.replace('0', '1')}`]: running,
      'c.yaml.lock.mine': lock,
    })
    expect(await change()).toEqual(done)
    const left = ['c.yaml', 'c.yaml.lock.1e650185-7769-46c2-93eb-6d2ca6c49cf6', 'c.yaml.lock.mine']
    expect(await names()).toEqual(left)
  })

  test('was killed while it took over another one is taken over, too', async () => {
    const lock = lockText(killed())
    const files = { 'c.yaml.lock': lock, 'c.yaml.lock.takeover': lock }
    const { change, names } = await folderWith(files)
    expect(await change()).toEqual(done)
    expect(await names()).toEqual(['c.yaml'])
  })

  test.runIf(process.platform === 'linux')(
    'was killed is taken over if another process has its id',
    async () => {
      const reused = lockText({ ...thisProcess(), started: '1' })
      const { change } = await folderWith({ 'c.yaml.lock': reused })
      expect(await change()).toEqual(done)
    },
  )

  test('runs is respected', async () => {
    const { change, read } = await folderWith({ 'c.yaml.lock': lockText(thisProcess()) })
    const { code, stderr, waits } = await change()
    expect([code, stderr]).toEqual([
      3,
      `error: F/c.yaml.lock: process ${process.pid} is changing the configuration\n` +
        'hint: wait until it has ended; if it is not flagadm, delete the lock\n',
    ])
    expect(waits.reduce((sum, wait) => sum + wait)).toBe(10_020)
    expect(await read()).toBe(before)
  })

  test.each([
    ['on another machine', { host: 'build-7' }, 'build-7'],
    ['in another container', { namespace: 'pid:[1]' }, hostname()],
  ])('runs %s is respected, because it may still run', async (_where, other, name) => {
    const owner = { ...killed(), ...other }
    const { change } = await folderWith({ 'c.yaml.lock': lockText(owner) })
    const { code, stderr } = await change()
    expect([code, stderr]).toEqual([
      3,
      `error: F/c.yaml.lock: process ${owner.pid} on ${name}, another machine or container, is changing the configuration\n` +
        'hint: if flagadm is not running there, delete it\n',
    ])
  })

  test.each(['{}', '[', '{"pid":-1,"started":"","host":"","namespace":"","draft":""}'])(
    'is unknown is respected: %s',
    async (text) => {
      const { change } = await folderWith({ 'c.yaml.lock': text })
      const { code, stderr } = await change()
      expect([code, stderr]).toEqual([
        3,
        'error: F/c.yaml.lock: another flagadm is changing the configuration\nhint: if none is running, delete it\n',
      ])
    },
  )

  test('was killed is taken over by only one of many changes at the same time', async () => {
    const { config, names, read } = await folderWith({ 'c.yaml.lock': lockText(killed()) })
    const wanted = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const base = [...address, '--api-key-env', 'A', '--config', config]
    const codes = await Promise.all(
      wanted.map(async (name) => (await flagadm(['profile', 'add', name, ...base])).code),
    )
    expect(codes).toEqual(wanted.map(() => 0))
    const text = await read()
    for (const name of wanted) expect(text).toContain(`\n  ${name}:\n`)
    expect(await names()).toEqual(['c.yaml'])
  })

  test('was killed is taken over through a link to the file', async () => {
    const { folder, config, names } = await folderWith({ 'c.yaml.lock': lockText(killed()) })
    const link = join(await temporaryFolder(), 'config.yaml')
    await symlink(config, link)
    const { clock, waits } = patientClock()
    const { code } = await flagadm([...use, '--config', link], { clock })
    expect([code, waits, await names(), await readdir(join(folder))]).toEqual([
      0,
      [],
      ['c.yaml'],
      ['c.yaml'],
    ])
  })
})

test.runIf(process.platform === 'linux')('a zombie is gone', async () => {
  // `sleep` replaces the shell and never asks how the background process ended.
  const parent = spawn('sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; exec sleep 60'])
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [line] = await once(parent.stdout.setEncoding('utf8'), 'data')
  const pid = Number(line)
  const status = (id = pid) => readFile(`/proc/${id}/stat`, 'utf8')
  const until = async (id: number | undefined, part: string) => {
    while (!(await status(id)).includes(part)) await new Promise(setImmediate)
  }
  await until(parent.pid, '(sleep)')
  parent.stdin.end()
  await until(pid, ') Z ')
  const started = (await status()).split(' ')[21] ?? ''
  expect(presenceOf({ ...thisProcess(), pid, started })).toBe('gone')
  expect(presenceOf(thisProcess())).toBe('running')
})

describe('a process that was killed while it added a profile', () => {
  /** The files that it left behind; `at` is how far it came. */
  async function leftBehind(at: 'config' | 'key' | 'link' | 'rename') {
    const world = await folderWith()
    const { folder, config } = world
    const paths = {
      config: join(folder, `.flagadm-${uuid}`),
      key: { draft: join(folder, `.flagadm-${uuid}.key`), path: join(folder, 'a.key') },
    }
    const draft = join(folder, `c.yaml.lock.${uuid}`)
    await writeFile(draft, lockText(killed(), { draft, drafts: paths }))
    linkSync(draft, join(folder, 'c.yaml.lock'))
    if (at !== 'rename') await writeFile(paths.config, added)
    if (at !== 'config') await writeFile(paths.key.draft, 'old-key\n')
    if (at === 'link' || at === 'rename') linkSync(paths.key.draft, paths.key.path)
    if (at === 'rename') await writeFile(config, added)
    return world
  }

  test.each(['config', 'key', 'link'] as const)(
    'and had come to its %s leaves nothing behind',
    async (at) => {
      const { change, names, read } = await leftBehind(at)
      expect(await change()).toEqual(done)
      expect(await names()).toEqual(['c.yaml'])
      expect(await read()).toBe(`${before}defaultProfile: staging\n`)
    },
  )

  test.each(['config', 'key', 'link'] as const)(
    'and had come to its %s can be repeated',
    async (at) => {
      const { change, names, read, folder } = await leftBehind(at)
      expect(await change(add, CANARY)).toEqual(done)
      expect(await names()).toEqual(['a.key', 'c.yaml'])
      // The only profile stays the default when another one is added.
      expect(await read()).toBe(`${added}defaultProfile: staging\n`)
      expect(await readFile(join(folder, 'a.key'), 'utf8')).toBe(`${CANARY}\n`)
    },
  )

  test('and had stored the profile leaves it with its key', async () => {
    const { change, names, read, folder } = await leftBehind('rename')
    expect(await change()).toEqual(done)
    expect(await names()).toEqual(['a.key', 'c.yaml'])
    expect(await read()).toBe(`${added}defaultProfile: staging\n`)
    expect(await readFile(join(folder, 'a.key'), 'utf8')).toBe('old-key\n')
  })

  test('leaves a file of this name that it did not create', async () => {
    const { change, names, folder } = await leftBehind('key')
    await writeFile(join(folder, 'a.key'), 'my-key')
    expect(await change()).toEqual(done)
    expect(await names()).toEqual(['a.key', 'c.yaml'])
    expect(await readFile(join(folder, 'a.key'), 'utf8')).toBe('my-key')
  })
})

test.each(['config', 'draft', 'key'])(
  'a lock cannot have other files removed: %s',
  async (field) => {
    const victim = join(await temporaryFolder({ 'notes.txt': 'mine' }), 'notes.txt')
    const config = `/nonexistent/.flagadm-${uuid}`
    const more = {
      config: { drafts: { config: victim } },
      draft: { draft: victim },
      key: { drafts: { config, key: { draft: victim, path: victim } } },
    }[field]
    const { change } = await folderWith({ 'c.yaml.lock': lockText(killed(), more) })
    expect((await change()).code).toBe(3)
    expect(await readFile(victim, 'utf8')).toBe('mine')
  },
)

describe('an interrupt', () => {
  test('that comes after the change does not alter the exit code', async () => {
    const { config, read } = await folderWith()
    const interruption = new AbortController()
    const { code, stdout, stderr } = await flagadm([...use, '--config', config], {
      signal: interruption.signal,
      // The report is written once the change is made.
      onOutput: () => interruption.abort(),
    })
    expect([code, stderr, interruption.signal.aborted]).toEqual([0, '', true])
    expect(stdout).toBe(`Profile staging is now the default in ${config}\n`)
    expect(await read()).toContain('defaultProfile: staging\n')
  })

  test('that comes before the change prevents it', async () => {
    const { config, folder, read, names } = await folderWith({ 'c.yaml.lock': '' })
    const interruption = new AbortController()
    const clock = {
      ...systemClock,
      async sleep() {
        interruption.abort()
        await writeFile(join(folder, 'c.yaml.lock'), lockText(killed()))
      },
    }
    const world = { clock, signal: interruption.signal }
    const { code, stdout, stderr } = await flagadm([...use, '--config', config], world)
    expect([code, stdout, stderr]).toEqual([130, '', ''])
    expect([await read(), await names()]).toEqual([before, ['c.yaml']])
  })
})

test('a killed process does not delay the next change', async () => {
  const { folder, config, names } = await folderWith()
  const argv = (name: string) => ['profile', 'add', name, ...add.slice(3), '--config', config]
  for (const name of ['x', 'y', 'z']) {
    const child = await start(argv(name))
    const end = ended(child)
    child.stdin?.end(CANARY)
    await new Promise<void>((fulfil) => {
      const watch = async () => {
        const found = (await readdir(folder)).some((file) => file.startsWith('c.yaml.lock'))
        if (found || child.exitCode !== null) return fulfil()
        setImmediate(watch)
      }
      void watch()
    })
    child.kill('SIGKILL')
    await end
  }
  const last = await start(argv('last'))
  last.stdin?.end(CANARY)
  expect((await ended(last)).code).toBe(0)
  const text = await readFile(config, 'utf8')
  for (const name of await names()) {
    if (name.endsWith('.key')) expect(text).toContain(`apiKeyFile: ${name}\n`)
  }
})
