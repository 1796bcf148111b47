import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CANARY, flagadm, makeFolder, temporaryFolder } from '../../support/flagadm.ts'
import { git } from '../../support/git.ts'

const path = process.env.PATH ?? ''

function commitAll(root: string): void {
  git(root, 'add', '--force', '--all')
  git(root, 'commit', '--quiet', '--message', 'm')
}

// Without the examples of hooks.
const init = ['init', '--quiet', '--template=', '--initial-branch', 'main']

let shared: string

beforeAll(async () => {
  shared = makeFolder({ 'src/a.ts': "isEnabled('dark-mode')\n" })
  git(shared, ...init)
  commitAll(shared)
  git(shared, 'tag', 'v1')
  await writeFile(join(shared, 'src/a.ts'), '\n')
  commitAll(shared)
})

afterAll(() => rm(shared, { recursive: true }))

/** A repository in `root/work` whose first commit, tagged v1, uses a flag that the second one does not. */
async function repository() {
  const root = await temporaryFolder()
  const work = join(root, 'work')
  await cp(shared, work, { recursive: true })
  return { root, work, ...(await program(root)) }
}

/** A program that a repository could make git run, and whether that happened. */
async function program(root: string) {
  const [planted, marker] = [join(root, 'planted'), join(root, 'ran')]
  await writeFile(planted, `#!/bin/sh\ntouch '${marker}'\n`)
  await chmod(planted, 0o755)
  return { planted, ran: () => existsSync(marker) }
}

/** A folder with a program `git` that runs a shell script before the real one. */
async function wrapper(script: string): Promise<string> {
  const folder = await temporaryFolder({
    git: `#!/bin/sh\n${script}\nPATH='${path}' exec git "$@"\n`,
  })
  await chmod(join(folder, 'git'), 0o755)
  return `${folder}:${path}`
}

interface Search {
  env?: Record<string, string>
  revision?: string
  /** The names to look for, instead of those that lookups used. */
  names?: readonly string[]
  scan?: string
}

/** The flags that were removed since a revision, what could not be read, and the error. */
async function removed(cwd: string, search: Search = {}) {
  const { env = {}, revision = 'v1', names = [], scan = '.' } = search
  const { stdout, stderr } = await flagadm(
    ['feature', 'references', ...names, `--removed-since=${revision}`, '--scan', scan, '--json'],
    { cwd, env: { PATH: path, ...env } },
  )
  if (stdout === '') {
    const { message, hint } = JSON.parse(stderr).error
    return { message, hint }
  }
  const { references, incomplete } = JSON.parse(stdout)
  return { flags: references.map(({ name }: { name: string }) => name), incomplete, stderr }
}

const found = { flags: ['dark-mode'], incomplete: undefined, stderr: '' }

function unknown(revision: string) {
  return {
    message: `--removed-since: unknown revision '${revision}'`,
    hint: 'check its name, and fetch it first: a shallow clone has no older commits',
  }
}

/** A clone with a folder that is a repository, which lacks a file and whose server is reached with a program. */
async function cloneWithBareFolder() {
  const { root, work, planted, ran } = await repository()
  const lost = git(work, 'rev-parse', 'v1:src/a.ts').trim()
  const author = join(root, 'author')
  await mkdir(author)
  git(author, ...init)
  const evil = join(author, 'evil')
  await cp(join(work, '.git'), evil, { recursive: true })
  await rm(join(evil, 'objects', lost.slice(0, 2)), { recursive: true })
  await rm(join(evil, 'index'))
  await makePartial(evil, planted, '.')
  commitAll(author)
  git(root, 'clone', '--quiet', author, 'clone')
  return { cwd: join(root, 'clone/evil'), ran }
}

/** Lets a repository claim that a server, reached with a program, has all objects that it lacks. */
async function makePartial(gitFolder: string, planted: string, worktree: string): Promise<void> {
  const config = `[core]
    repositoryFormatVersion = 1
    worktree = ${worktree}
    sshCommand = ${planted}
  [extensions]
    partialClone = origin
  [remote "origin"]
    url = ssh://a.invalid/b
    promisor = true`
  await writeFile(join(gitFolder, 'config'), config)
}

/** A clone without some of its objects, whose server is reached with a program. */
async function partialClone(filter: string) {
  const { root, work, planted, ran } = await repository()
  git(work, 'config', 'uploadpack.allowFilter', 'true')
  git(root, 'clone', '--quiet', `--filter=${filter}`, '--no-checkout', `file://${work}`, 'clone')
  const cwd = join(root, 'clone')
  await makePartial(join(cwd, '.git'), planted, cwd)
  return { work, cwd, ran }
}

test('a folder of a clone that is a bare repository is read as a folder', async () => {
  const { cwd, ran } = await cloneWithBareFolder()
  expect(await removed(cwd)).toEqual(unknown('v1'))
  expect(ran()).toBe(false)
})

test.each(['blob:none', 'tree:0'])(
  'what a partial clone with the filter %s lacks is an error, and not fetched',
  async (filter) => {
    const { cwd, work, ran } = await partialClone(filter)
    expect(await removed(cwd)).toMatchObject({
      message: expect.stringMatching(/^git\b/),
      hint: 'if the clone is partial, and you trust it, run: git fetch --refetch --no-filter; otherwise run: git fsck',
    })
    expect(ran()).toBe(false)
    git(cwd, 'config', 'remote.origin.url', `file://${work}`)
    git(cwd, 'fetch', '--quiet', '--refetch', '--no-filter')
    expect(await removed(cwd)).toEqual(found)
  },
)

test('what a partial clone lacks outside the scanned paths does not matter', async () => {
  const { root, work } = await repository()
  await mkdir(join(work, 'docs'))
  await writeFile(join(work, 'docs/b.txt'), 'old')
  commitAll(work)
  git(work, 'tag', 'v2')
  await writeFile(join(work, 'docs/b.txt'), 'new')
  commitAll(work)
  git(work, 'config', 'uploadpack.allowFilter', 'true')
  git(root, 'clone', '--quiet', '--filter=blob:none', `file://${work}`, 'clone')
  const cwd = join(root, 'clone')
  const search = { revision: 'v2', names: ['dark-mode'] }
  expect(await removed(cwd, { ...search, scan: 'src' })).toEqual({
    flags: [],
    incomplete: undefined,
    stderr: '',
  })
  expect(await removed(cwd, search)).toMatchObject({ message: expect.stringMatching(/^git\b/) })
})

describe('a program is not run if it is configured as', () => {
  test.each([':src/a.ts', ':0:src/a.ts', ':./a.ts', ':/m', '-x', '--all', '--git-dir=x'])(
    'core.fsmonitor, and the revision is %s',
    async (revision) => {
      const { work, planted, ran } = await repository()
      git(work, 'config', 'core.fsmonitor', planted)
      expect(await removed(work, { revision })).toEqual(unknown(revision))
      expect(ran()).toBe(false)
      git(work, 'status')
      expect(ran()).toBe(true)
    },
  )

  test('a converter, a diff or a filter of files', async () => {
    const { work, planted, ran } = await repository()
    await writeFile(join(work, '.gitattributes'), '*.ts diff=planted filter=planted\n')
    const settings = ['diff.%.textconv', 'diff.%.command', 'filter.%.smudge', 'filter.%.clean']
    for (const name of [...settings, 'filter.%.process']) {
      git(work, 'config', name.replace('%', 'planted'), planted)
    }
    expect(await removed(work)).toEqual(found)
    expect(ran()).toBe(false)
    // May fail, because the program does not answer.
    spawnSync('git', ['cat-file', '--textconv', 'v1:src/a.ts'], { cwd: work })
    expect(ran()).toBe(true)
  })
})

test('git receives no API key and no program from the environment', async () => {
  const { root, work } = await repository()
  const list = join(root, 'variables')
  const env = {
    PATH: await wrapper(`env > '${list}'`),
    HOME: root,
    FLAGADM_API_KEY: CANARY,
    TEAM_KEY: CANARY,
    GIT_SSH_COMMAND: 'x',
    GIT_ALLOW_PROTOCOL: 'ssh',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: work,
    GIT_CEILING_DIRECTORIES: root,
  }
  expect(await removed(work, { env })).toEqual(found)
  const variables = (await readFile(list, 'utf8')).trim().split('\n').sort()
  expect(variables.filter((line) => !/^(?:PATH|PWD|OLDPWD|SHLVL|_)=/.test(line))).toEqual([
    'GIT_ALLOW_PROTOCOL=none',
    'GIT_CONFIG_COUNT=1',
    'GIT_CONFIG_KEY_0=safe.directory',
    `GIT_CONFIG_VALUE_0=${work}`,
    'GIT_NO_LAZY_FETCH=1',
    'GIT_NO_REPLACE_OBJECTS=1',
    'GIT_OPTIONAL_LOCKS=0',
    'GIT_TERMINAL_PROMPT=0',
    `HOME=${root}`,
    'LC_ALL=C',
  ])
})

test('variables of a hook do not lead to another repository', async () => {
  const { root, work } = await repository()
  git(root, 'init', '--quiet', 'other')
  const other = join(root, 'other')
  const hook = {
    GIT_DIR: join(other, '.git'),
    GIT_WORK_TREE: other,
    GIT_INDEX_FILE: join(root, 'x'),
  }
  expect(await removed(work, { env: hook })).toEqual(found)
})

test('a repository whose work tree is elsewhere is refused', async () => {
  const { root, work } = await repository()
  git(work, 'config', 'core.worktree', root)
  expect(await removed(work)).toEqual({
    message: `git reads ${root} as the work tree of ${work}`,
    hint: `check core.worktree and core.bare: git -C ${work} config --list --local`,
  })
})
