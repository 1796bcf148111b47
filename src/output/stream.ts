import { fileReason, FlagadmError, systemCode } from '../errors.ts'
import type { OutputStream } from '../host.ts'
import type { Redactor } from '../redact.ts'

/**
 * Writes text that is already safe to print and waits until it is written. Returns false once the
 * other end of a pipe has closed (`| head`); all further text is dropped.
 */
export type Write = (text: string) => Promise<boolean>

/**
 * A writer to a stream. It masks secrets once more, in case text was written without being masked.
 * @throws an `unexpected` error when the text cannot be written, for example because the disk is full
 */
export function createWriter(stream: OutputStream, { redact }: Redactor): Write {
  let open = true
  return (text) =>
    new Promise((fulfil, reject) => {
      if (!open) return fulfil(false)
      stream.write(redact(text), (error) => {
        if (error && systemCode(error) !== 'EPIPE') {
          const what = `the output cannot be written: ${fileReason(error)}`
          return reject(new FlagadmError('unexpected', what, { hint: 'the output is incomplete' }))
        }
        if (error) open = false
        fulfil(open)
      })
    })
}

/** The size of a terminal; one that reports none, or 0×0, counts as 80×24. */
export function terminalSize({ columns, rows }: OutputStream): { columns: number; rows: number } {
  return { columns: columns || 80, rows: rows || 24 }
}
