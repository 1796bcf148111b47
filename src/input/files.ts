import { createReadStream, readFileSync, statSync } from 'node:fs'
import { dirname, parse } from 'node:path'
import { type ErrorKind, fileReason, FlagadmError, isAbsent } from '../errors.ts'
import type { Host } from '../host.ts'
import { resolve } from '../paths.ts'
import { closest } from './spelling.ts'

// Large batches, because the first one may be too small to be worth the proof that the rule is harmless.
const BATCH_BYTES = 256 * 1024
export const MAX_BYTES = 16 * 1024 * 1024
const MAX_LINE_LENGTH = 10_000
// A line with more bytes is too long in any case: UTF-8 has at most three for each UTF-16 unit.
const MAX_LINE_BYTES = 3 * MAX_LINE_LENGTH

/** Reads files and standard input for the options of one run. */
export interface Inputs {
  /**
   * The text of a file, or of standard input for `-`.
   * @param option the option that specifies the file, for errors
   * @param kind the kind of error to throw if it cannot be read
   * @param shown what to call the file in errors, by default its path
   */
  read(path: string, option: string, kind: ErrorKind, shown?: string): Promise<string>
  /** The names in a list, in batches: one per line, without empty lines and `#` comments. */
  names(path: string, option: string): AsyncGenerator<NameBatch>
}

type Bytes = AsyncIterable<Uint8Array | string>

/** Reads a whole stream up to the size limit, because it may be endless. */
async function readAll(stream: Bytes, name: string, kind: ErrorKind): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_BYTES) {
      throw new FlagadmError(kind, `${name} is larger than ${MAX_BYTES / 1024 / 1024} MiB`, {
        hint: 'check the path',
      })
    }
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/**
 * Reads a file, a pipe or a device up to the size limit.
 * @param name what to call it in errors
 * @throws an error of this kind if the file is too large, or the system's error
 */
export async function readWithin(path: string, name: string, kind: ErrorKind): Promise<Buffer> {
  const stats = statSync(path)
  // Everything else may be endless, but reading it in pieces takes ten times as long.
  const isOrdinary = stats.isFile() && stats.size > 0 && stats.size <= MAX_BYTES
  return isOrdinary ? readFileSync(path) : readAll(createReadStream(path), name, kind)
}

/**
 * Decodes UTF-8. Refuses other encodings, because the text would be garbled.
 * @param keepMark whether to keep a byte order mark, which is dropped at the start of a file
 */
function decode(bytes: Uint8Array, name: string, kind: ErrorKind, keepMark = false): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepMark }).decode(bytes)
  } catch (cause) {
    throw new FlagadmError(kind, `${name} is not UTF-8`, { hint: 'save it as UTF-8', cause })
  }
}

/** Some of the names in a list. */
interface NameBatch {
  names: string[]
  /** The line of the name with this index. */
  lineOf(index: number): number
}

// A line that is not just a name: empty, a comment, or with spaces around the name.
const OTHER_LINE = /^(?:\s|#|$)|\n[\s#]|\s(?:\n|$)/

/** @param name what to call the list in errors */
async function* namesIn(stream: Bytes, name: string): AsyncGenerator<NameBatch> {
  let rest = Buffer.alloc(0)
  let before = 0
  const refuseLong = (line: number): never => {
    const what = `line ${line} of ${name} is longer than ${MAX_LINE_LENGTH} characters`
    throw new FlagadmError('usage', what, { hint: 'write one name per line' })
  }
  // Whole lines are decoded at once, because decoding a stream takes twice as long.
  const batchIn = (bytes: Uint8Array): NameBatch => {
    const text = decode(bytes, name, 'usage', before > 0)
    const lines = text.split('\n')
    const first = before + 1
    before += lines.length
    const long = lines.findIndex((line) => line.length > MAX_LINE_LENGTH)
    if (long !== -1) refuseLong(first + long)
    // Most lists contain only names.
    if (!OTHER_LINE.test(text)) return { names: lines, lineOf: (index) => first + index }
    const names: string[] = []
    const numbers: number[] = []
    lines.forEach((line, index) => {
      const name = line.trim()
      if (name === '' || name.startsWith('#')) return
      names.push(name)
      numbers.push(first + index)
    })
    return { names, lineOf: (index) => numbers[index] ?? first }
  }
  for await (const chunk of stream) {
    const bytes = Buffer.concat([rest, typeof chunk === 'string' ? Buffer.from(chunk) : chunk])
    const end = bytes.lastIndexOf('\n')
    rest = bytes.subarray(end + 1)
    if (end >= 0) yield batchIn(bytes.subarray(0, end))
    if (rest.length > MAX_LINE_BYTES) refuseLong(before + 1)
  }
  if (rest.length > 0) yield batchIn(rest)
}

/** A file in the folder of a path with the same ending and a similar name. */
async function similarPath(path: string, cwd: string): Promise<string | undefined> {
  const { base, name, ext } = parse(path)
  const { readdir } = await import('node:fs/promises')
  const files = await readdir(resolve(cwd, dirname(path))).catch(() => [])
  // A name that is not UTF-8 is not found, although it looks like the one that was given.
  const others = files.filter((file) => file !== base)
  const alike = others.map((file) => parse(file)).filter((file) => file.ext === ext)
  const meant = closest(
    name,
    alike.map((file) => file.name),
  )
  return meant === undefined ? undefined : path.slice(0, path.length - base.length) + meant + ext
}

/** The error for a file that cannot be read. */
async function unreadable(
  path: string,
  what: string,
  kind: ErrorKind,
  cwd: string,
  cause: unknown,
): Promise<FlagadmError> {
  if (cause instanceof FlagadmError) return cause
  const meant = isAbsent(cause) ? await similarPath(path, cwd) : undefined
  const hint = meant === undefined ? 'check the path' : `did you mean '${meant}'?`
  return new FlagadmError(kind, `${what}: ${fileReason(cause)}`, { hint, cause })
}

/** The name of an input in errors. */
export function inputName(path: string): string {
  return path === '-' ? 'standard input' : path
}

/** The inputs of one run. Only one option can read standard input. */
export function createInputs(host: Host): Inputs {
  let reader: string | undefined
  const standardInput = (option: string): Bytes => {
    if (reader) {
      throw new FlagadmError('usage', `${reader} and ${option} both read standard input`, {
        hint: 'read one of them from a file',
      })
    }
    reader = option
    return host.stdin
  }
  return {
    async read(path, option, kind, shown = path) {
      if (path === '-') {
        const bytes = await readAll(standardInput(option), 'standard input', kind)
        return decode(bytes, 'standard input', kind)
      }
      try {
        const bytes = await readWithin(resolve(host.cwd, path), `${option}: ${shown}`, kind)
        return decode(bytes, shown, kind)
      } catch (cause) {
        throw await unreadable(path, `${option}: cannot read ${shown}`, kind, host.cwd, cause)
      }
    },
    async *names(path, option) {
      if (path === '-') return yield* namesIn(standardInput(option), 'standard input')
      try {
        const stream = createReadStream(resolve(host.cwd, path), { highWaterMark: BATCH_BYTES })
        yield* namesIn(stream, path)
      } catch (cause) {
        throw await unreadable(path, `${option}: cannot read ${path}`, 'usage', host.cwd, cause)
      }
    },
  }
}
