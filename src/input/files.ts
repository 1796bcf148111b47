import { createReadStream, readFileSync, statSync } from 'node:fs'
import { type ErrorKind, fileReason, FlagadmError, isForbidden, refuseUsage } from '../errors.ts'
import type { Host } from '../host.ts'
import { resolve } from '../paths.ts'

export const MAX_BYTES = 16 * 1024 * 1024
const MAX_LINE_LENGTH = 10_000

type Bytes = AsyncIterable<Uint8Array | string>

/** Reads a whole stream up to the size limit, because it may be endless. */
async function readAll(stream: Bytes, name: string, kind: ErrorKind): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_BYTES) {
      const what = `${name} is larger than ${MAX_BYTES / 1024 / 1024} MiB`
      throw new FlagadmError(kind, what, { hint: 'check the path' })
    }
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** Whether something is neither a regular file nor a folder, such as a pipe: reading it may take forever. Follows links. */
export function isSpecial(path: string): boolean {
  try {
    const stats = statSync(path)
    return !stats.isFile() && !stats.isDirectory()
  } catch {
    // Reading it reports the reason.
    return false
  }
}

/**
 * Reads a file, a pipe or a device up to the size limit.
 * @param name what to call it in errors
 * @throws an error of this kind if the file is too large, or the system's error
 */
export async function readWithin(path: string, name: string, kind: ErrorKind): Promise<Buffer> {
  const stats = statSync(path)
  // Faster than a stream.
  if (stats.isFile() && stats.size <= MAX_BYTES) return readFileSync(path)
  return readAll(createReadStream(path), name, kind)
}

/** The index of the first line that is not UTF-8. */
function invalidLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (let line = 0, start = 0; ; line++) {
    // A line feed is never a part of another character.
    const end = bytes.indexOf(0x0a, start)
    try {
      decoder.decode(bytes.subarray(start, end === -1 ? undefined : end))
    } catch {
      return line
    }
    if (end === -1) return line
    start = end + 1
  }
}

/**
 * Decodes UTF-8. Refuses other encodings, because the text would be garbled.
 * @param firstLine the number of the first line, for errors; a byte order mark is one only at the start of the first
 */
function decode(bytes: Uint8Array, name: string, kind: ErrorKind, firstLine = 1): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: firstLine > 1 }).decode(bytes)
  } catch (cause) {
    const what = `${name}:${firstLine + invalidLine(bytes)} is not UTF-8`
    throw new FlagadmError(kind, what, { hint: 'save it as UTF-8', cause })
  }
}

interface NameBatch {
  names: string[]
  lineOf(index: number): number
}

/** @param name what to call the list in errors */
async function* namesIn(stream: Bytes, name: string): AsyncGenerator<NameBatch> {
  let rest = Buffer.alloc(0)
  let line = 0
  const refuseLong = (at: number): never => {
    const what = `line ${at} of ${name} is longer than ${MAX_LINE_LENGTH} characters`
    refuseUsage(what, 'write one name per line')
  }
  // Whole lines are decoded at once, because decoding a stream takes twice as long.
  const batchIn = (bytes: Uint8Array): NameBatch => {
    const names: string[] = []
    const numbers: number[] = []
    for (const text of decode(bytes, name, 'usage', line + 1).split('\n')) {
      line++
      if (text.length > MAX_LINE_LENGTH) refuseLong(line)
      const trimmed = text.trim()
      if (trimmed === '' || trimmed.startsWith('#')) continue
      names.push(trimmed)
      numbers.push(line)
    }
    return { names, lineOf: (index) => numbers[index] ?? line }
  }
  for await (const chunk of stream) {
    const bytes = Buffer.concat([rest, Buffer.from(chunk)])
    const end = bytes.lastIndexOf('\n')
    rest = bytes.subarray(end + 1)
    if (end >= 0) yield batchIn(bytes.subarray(0, end))
    // UTF-8 has at most three bytes for each UTF-16 unit.
    if (rest.length > 3 * MAX_LINE_LENGTH) refuseLong(line + 1)
  }
  if (rest.length > 0) yield batchIn(rest)
}

export function inputName(path: string): string {
  return path === '-' ? 'standard input' : path
}

/** The inputs of one run. Only one option can read standard input. */
export function createInputs(host: Host, messages: { note(message: string): void }) {
  let reader: string | undefined
  const stdin = (option: string): Bytes => {
    if (reader) {
      refuseUsage(
        `${reader} and ${option} both read standard input`,
        'read one of them from a file',
      )
    }
    reader = option
    return host.stdin
  }
  const refuseUnread = (what: string, kind: ErrorKind, cause: unknown): never => {
    if (cause instanceof FlagadmError) throw cause
    const message = `${what}: ${fileReason(cause)}`
    const hint = isForbidden(cause) ? 'check the permissions of the file' : 'check the path'
    throw new FlagadmError(kind, message, { hint, cause })
  }
  return {
    /**
     * The text of a file, or of standard input for `-`.
     * @param option the option that specifies the file, for errors
     * @param kind the kind of error to throw if it cannot be read
     * @param shown what to call the file in errors
     */
    async read(path: string, option: string, kind: ErrorKind, shown = inputName(path)) {
      try {
        const bytes =
          path === '-'
            ? await readAll(stdin(option), shown, kind)
            : await readWithin(resolve(host.cwd, path), `${option}: ${shown}`, kind)
        return decode(bytes, shown, kind)
      } catch (cause) {
        return refuseUnread(`${option}: cannot read ${shown}`, kind, cause)
      }
    },
    /** The names in a list, in batches: one per line, without empty lines and `#` comments. */
    async *names(path: string, option: string): AsyncGenerator<NameBatch> {
      const note = 'reading names from the terminal, one per line; Ctrl-D ends the list'
      if (path === '-' && (await host.openTerminal())) messages.note(note)
      try {
        const stream = path === '-' ? stdin(option) : createReadStream(resolve(host.cwd, path))
        yield* namesIn(stream, inputName(path))
      } catch (cause) {
        refuseUnread(`${option}: cannot read ${path}`, 'usage', cause)
      }
    },
  }
}

export type Inputs = ReturnType<typeof createInputs>
