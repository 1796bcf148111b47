import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { expect, onTestFinished } from 'vitest'
import { run } from '../../src/cli/run.ts'
import {
  type Clock,
  type OutputStream,
  type ProcessHost,
  systemClock,
  type Terminal,
} from '../../src/host.ts'
import { join, resolve } from '../../src/paths.ts'
import { checkHints } from './hints.ts'
import { checkPrinted } from './printed.ts'
import { removeFolder, unusedFolders } from './unused-folders.ts'

/** A key that must never be printed: the output of every run is searched for it. */
export const CANARY = '*:*.canary0123456789abcdef0123456789abcdef'
const canaryForms = [CANARY, encodeURIComponent(CANARY), Buffer.from(CANARY).toString('base64')]

export interface World {
  env?: Record<string, string>
  /** Files to write, relative to the temporary folder, which contains `work` (the working directory) and `home`. */
  files?: Record<string, string | Buffer>
  /** The working directory, if it is not `work`: a path from the temporary folder, or of another one. */
  cwd?: string
  stdin?: string
  /** The user id, by default that of the process; undefined on Windows. */
  uid?: number | undefined
  /** The system, by default that of the process. */
  platform?: NodeJS.Platform
  /** Whether the user has no home directory. */
  homeless?: boolean
  /** Columns of stdout as a terminal; by default it is not a terminal. */
  columns?: number
  /** Whether stderr is a terminal. */
  talksToTerminal?: boolean
  /** Whether stdout is a file. */
  writesToFile?: boolean
  /** Answers on a terminal: what to type when a text appears on stderr. A function is called at that time. */
  dialog?: readonly (readonly [question: string, keys: string | (() => string | Promise<string>)])[]
  /** Columns that the terminal of the dialog reports; by default those of stdout, if there are any. */
  dialogColumns?: number
  clock?: Clock
  signal?: AbortSignal
  /** Called with the whole of stdout when the command writes to it. */
  onOutput?: (text: string) => void
}

export interface Outcome {
  code: number
  stdout: string
  stderr: string
  /** The temporary folder. */
  folder: string
}

const temporary = resolve(realpathSync(tmpdir()))

class Capture extends Writable implements OutputStream {
  text = ''
  isTTY?: boolean
  columns?: number
  rows?: number

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString('utf8')
    this.emit('text')
    done()
  }
}

/** A terminal whose user answers each question once it appears. */
function terminalOf(
  dialog: NonNullable<World['dialog']>,
  output: Capture,
  columns: World['dialogColumns'],
): Terminal {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
  const left = [...dialog]
  let seen = 0
  output.on('text', () => {
    const [question, keys] = left[0] ?? []
    if (question === undefined || keys === undefined || !output.text.includes(question, seen))
      return
    seen = output.text.length
    left.shift()
    // The prompt is ready once it has written the question.
    setImmediate(async () => input.write(typeof keys === 'function' ? await keys() : keys))
  })
  return {
    input,
    output: Object.assign(output, { isTTY: true, ...(columns !== undefined && { columns }) }),
  }
}

/** A new temporary folder with files in it. */
export function makeFolder(files: Record<string, string | Buffer> = {}): string {
  // Synchronous calls take a third of the time of asynchronous ones, and every run of flagadm makes a folder.
  const folder = resolve(mkdtempSync(join(temporary, 'flagadm-test-')))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { mode: 0o600 })
  }
  return folder
}

/** The files of an empty git repository in a folder. */
export function repositoryIn(folder: string): Record<string, string> {
  return {
    [`${folder}/.git/HEAD`]: 'ref: refs/heads/main\n',
    [`${folder}/.git/objects/info/none`]: '',
    [`${folder}/.git/refs/heads/.none`]: '',
  }
}

/** A temporary folder with files in it, removed after the test. */
export async function temporaryFolder(
  files: Record<string, string | Buffer> = {},
): Promise<string> {
  const folder = makeFolder(files)
  onTestFinished(() => removeFolder(folder))
  return folder
}

function isUnused(folder: string): boolean {
  return `${readdirSync(folder)}` === 'work' && readdirSync(join(folder, 'work')).length === 0
}

/**
 * A temporary folder without files. More than half of all runs need no other, and making and removing a folder takes
 * longer than finding out that nothing was written.
 */
function emptyFolder(): string {
  const folder = unusedFolders.pop() ?? makeFolder()
  onTestFinished(async () => {
    if (isUnused(folder)) unusedFolders.push(folder)
    else await removeFolder(folder)
  })
  return folder
}

/** Runs a command line in this process with its own host, and searches its output for the canary. */
export async function flagadm(argv: readonly string[], world: World = {}): Promise<Outcome> {
  const { env = {}, files = {}, cwd = 'work', stdin = '', columns, clock, signal } = world
  const isEmpty = Object.keys(files).length === 0 && cwd === 'work'
  const folder = isEmpty ? emptyFolder() : await temporaryFolder(files)
  const directory = resolve(folder, cwd)
  mkdirSync(directory, { recursive: true })
  const stdout = new Capture()
  const stderr = new Capture()
  if (columns !== undefined) Object.assign(stdout, { isTTY: true, columns })
  const { onOutput } = world
  if (onOutput) stdout.on('text', () => onOutput(stdout.text))
  if (world.talksToTerminal) Object.assign(stderr, { isTTY: true, columns })
  const terminal = world.dialog && terminalOf(world.dialog, stderr, world.dialogColumns ?? columns)
  const host: ProcessHost = {
    stdin: (async function* () {
      yield stdin
    })(),
    stdout,
    stderr,
    writesToFile: () => world.writesToFile === true,
    openTerminal: async () => terminal,
    env,
    cwd: directory,
    home: world.homeless ? undefined : join(folder, 'home'),
    pid: 4711,
    uid: 'uid' in world ? world.uid : process.getuid?.(),
    platform: world.platform ?? process.platform,
    clock: clock ?? systemClock,
    interruption: signal ?? new AbortController().signal,
    holdSignals: () => () => {},
  }
  const code = await run(argv, host)
  expect(canaryForms.filter((form) => (stdout.text + stderr.text).includes(form))).toEqual([])
  await checkHints(stderr.text)
  checkPrinted(argv, { stdout: stdout.text, stderr: stderr.text })
  return { code, stdout: stdout.text, stderr: stderr.text, folder }
}

/** The environment that points flagadm to a service. */
export function environment(baseUrl: string, key = CANARY): Record<string, string> {
  return { FLAGADM_BASE_URL: baseUrl, FLAGADM_API_KEY: key }
}
