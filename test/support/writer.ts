import { PassThrough } from 'node:stream'
import { createWriter, type Writer } from '../../src/output/text.ts'
import { createRedactor } from '../../src/output/redact.ts'

/**
 * A writer that knows no secrets, and what it has written.
 * @param columns of a terminal; by default it is a pipe
 */
export function openWriter(columns?: number): { out: Writer; written: () => string } {
  const stream = new PassThrough({ encoding: 'utf8' })
  const terminal = columns === undefined ? {} : { isTTY: true, columns }
  const out = createWriter(Object.assign(stream, terminal), createRedactor())
  return { out, written: () => stream.read() ?? '' }
}
