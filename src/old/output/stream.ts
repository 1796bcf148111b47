import { fileReason, FlagadmError, systemCode } from '../../errors.ts'
import type { OutputStream } from '../../host.ts'
import type { Safe } from './text.ts'

/**
 * Writes text and waits until it is written. Returns false once the other end of a pipe has closed
 * (`| head`); all further text is dropped.
 * @throws an `unexpected` error when the text cannot be written, for example because the disk is full
 */
export type Write = (text: Safe) => Promise<boolean>

/** A stream that accepts only safe text, and its size if it is a terminal. */
export interface Sink {
  write: Write
  /** Writes without waiting, for example a message; failures are ignored. */
  show(text: Safe): void
  isTTY: boolean
  /** Whether it is a terminal on which text can be replaced. */
  movesCursor: boolean
  /** The size of the terminal; one that reports none, or 0, counts as 80 columns. */
  size(): { columns: number }
}

/** @param term the variable `TERM` */
export function createSink(stream: OutputStream, term?: string): Sink {
  let open = true
  return {
    write: (text) =>
      new Promise((fulfil, reject) => {
        if (!open) return fulfil(false)
        stream.write(text, (error) => {
          if (error && systemCode(error) !== 'EPIPE') {
            const what = `the output cannot be written: ${fileReason(error)}`
            return reject(
              new FlagadmError('unexpected', what, { hint: 'the output is incomplete' }),
            )
          }
          if (error) open = false
          fulfil(open)
        })
      }),
    show: (text) => void stream.write(text, () => {}),
    isTTY: stream.isTTY === true,
    movesCursor: stream.isTTY === true && term !== 'dumb',
    size: () => ({ columns: stream.columns || 80 }),
  }
}
