import { FlagadmError } from '../errors.ts'
import type { OutputStream } from '../host.ts'
import { fileReason, systemCode } from '../system.ts'
import type { Redactor } from './redact.ts'

/** Writes text that is already safe to print; fulfils once it is out. */
export type Write = (text: string) => Promise<void>

/** The reader closed our output (`| head`): the run ends quietly. */
export class ClosedOutput extends Error {}

/**
 * A writer to a stream. It masks secrets once more, in case a text was written without being masked.
 * @throws ClosedOutput when the reader has gone, an `unexpected` error when the disk is full
 */
export function createWriter(stream: OutputStream, { redact }: Redactor): Write {
  return (text) =>
    new Promise((fulfil, reject) => {
      stream.write(redact(text), (error) => {
        if (!error) return fulfil()
        if (systemCode(error) === 'EPIPE') return reject(new ClosedOutput())
        const what = `the output cannot be written: ${fileReason(error)}`
        reject(new FlagadmError('unexpected', what, { hint: 'the output is not complete' }))
      })
    })
}
