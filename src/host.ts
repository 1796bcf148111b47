import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { FlagadmError } from './errors.ts'

/** A stream that flagadm writes to; a terminal has a size and tells when it changes. */
export interface OutputStream {
  write(text: string, done: (error?: Error | null) => void): unknown
  isTTY?: boolean
  columns?: number
  rows?: number
  on?(event: 'resize', listener: () => void): unknown
  off?(event: 'resize', listener: () => void): unknown
}

/** Time and chance, so that waiting can be tested without waiting. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Waits so many milliseconds; rejects when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** A number from 0 up to 1, 1 excluded. */
  random(): number
}

/** What to do before the process is stopped and after it goes on. */
export interface Suspension {
  suspend(): void
  resume(): void
}

/** The world that a run works in; tests bring their own. */
export interface Host {
  stdin: AsyncIterable<Uint8Array | string>
  stdout: OutputStream
  stderr: OutputStream
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  home: string | undefined
  /** The user's id; undefined where there are none, as on Windows. */
  uid: number | undefined
  clock: Clock
  /** Aborts when the user interrupts. */
  signal: AbortSignal
  /** Tells when the user suspends and resumes the process (Ctrl-Z); returns how to stop that. */
  onSuspend?(listener: Suspension): () => void
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) => delay(milliseconds, undefined, signal ? { signal } : {}),
  random: Math.random,
}

const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

function workingDirectory(process: NodeJS.Process): string {
  try {
    return process.cwd()
  } catch (cause) {
    throw new FlagadmError('configuration', 'the working directory is gone', {
      hint: 'change to one that exists',
      cause,
    })
  }
}

/** The home directory; undefined for a user who has none, or none that is an absolute path. */
function homeDirectory({ HOME }: NodeJS.ProcessEnv): string | undefined {
  try {
    const home = HOME || homedir()
    return isAbsolute(home) ? home : undefined
  } catch {
    return undefined
  }
}

/** The host of a real process. The first Ctrl-C (or SIGTERM) asks the run to end, a second one kills. */
export function hostOf(process: NodeJS.Process): Host {
  const interruption = new AbortController()
  const interrupt = () => {
    for (const signal of interruptions) process.off(signal, interrupt)
    interruption.abort()
  }
  for (const signal of interruptions) process.on(signal, interrupt)
  for (const stream of [process.stdout, process.stderr]) {
    // The failing write reports it; without a listener the process would crash on the event as well.
    stream.on('error', () => {})
  }
  return {
    get stdin() {
      // Whoever waits for input must not wait on after an interruption.
      interruption.signal.addEventListener('abort', () => process.stdin.destroy())
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    get cwd() {
      return workingDirectory(process)
    },
    get home() {
      return homeDirectory(process.env)
    },
    uid: process.getuid?.(),
    clock: systemClock,
    signal: interruption.signal,
    onSuspend({ suspend, resume }) {
      const stop = () => {
        suspend()
        process.kill(process.pid, 'SIGSTOP')
      }
      process.on('SIGTSTP', stop).on('SIGCONT', resume)
      return () => process.off('SIGTSTP', stop).off('SIGCONT', resume)
    },
  }
}
