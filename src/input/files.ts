import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type ErrorKind, FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import { fileReason } from '../system.ts'

/** Reads files and standard input for the options of one run. */
export interface Inputs {
  /**
   * The text of a file, or of standard input for `-`.
   * @param option the option that names it, for errors
   * @param kind the kind of error to throw when it cannot be read
   */
  read(path: string, option: string, kind: ErrorKind): Promise<string>
}

async function readAll(stream: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Inputs that remember who read standard input: it can be read once. */
export function createInputs(host: Host): Inputs {
  let reader: string | undefined
  return {
    async read(path, option, kind) {
      if (path !== '-') {
        try {
          return withoutByteOrderMark(await readFile(resolve(host.cwd, path), 'utf8'))
        } catch (error) {
          throw new FlagadmError(kind, `${option}: cannot read ${path}: ${fileReason(error)}`, {
            hint: 'check the path',
            cause: error,
          })
        }
      }
      if (reader) {
        throw new FlagadmError('usage', `${reader} and ${option} both read standard input`, {
          hint: 'give one of them a file',
        })
      }
      reader = option
      return withoutByteOrderMark(await readAll(host.stdin))
    },
  }
}
