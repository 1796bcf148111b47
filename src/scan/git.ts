import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parse } from 'node:path'
import { failureOf, FlagadmError, interrupted, systemCode } from '../errors.ts'
import { join } from '../paths.ts'

/** The conditions for running git. */
export interface GitOptions {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** Stops git. */
  signal: AbortSignal
}

// A list of more files than a repository has.
const MAX_OUTPUT_BYTES = 128 * 1024 * 1024
const MAX_MESSAGES_LENGTH = 10_000

function failure(message: string, hint: string, cause?: unknown): FlagadmError {
  return new FlagadmError('usage', `--removed-since: ${message}`, { hint, cause })
}

function startFailure(error: unknown): FlagadmError {
  if (error instanceof Error && error.name === 'AbortError') return interrupted()
  const reason = systemCode(error) === 'ENOENT' ? 'not found' : String(systemCode(error))
  return failure(`git cannot be run: ${reason}`, 'install git', error)
}

// The variables with which git finds itself, its configuration and the repository. No other one is passed
// on: it may be an API key, or name a program that git would start.
const neededVariables = [
  ...['PATH', 'PATHEXT', 'SYSTEMROOT', 'LD_LIBRARY_PATH', 'DEVELOPER_DIR', 'SUDO_UID'],
  ...['HOME', 'XDG_CONFIG_HOME', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'PROGRAMDATA'],
  ...['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM', 'GIT_CONFIG_PARAMETERS'],
  ...['GIT_CONFIG_COUNT', String.raw`GIT_CONFIG_(?:KEY|VALUE)_\d+`],
  ...['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE', 'GIT_CEILING_DIRECTORIES'],
  ...['GIT_DISCOVERY_ACROSS_FILESYSTEM', 'GIT_OBJECT_DIRECTORY'],
  ...['GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_QUARANTINE_PATH'],
]
const needed = new RegExp(`^(?:${neededVariables.join('|')})$`, 'i')

/** The environment of git, in which it contacts no server and asks no question. */
function environmentOf(env: GitOptions['env']): GitOptions['env'] {
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => needed.test(name))),
    // Otherwise git fetches objects that a partial clone lacks, with a program of the configuration.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
  }
}

// A folder with the content of a repository may come with a clone, and its configuration is of its author.
const safety = ['safe.bareRepository=explicit', 'core.fsmonitor=false', 'core.hooksPath=/dev/null']
const safetyOptions = safety.flatMap((setting) => ['-c', setting])

function gitFailure(code: number | null, messages: string): FlagadmError {
  const [, reason] = /^fatal: (.+)$/m.exec(messages) ?? []
  const [remedy] = /git config --global --add safe\.directory .+/.exec(messages) ?? []
  const hint = remedy ? `if you trust its owner, run: ${remedy}` : 'run it in a git repository'
  return failure(reason ?? `git ended with ${code}`, hint)
}

/**
 * The output of git in pieces. git is stopped when the caller stops reading.
 * @throws a `usage` error if git cannot be run or fails, `interrupted` when the signal aborts
 */
async function* gitOutput(
  args: readonly string[],
  { cwd, env, signal }: GitOptions,
  input = '',
): AsyncGenerator<Buffer> {
  const child = spawn('git', [...safetyOptions, '-C', cwd, ...args], {
    // Windows looks for programs in this directory first, and a repository may contain a git.exe.
    cwd: parse(cwd).root,
    env: environmentOf(env),
    signal,
  })
  const stdout: AsyncIterable<Buffer> = child.stdout
  let messages = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (messages.length < MAX_MESSAGES_LENGTH) messages += text
  })
  // If git ends before it has read everything, its exit code and stderr report the reason.
  child.stdin.on('error', () => {}).end(input)
  const closed = once(child, 'close')
  // The failure is reported where the promise is awaited, which is later.
  closed.catch(() => {})
  try {
    yield* stdout
  } finally {
    // Do not kill git after the end of its output, so that it exits with its own code.
    if (!child.stdout.readableEnded) child.kill()
  }
  const [code]: (number | null)[] = await closed.catch((error) => {
    throw startFailure(error)
  })
  if (code !== 0) throw gitFailure(code ?? null, messages)
}

async function gitText(args: readonly string[], options: GitOptions): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of gitOutput(args, options)) {
    size += chunk.length
    if (size > MAX_OUTPUT_BYTES) {
      throw failure('the repository has too many files', 'use --names-from <file> instead')
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The output of git in a line, or the failure that a function makes of that of git. */
async function gitLine(
  args: readonly string[],
  options: GitOptions,
  explain: (cause: unknown) => FlagadmError,
): Promise<string> {
  try {
    const output = await gitText(args, options)
    return output.trim()
  } catch (error) {
    throw explain(failureOf(error))
  }
}

/**
 * Throws the failure to read an object, explained if the clone is partial.
 * @param error what git reports, which depends on its version
 */
async function refuseMissing(error: unknown, options: GitOptions): Promise<never> {
  if (options.signal.aborted) throw error
  const settings = String.raw`^(extensions\.partialclone|remote\..*\.promisor)$`
  const isPartial = await gitText(['config', '--get-regexp', settings], options).catch(() => '')
  if (!isPartial) throw error
  throw failure(
    'the clone is partial and lacks files of that revision',
    'if you trust the repository, fetch them first: git fetch --refetch --no-filter',
    error,
  )
}

/**
 * The directory of the working tree, and the working directory in it.
 * @throws a `usage` error outside a repository
 */
export async function findRepository(options: GitOptions): Promise<{ root: string; cwd: string }> {
  const output = await gitText(['rev-parse', '--show-toplevel', '--show-prefix'], options)
  const [root = '', prefix = ''] = output.split('\n')
  return { root, cwd: join(root, prefix) }
}

/**
 * The id of the commit that a revision refers to. `..` or `...` at its end is ignored.
 * @throws a `usage` error for an unknown one, and for `:path`, which is a file in the index
 */
async function findCommit(revision: string, options: GitOptions): Promise<string> {
  const unknown = (cause?: unknown) =>
    failure(
      `unknown revision '${revision}'`,
      'check its name, and fetch it first: a shallow clone has no older commits',
      cause,
    )
  const name = revision.replace(/\.{2,3}$/, '')
  if (revision.startsWith(':') || revision.includes('\0')) throw unknown()
  const command = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
  const id = await gitLine(command, options, unknown)
  if (!/^[0-9a-f]{40,64}$/.test(id)) throw unknown()
  return id
}

/**
 * The commit where the checked-out branch left a revision: their merge base.
 * @throws a `usage` error if they have no merge base, as in a shallow clone
 */
export async function findMergeBase(revision: string, options: GitOptions): Promise<string> {
  const commit = await findCommit(revision, options)
  return gitLine(['merge-base', 'HEAD', commit], options, (cause) =>
    failure(
      `no common commit of HEAD and '${revision}'`,
      'a shallow clone lacks older commits: run git fetch --unshallow, or use fetch-depth: 0 with actions/checkout',
      cause,
    ),
  )
}

/** The files of a commit: the id of the content by the path from the root. Without links and submodules. */
export async function listFiles(
  commit: string,
  options: GitOptions,
): Promise<ReadonlyMap<string, string>> {
  const listing = gitText(['ls-tree', '-r', '-z', '--full-tree', commit], options)
  const output = await listing.catch((error: unknown) => refuseMissing(error, options))
  const entries = output.split('\0').map((entry) => /^100\d+ blob (\w+)\t([^]+)$/.exec(entry))
  return new Map(entries.flatMap((match) => (match ? [[match[2] ?? '', match[1] ?? '']] : [])))
}

const LINE_FEED = 0x0a

/**
 * The contents with these ids, in order; undefined for one that is larger than the limit.
 * @throws a `usage` error if one is missing
 */
export async function* readContents(
  ids: readonly string[],
  limit: number,
  options: GitOptions,
): AsyncGenerator<Buffer | undefined> {
  try {
    yield* contentsOf(ids, limit, options)
  } catch (error) {
    await refuseMissing(error, options)
  }
}

async function* contentsOf(
  ids: readonly string[],
  limit: number,
  options: GitOptions,
): AsyncGenerator<Buffer | undefined> {
  if (ids.length === 0) return
  let rest: Buffer = Buffer.alloc(0)
  let skipped = 0
  const output = gitOutput(['cat-file', '--batch', '--buffer'], options, ids.join('\n'))
  for await (const chunk of output) {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const dropped = Math.min(skipped, rest.length)
      rest = rest.subarray(dropped)
      skipped -= dropped
      const end = rest.indexOf(LINE_FEED)
      if (skipped > 0 || end < 0) break
      const [, size] = /^\w+ blob (\d+)$/.exec(rest.toString('latin1', 0, end)) ?? []
      if (size === undefined) throw failure('git cannot read a file', 'run git fsck')
      // The header and the content end with a line feed each.
      const start = end + 1
      const next = start + Number(size) + 1
      if (Number(size) > limit) {
        skipped = next
        yield undefined
      } else if (rest.length >= next) {
        yield rest.subarray(start, next - 1)
        rest = rest.subarray(next)
      } else break
    }
  }
}
