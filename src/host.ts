import { fstatSync, openSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { FlagadmError } from './errors.ts'
import { resolve } from './paths.ts'

export interface OutputStream {
  write(text: string, done: (error?: Error | null) => void): unknown
  isTTY?: boolean
  /** The width of a terminal. */
  columns?: number
}

/** A terminal to ask the user on. */
export interface Terminal {
  input: Readable & { setRawMode?(raw: boolean): unknown }
  output: Writable & Pick<OutputStream, 'isTTY' | 'columns'>
}

/** Time and random numbers, replaceable so that tests do not wait. */
export interface Clock {
  /** Milliseconds since the epoch; only for dates, because the user or NTP may set this clock. */
  now(): number
  /** Milliseconds since an arbitrary start, never set back: for spans, deadlines and pauses. */
  monotonic(): number
  /** Waits the given number of milliseconds; rejects when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** A number from 0 up to 1, 1 excluded. */
  random(): number
}

/** The environment of a run; tests supply their own. */
export interface Host {
  stdin: AsyncIterable<Uint8Array | string>
  /**
   * Opens the terminal to ask the user on, even if stdout and stderr are redirected; undefined if standard
   * input is not a terminal, or there is none to write to.
   */
  openTerminal(): Promise<Terminal | undefined>
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  home: string | undefined
  /** The id of the process. */
  pid: number
  /** The user's id; undefined on systems without user ids, such as Windows. */
  uid: number | undefined
  /** The operating system. */
  platform: NodeJS.Platform
  clock: Clock
  /** Aborts when a signal such as SIGINT comes while signals are held; the reason is its name. */
  interruption: AbortSignal
  /** Delays the signals that end a process, while a write is under way. @returns a function to stop that */
  holdSignals(): () => void
}

/** A host with the streams of the process. What writes to them uses the sinks of the context. */
export interface ProcessHost extends Host {
  stdout: OutputStream
  stderr: OutputStream
  /** Whether stdout is a file, and not a terminal or another program. */
  writesToFile(): boolean
}

// Node.js fires a timer after 1 ms if its delay does not fit into 31 bits.
const MAX_TIMER_MS = 2 ** 31 - 1

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  // Loaded on demand, because few commands wait.
  const { setTimeout: delay } = await import('node:timers/promises')
  const end = performance.now() + milliseconds
  for (let left = milliseconds; left > 0; left = end - performance.now()) {
    await delay(Math.min(left, MAX_TIMER_MS), undefined, signal ? { signal } : {})
  }
}

/** @internal Tests use it where time does not matter. */
export const systemClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  sleep,
  random: Math.random,
}

const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function workingDirectory(process: NodeJS.Process): string {
  try {
    return resolve(process.cwd())
  } catch (cause) {
    throw new FlagadmError('configuration', 'the working directory no longer exists', {
      hint: 'change to an existing directory',
      cause,
    })
  }
}

/** The home directory; undefined if the user has none or it is not an absolute path. */
function homeDirectory({ HOME }: NodeJS.ProcessEnv): string | undefined {
  try {
    const home = HOME || homedir()
    return isAbsolute(home) ? resolve(home) : undefined
  } catch {
    return undefined
  }
}

/** The terminal of the session; undefined without one, and on Windows. */
async function sessionTerminal(): Promise<WriteStream | undefined> {
  const { WriteStream } = await import('node:tty')
  try {
    return new WriteStream(openSync('/dev/tty', 'w'))
  } catch {
    return undefined
  }
}

async function openTerminal(process: NodeJS.Process): Promise<Terminal | undefined> {
  const { stdin: input, stdout, stderr } = process
  if (!input.isTTY) return undefined
  const output = [stderr, stdout].find(({ isTTY }) => isTTY) ?? (await sessionTerminal())
  return output && { input, output }
}

/** The host of a real process. A signal kills it as any program, unless signals are held; then the second one does. */
export function hostOf(process: NodeJS.Process): ProcessHost {
  const interruption = new AbortController()
  const interrupt = (signal: NodeJS.Signals) => {
    release()
    interruption.abort(signal)
  }
  const release = () => {
    for (const signal of interruptions) process.off(signal, interrupt)
  }
  for (const stream of [process.stdout, process.stderr]) {
    // The failed write reports the error; without a listener, the event would crash the process.
    stream.on('error', () => {})
  }
  return {
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    writesToFile: () => fstatSync(process.stdout.fd).isFile(),
    openTerminal: () => openTerminal(process),
    env: process.env,
    get cwd() {
      return workingDirectory(process)
    },
    get home() {
      return homeDirectory(process.env)
    },
    pid: process.pid,
    uid: process.getuid?.(),
    platform: process.platform,
    clock: systemClock,
    interruption: interruption.signal,
    holdSignals() {
      for (const signal of interruptions) process.on(signal, interrupt)
      return release
    },
  }
}
