import { homedir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

/** A stream that flagadm writes to; a terminal has `isTTY` and `columns`. */
export interface OutputStream {
  write(text: string, done: (error?: Error | null) => void): unknown
  isTTY?: boolean
  columns?: number
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

/** The world that a run works in; tests bring their own. */
export interface Host {
  stdin: AsyncIterable<Uint8Array | string>
  stdout: OutputStream
  stderr: OutputStream
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  home: string
  clock: Clock
  /** Aborts when the user interrupts. */
  signal: AbortSignal
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) => delay(milliseconds, undefined, signal ? { signal } : {}),
  random: Math.random,
}

/** The host of a real process. The first Ctrl-C (or SIGTERM) asks the run to end, a second one kills. */
export function hostOf(process: NodeJS.Process): Host {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => interruption.abort())
  }
  for (const stream of [process.stdout, process.stderr]) {
    // The failing write reports it; without a listener the process would crash on the event as well.
    stream.on('error', () => {})
  }
  return {
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    home: process.env.HOME || homedir(),
    clock: systemClock,
    signal: interruption.signal,
  }
}
