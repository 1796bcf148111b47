import { closeSync, constants, openSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { setImmediate as otherWork } from 'node:timers/promises'
import { systemCode } from '../errors.ts'

// Larger files are not source code that a person wrote.
const LARGEST = 1024 * 1024
const BINARY_PROBE = 8 * 1024
const SLICE = 64

/** Receives each file, by its path as it was given. */
export interface Reader {
  signal: AbortSignal
  /** A promise that it returns is awaited before many more files are read. */
  onText(path: string, text: string): unknown
  onUnreadable(path: string, error: unknown): void
}

export interface ReadOptions {
  /** What the paths are relative to. */
  cwd: string
  /** Milliseconds to wait for each file on average; above that, files are read in parallel. */
  patience?: number
}

function readNow(path: string, buffer: Buffer): number {
  // A pipe that replaced the file must not block.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return readSync(file, buffer, 0, buffer.length, 0)
  } finally {
    closeSync(file)
  }
}

async function readLater(path: string): Promise<[Buffer, number]> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const { size } = await file.stat()
    const buffer = Buffer.alloc(Math.min(size, LARGEST) + 1)
    const { bytesRead } = await file.read(buffer)
    return [buffer, bytesRead]
  } finally {
    await file.close()
  }
}

// The buffer may hold more than the file, from before.
function deliver(path: string, buffer: Buffer, length: number, reader: Reader): unknown {
  const nul = buffer.indexOf(0)
  if (length > LARGEST || (nul !== -1 && nul < Math.min(length, BINARY_PROBE))) return undefined
  const text = buffer.toString('utf8', 0, length)
  return reader.onText(path, text.startsWith('\ufeff') ? text.slice(1) : text)
}

function report(path: string, error: unknown, reader: Reader): void {
  if (systemCode(error) === undefined) throw error
  reader.onUnreadable(path, error)
}

/**
 * Reads text files, in no particular order. Files over 1 MiB and those with a NUL byte in the first
 * 8 KiB are skipped. Ends early when the signal aborts.
 */
export async function readTexts(
  paths: readonly string[],
  { cwd, patience = 0.1 }: ReadOptions,
  reader: Reader,
): Promise<void> {
  // Much faster than resolve(), for many short paths.
  const absolute = (path: string) => (isAbsolute(path) ? path : `${cwd}/${path}`)
  const buffer = Buffer.allocUnsafeSlow(LARGEST + 1)
  let waited = 0
  let work: unknown[] = []
  const now = (path: string) => {
    try {
      const began = performance.now()
      const length = readNow(absolute(path), buffer)
      waited += performance.now() - began
      work.push(deliver(path, buffer, length, reader))
    } catch (error) {
      report(path, error, reader)
    }
  }
  const later = (path: string) =>
    readLater(absolute(path))
      .then(([bytes, length]) => deliver(path, bytes, length, reader))
      .catch((error) => report(path, error, reader))
  for (let start = 0; start < paths.length && !reader.signal.aborted; start += SLICE) {
    const slice = paths.slice(start, start + SLICE)
    // Threads cost more than they save while the system has the files in memory; a slow disk or
    // network is worth them.
    if (waited > patience * start) await Promise.all(slice.map(later))
    else slice.forEach(now)
    await Promise.all(work)
    work = []
    await otherWork()
  }
}
