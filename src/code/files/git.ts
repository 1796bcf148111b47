import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, parse } from 'node:path'
import { FlagadmError, failureOf, interrupted, systemCode } from '../../errors.ts'
import { isSpecial } from '../../input/files.ts'
import { join, withSlashes } from '../../paths.ts'

/** The conditions for running git. */
export interface GitOptions {
  env: Readonly<Record<string, string | undefined>>
  /** Stops git. */
  signal: AbortSignal
  /** Milliseconds without output after which git is ended, by default 30 s. */
  patienceMs?: number
  /** The index to read instead of that of the repository: git sets it for the hook of a commit. */
  indexFile?: string | undefined
}

const PATIENCE_MS = 30_000

const MAX_MESSAGES_LENGTH = 10_000

// The variables with which git finds itself and the configuration of its user. Others are not passed on: they
// may be an API key, name a program that git would start, or, in a hook, lead to another repository.
const neededVariables = [
  ...['PATH', 'PATHEXT', 'SYSTEMROOT', 'LD_LIBRARY_PATH', 'DEVELOPER_DIR', 'SUDO_UID'],
  ...['HOME', 'XDG_CONFIG_HOME', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'PROGRAMDATA'],
  ...['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM', 'GIT_CONFIG_PARAMETERS'],
  ...['GIT_CONFIG_COUNT', String.raw`GIT_CONFIG_(?:KEY|VALUE)_\d+`],
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
]
const needed = new RegExp(`^(?:${neededVariables.join('|')})$`, 'i')

/** The environment of git, in which it contacts no server and asks no question. */
function environmentOf({ env, indexFile }: GitOptions): GitOptions['env'] {
  return {
    ...(indexFile !== undefined && { GIT_INDEX_FILE: indexFile }),
    ...Object.fromEntries(Object.entries(env).filter(([name]) => needed.test(name))),
    // Otherwise git fetches objects that a partial clone lacks, with a program of the configuration.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
}

// A folder with the content of a repository may come with a clone, and its configuration is of its author.
// Even ls-files starts the program in core.fsmonitor.
const safety = ['safe.bareRepository=explicit', 'core.fsmonitor=', 'core.hooksPath=/dev/null']
const safetyOptions = [...safety.flatMap((setting) => ['-c', setting]), '--no-pager']

function failure(message: string, hint: string, cause?: unknown): FlagadmError {
  return new FlagadmError('usage', message, { hint, cause })
}

function startFailure(error: unknown): FlagadmError {
  if (error instanceof Error && error.name === 'AbortError') return interrupted()
  const reason = systemCode(error) === 'ENOENT' ? 'not found' : String(systemCode(error))
  return failure(
    `git cannot be run: ${reason}`,
    'install git, which lists the files to read',
    error,
  )
}

// git does not fetch what a partial clone lacks, because that would run programs of its configuration.
const PARTIAL_HINT =
  'if the clone is partial, and you trust it, run: git fetch --refetch --no-filter; otherwise run: git fsck'

function gitFailure(code: number | null, messages: string, folder: string): FlagadmError {
  const [, reason] = /^fatal: (.+)$/m.exec(messages) ?? []
  const [remedy] = /git config --global --add safe\.directory .+/.exec(messages) ?? []
  const isMissing = /promisor|lazy fetch|missing|unable to read|not a tree/.test(reason ?? '')
  let hint = isMissing ? PARTIAL_HINT : `run git status in ${folder}`
  if (remedy) hint = `if you trust its owner, run: ${remedy}`
  return failure(`git in ${folder}: ${reason ?? `ended with ${code}`}`, hint)
}

function silenceFailure(folder: string, milliseconds: number): FlagadmError {
  return failure(
    `git wrote nothing for ${milliseconds / 1000} s in ${folder}, and was ended`,
    'look for a pipe in place of a file that git reads, such as .gitignore, or a file system that does not respond',
  )
}

/**
 * The output of git in pieces. git is stopped when the caller stops reading, and ended if the caller waits too long for it.
 * @throws a `usage` error if git cannot be run or fails, `interrupted` when the signal aborts
 */
async function* gitOutput(
  folder: string,
  args: readonly string[],
  options: GitOptions,
  input = '',
): AsyncGenerator<Buffer> {
  const { patienceMs = PATIENCE_MS } = options
  const child = spawn('git', [...safetyOptions, '-C', folder, ...args], {
    // Windows looks for programs in this directory first, and a repository may contain a git.exe.
    cwd: parse(folder).root,
    env: environmentOf(options),
    signal: options.signal,
  })
  const stdout: AsyncIterable<Buffer> = child.stdout
  const patiently = <Result>(waiting: Promise<Result>) =>
    new Promise<Result>((fulfil, reject) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL')
        // What git has started may keep its output open.
        for (const stream of [child.stdout, child.stderr]) stream.destroy()
        reject(silenceFailure(folder, patienceMs))
      }, patienceMs)
      waiting.then(fulfil, reject).finally(() => clearTimeout(timer))
    })
  let messages = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (messages.length < MAX_MESSAGES_LENGTH) messages += text
  })
  // If git ends before it has read everything, its exit code and stderr report the reason.
  child.stdin.on('error', () => {}).end(input)
  const closed = once(child, 'close').catch((error) => {
    throw startFailure(error)
  })
  // The failure is reported where the promise is awaited, which is later.
  closed.catch(() => {})
  try {
    const pieces = stdout[Symbol.asyncIterator]()
    for (;;) {
      const { done, value } = await patiently(pieces.next())
      if (done) break
      yield value
    }
  } finally {
    // Do not kill git after the end of its output, so that it exits with its own code.
    if (!child.stdout.readableEnded) child.kill()
  }
  const [code]: (number | null)[] = await patiently(closed)
  if (code !== 0) throw gitFailure(code ?? null, messages, folder)
}

async function gitBytes(
  folder: string,
  args: readonly string[],
  options: GitOptions,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of gitOutput(folder, args, options)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The output of git without the line break at its end, or the failure that a function makes of that of git. */
async function gitLine(
  folder: string,
  args: readonly string[],
  options: GitOptions,
  explain: (cause: unknown) => FlagadmError,
): Promise<string> {
  try {
    const output = await gitBytes(folder, args, options)
    return output.toString('utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw explain(failureOf(error))
  }
}

/** The folder above a path, or the path itself, that has a `.git`. */
export function workTreeOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : workTreeOf(above)
}

/** A file that git shows, or a repository in the work tree. */
export interface ListedFile {
  path: string
  /** Whether git may have left it out of the work tree, or does not look at it there: in a sparse checkout, by skip-worktree or assume-unchanged. */
  isSparse: boolean
  /** Whether it is a symbolic link. */
  isLink?: boolean
  /** Set for a repository: a submodule, or one that is not tracked, as a clone or another work tree. */
  repository?: 'submodule' | 'other'
  /** Set for what cannot be read. */
  unread?: string
}

/** Why the file of a path cannot be read, if its bytes were not UTF-8. */
export function pathReason(path: string): { unread?: string } {
  return path.includes('\ufffd') ? { unread: 'its name is not UTF-8' } : {}
}

/**
 * Checks that git can read a work tree.
 * @param top the work tree, without links in its path
 * @throws a `usage` error if git is missing, refuses, or has another idea of the work tree
 */
export async function checkWorkTree(top: string, options: GitOptions): Promise<void> {
  const shown = await gitLine(top, ['rev-parse', '--show-toplevel'], options, failureOf)
  // In a bare repository or with core.worktree, git lists nothing or other files, without an error.
  if (shown !== '' && withSlashes(realpathSync.native(shown)) === top) return
  const what = `git reads ${shown || 'nothing'} as the work tree of ${top}`
  throw failure(what, `check core.worktree and core.bare: git -C ${top} config --list --local`)
}

/** Whether an entry of `git ls-files -v` is not tracked. */
function isOtherEntry(entry: string): boolean {
  return entry.startsWith('?')
}

function pathOfEntry(entry: string): string {
  return isOtherEntry(entry) ? entry.slice(2) : entry.slice(entry.indexOf('\t') + 1)
}

/** Refuses an ignore file that is a pipe or a device, for which git would wait. */
function checkIgnoreFiles(top: string, paths: readonly string[]): void {
  const folders = new Set<string>([top])
  for (const path of paths) {
    for (let folder = dirname(join(top, path)); !folders.has(folder); folder = dirname(folder)) {
      folders.add(folder)
    }
  }
  for (const folder of folders) {
    const ignoreFile = join(folder, '.gitignore')
    if (!isSpecial(ignoreFile)) continue
    throw failure(`${ignoreFile} is not a regular file`, 'git would wait for it: remove it')
  }
}

/**
 * Lists the files in a work tree as git shows them: tracked ones, ignored or not, and others that are not ignored.
 * @throws as `checkWorkTree`
 */
export async function listWorkTree(top: string, options: GitOptions): Promise<ListedFile[]> {
  const list = ['ls-files', '-z', '-v', '-s']
  const [tracked] = await Promise.all([
    gitBytes(top, [...list, '-c'], options),
    checkWorkTree(top, options),
  ])
  const entries = tracked.toString().split('\0')
  checkIgnoreFiles(top, entries.map(pathOfEntry))
  const others = await gitBytes(top, [...list, '-o', '--exclude-standard'], options)
  const files: ListedFile[] = []
  for (const entry of [...others.toString().split('\0'), ...entries]) {
    const name = pathOfEntry(entry)
    const mode = isOtherEntry(entry) ? '' : entry.slice(2, 8)
    const path = name.replace(/\/$/, '')
    // A conflict has an entry for each of its stages.
    if (entry === '' || files.at(-1)?.path === path) continue
    const file: ListedFile = { path, isSparse: /^[Sa-z]/.test(entry), ...pathReason(path) }
    if (mode === '120000') file.isLink = true
    if (mode === '160000') file.repository = 'submodule'
    else if (name.endsWith('/')) file.repository = 'other'
    files.push(file)
  }
  return files
}

/** A revision as git knows it: a branch, a tag, an id. */
export interface GivenRevision {
  name: string
  /** The option that has it, for errors. */
  option: string
}

/**
 * The id of the commit that a revision refers to. `..` or `...` at its end is ignored.
 * @throws a `usage` error for an unknown one, and for `:path`, which is a file in the index
 */
async function findCommit(
  top: string,
  { name, option }: GivenRevision,
  options: GitOptions,
): Promise<string> {
  const unknown = (cause?: unknown) =>
    failure(
      `${option}: unknown revision '${name}'`,
      'check its name, and fetch it first: a shallow clone has no older commits',
      cause,
    )
  if (name.startsWith(':') || name.includes('\0')) throw unknown()
  const commit = `${name.replace(/\.{2,3}$/, '')}^{commit}`
  const command = ['rev-parse', '--verify', '--quiet', '--end-of-options', commit]
  const id = await gitLine(top, command, options, unknown)
  if (!/^[0-9a-f]{40,64}$/.test(id)) throw unknown()
  return id
}

/**
 * The commit where the checked-out branch left a revision: their merge base.
 * @throws a `usage` error if they have no merge base, as in a shallow clone
 */
export async function findMergeBase(
  top: string,
  revision: GivenRevision,
  options: GitOptions,
): Promise<string> {
  const commit = await findCommit(top, revision, options)
  return gitLine(top, ['merge-base', 'HEAD', commit], options, (cause) =>
    failure(
      `${revision.option}: no common commit of HEAD and '${revision.name}'`,
      'a shallow clone lacks older commits: run git fetch --unshallow, or use fetch-depth: 0 with actions/checkout',
      cause,
    ),
  )
}

/** The address of the remote `origin` as the configuration has it, which may contain credentials; empty without one. */
export function readOrigin(top: string, options: GitOptions): Promise<string> {
  const command = ['config', '--default', '', '--get', 'remote.origin.url']
  return gitLine(top, command, options, failureOf)
}

/** The checked-out commit, and its time in milliseconds since the epoch; undefined in a repository without commits. */
export async function readHead(
  top: string,
  options: GitOptions,
): Promise<{ commit: string; time: number } | undefined> {
  // Unlike git log, this never starts a program that checks signatures.
  const command = ['rev-list', '--timestamp', '--max-count=1', '--ignore-missing', 'HEAD', '--']
  const line = await gitLine(top, command, options, failureOf)
  const [seconds, commit] = line.split(' ')
  return commit === undefined ? undefined : { commit, time: Number(seconds) * 1000 }
}

/** A file of a commit. */
export interface CommittedFile {
  path: string
  id: string
  /** Whether it is a symbolic link, whose content is a path. */
  isLink: boolean
  isSubmodule: boolean
  /** Why its content cannot be read. */
  unread?: string
}

/**
 * Lists the files of a commit, by their paths from the root.
 * @param paths of files and folders; those of others need not be there
 */
export async function listCommit(
  top: string,
  commit: string,
  paths: readonly string[],
  options: GitOptions,
): Promise<CommittedFile[]> {
  const list = ['ls-tree', '-r', '-z', '--full-tree', commit]
  if (!paths.includes('')) list.push('--', ...new Set(paths))
  const output = await gitBytes(top, list, options)
  return output
    .toString()
    .split('\0')
    .flatMap((entry): CommittedFile[] => {
      const [, mode, id = '', path = ''] = /^(\d+) \w+ (\w+)\t([^]+)$/.exec(entry) ?? []
      if (mode === undefined) return []
      const isSubmodule = mode === '160000'
      const unread = isSubmodule ? { unread: 'submodule' } : pathReason(path)
      return [{ path, id, isLink: mode === '120000', isSubmodule, ...unread }]
    })
}

/**
 * Lists the files of git's index, by their paths from the root. In the hook of a commit, that is the index of the commit.
 * @param paths of files and folders; those of others need not be there
 */
export async function listIndex(
  top: string,
  paths: readonly string[],
  options: GitOptions,
): Promise<CommittedFile[]> {
  const list = ['ls-files', '--stage', '-z']
  if (!paths.includes('')) list.push('--', ...new Set(paths))
  const indexFile = options.env.GIT_INDEX_FILE
  const output = await gitBytes(top, list, { ...options, indexFile })
  const files = new Map<string, CommittedFile>()
  for (const entry of output.toString().split('\0')) {
    const [, mode, id = '', stage, path = ''] = /^(\d+) (\w+) (\d)\t([^]+)$/.exec(entry) ?? []
    if (mode === undefined) continue
    const isSubmodule = mode === '160000'
    const isConflict = stage !== '0'
    const reason = isSubmodule ? 'submodule' : isConflict ? 'a merge conflict' : undefined
    const unread = reason === undefined ? pathReason(path) : { unread: reason }
    files.set(path, { path, id, isLink: mode === '120000', isSubmodule, ...unread })
  }
  return [...files.values()]
}

/** The paths from the root that differ between a commit and git's index: of files, links and submodules. */
export async function changedPaths(
  top: string,
  commit: string,
  options: GitOptions,
): Promise<string[]> {
  const compare = ['diff-index', '--cached', '--name-only', '-z', '--no-renames']
  const all = [...compare, '--ignore-submodules=none', commit]
  const output = await gitBytes(top, all, options)
  return output
    .toString()
    .split('\0')
    .filter((path) => path !== '')
}

const LINE_FEED = 0x0a

/**
 * Reads the contents with some ids, in order.
 * @yields the index of an id and a piece of its content; after the last piece, an empty one
 */
export async function* readContents(
  top: string,
  ids: readonly string[],
  options: GitOptions,
): AsyncGenerator<[index: number, piece: Buffer]> {
  if (ids.length === 0) return
  let [index, remaining, header] = [-1, -1, '']
  const input = ids.map((id) => `${id}\n`).join('')
  for await (const chunk of gitOutput(top, ['cat-file', '--batch', '--buffer'], options, input)) {
    for (let at = 0; at < chunk.length; ) {
      if (remaining === -1) {
        const end = chunk.indexOf(LINE_FEED, at)
        header += chunk.toString('latin1', at, end === -1 ? chunk.length : end)
        if (end === -1) break
        at = end + 1
        const [, size] = /^\w+ blob (\d+)$/.exec(header) ?? []
        if (size === undefined) {
          throw failure('git cannot read a file of the revision', PARTIAL_HINT)
        }
        remaining = Number(size)
        header = ''
        index++
      } else if (remaining > 0) {
        const piece = chunk.subarray(at, at + remaining)
        yield [index, piece]
        at += piece.length
        remaining -= piece.length
      } else {
        // The line feed after a content.
        at++
        remaining = -1
        yield [index, chunk.subarray(0, 0)]
      }
    }
  }
}
