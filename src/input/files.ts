import { createReadStream, readFileSync, statSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { type ErrorKind, fileReason, FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'

// Read large batches, since checking each one starts a time limit.
const BATCH_BYTES = 256 * 1024
export const MAX_BYTES = 16 * 1024 * 1024
const MAX_LINE_LENGTH = 10_000

/** A path as reports show it: from the working directory, with `/`. */
export function shortPath(path: string, cwd: string): string {
  return relative(cwd, resolve(cwd, path)).split(sep).join('/')
}

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

/** Reads a whole stream up to the size limit, since it may be endless. */
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

/** Decodes UTF-8 without a byte order mark. Refuses other encodings, since the text would be garbled. */
function decoderOf(name: string, kind: ErrorKind): (bytes: Uint8Array, more: boolean) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (bytes, more) => {
    try {
      return decoder.decode(bytes, { stream: more })
    } catch (cause) {
      throw new FlagadmError(kind, `${name} is not UTF-8`, { hint: 'save it as UTF-8', cause })
    }
  }
}

/** Some of the names in a list. */
export interface NameBatch {
  names: string[]
  /** The line of the name with this index. */
  lineOf(index: number): number
}

// A line that is not just a name: empty, a comment, or with spaces around the name.
const OTHER_LINE = /^(?:\s|#|$)|\s$/m

function refuseLongLine(lines: readonly string[], before: number, name: string): void {
  const long = lines.findIndex((line) => line.length > MAX_LINE_LENGTH)
  if (long < 0) return
  const what = `line ${before + long + 1} of ${name} is longer than ${MAX_LINE_LENGTH} characters`
  throw new FlagadmError('usage', what, { hint: 'write one name per line' })
}

function batchOf(text: string, before: number, name: string): NameBatch {
  const lines = text.split('\n')
  refuseLongLine(lines, before, name)
  // Most lists contain only names, and a second pass over a million lines is slow.
  if (!OTHER_LINE.test(text)) return { names: lines, lineOf: (index) => before + index + 1 }
  const kept = lines
    .map((line, index) => ({ name: line.trim(), line: before + index + 1 }))
    .filter(({ name }) => name !== '' && !name.startsWith('#'))
  return { names: kept.map(({ name }) => name), lineOf: (index) => kept[index]?.line ?? before }
}

/** @param name what to call the list in errors */
async function* namesIn(stream: Bytes, name: string): AsyncGenerator<NameBatch> {
  const decode = decoderOf(name, 'usage')
  let [rest, lines] = ['', 0]
  for await (const chunk of stream) {
    const text = rest + decode(Buffer.from(chunk), true)
    const end = text.lastIndexOf('\n')
    rest = text.slice(end + 1)
    if (end >= 0) yield batchOf(text.slice(0, end), lines, name)
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
    refuseLongLine([rest], lines, name)
  }
  rest += decode(new Uint8Array(), false)
  if (rest !== '') yield batchOf(rest, lines, name)
}

function unreadable(name: string, option: string, kind: ErrorKind, cause: unknown): FlagadmError {
  const what = `${option}: cannot read ${name}: ${fileReason(cause)}`
  return new FlagadmError(kind, what, { hint: 'check the path', cause })
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
        return decoderOf('standard input', kind)(bytes, false)
      }
      try {
        const bytes = await readWithin(resolve(host.cwd, path), `${option}: ${shown}`, kind)
        return decoderOf(shown, kind)(bytes, false)
      } catch (cause) {
        if (cause instanceof FlagadmError) throw cause
        throw unreadable(shown, option, kind, cause)
      }
    },
    async *names(path, option) {
      if (path === '-') return yield* namesIn(standardInput(option), 'standard input')
      try {
        const stream = createReadStream(resolve(host.cwd, path), { highWaterMark: BATCH_BYTES })
        yield* namesIn(stream, path)
      } catch (cause) {
        if (cause instanceof FlagadmError) throw cause
        throw unreadable(path, option, 'usage', cause)
      }
    },
  }
}
