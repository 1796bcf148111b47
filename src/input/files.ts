import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type ErrorKind, FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import { fileReason } from '../system.ts'

// Few large batches: whoever checks names pays for a time limit with each.
const BATCH_BYTES = 256 * 1024

/** Reads files and standard input for the options of one run. */
export interface Inputs {
  /**
   * The text of a file, or of standard input for `-`.
   * @param option the option that names it, for errors
   * @param kind the kind of error to throw when it cannot be read
   * @param shown what to call the file in errors, its path unless given
   */
  read(path: string, option: string, kind: ErrorKind, shown?: string): Promise<string>
  /** The names of a list, in batches: one per line, blank lines and `#` comments left out. */
  names(path: string, option: string): AsyncGenerator<NameBatch>
}

type Bytes = AsyncIterable<Uint8Array | string>

async function readAll(stream: Bytes): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** Decodes bytes, without a byte order mark. Other encodings would be passed on garbled: refused. */
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

/** Some names of a list. */
export interface NameBatch {
  names: string[]
  /** The line that the name with this index stands on. */
  lineOf(index: number): number
}

// A line that is not just a name: blank, a comment, or with blanks around it.
const OTHER_LINE = /^(?:\s|#|$)|\s$/m

function batchOf(text: string, before: number): NameBatch {
  const lines = text.split('\n')
  // Most lists hold nothing but names, and a million lines are not worth looking at twice.
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
    if (end < 0) continue
    yield batchOf(text.slice(0, end), lines)
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  }
  rest += decode(new Uint8Array(), false)
  if (rest !== '') yield batchOf(rest, lines)
}

function unreadable(name: string, option: string, kind: ErrorKind, cause: unknown): FlagadmError {
  const what = `${option}: cannot read ${name}: ${fileReason(cause)}`
  return new FlagadmError(kind, what, { hint: 'check the path', cause })
}

/** Inputs that remember who read standard input: it can be read once. */
export function createInputs(host: Host): Inputs {
  let reader: string | undefined
  const standardInput = (option: string): Bytes => {
    if (reader) {
      throw new FlagadmError('usage', `${reader} and ${option} both read standard input`, {
        hint: 'give one of them a file',
      })
    }
    reader = option
    return host.stdin
  }
  return {
    async read(path, option, kind, shown = path) {
      if (path === '-')
        return decoderOf('standard input', kind)(await readAll(standardInput(option)), false)
      try {
        return decoderOf(shown, kind)(await readFile(resolve(host.cwd, path)), false)
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
