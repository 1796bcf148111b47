import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createRedactor } from '../../src/redact.ts'
import { createWriter, terminalSize } from '../../src/output/stream.ts'

/** A stream that fails with the code of a system call, as a file or a pipe does. */
function failing(code: string): Writable {
  const stream = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write'), { code })),
  })
  return stream.on('error', () => {})
}

test('the writer masks text, and resolves once the text is written', async () => {
  let out = ''
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      setTimeout(() => {
        out += chunk
        done()
      }, 10)
    },
  })
  const redactor = createRedactor()
  const write = createWriter(stream, redactor)
  redactor.add('some-secret')
  expect(await write('with some-secret\n')).toBe(true)
  expect(out).toBe('with [redacted]\n')
})

test('returns false for a closed pipe and writes nothing more to it', async () => {
  let writes = 0
  const stream = {
    write: (_text: string, done: (error: Error) => void) => {
      writes++
      done(Object.assign(new Error('write'), { code: 'EPIPE' }))
    },
  }
  const write = createWriter(stream, createRedactor())
  expect([await write('one'), await write('two'), writes]).toEqual([false, false, 1])
})

test.each([
  ['ENOSPC', 'the disk is full'],
  ['EIO', 'EIO'],
])('a failure %s is reported', async (code, reason) => {
  const write = createWriter(failing(code), createRedactor())
  await expect(write('text')).rejects.toMatchObject({
    kind: 'unexpected',
    message: `the output cannot be written: ${reason}`,
    hint: 'the output is incomplete',
  })
})

test.each([
  [{}, { columns: 80, rows: 24 }],
  [
    { columns: 0, rows: 0 },
    { columns: 80, rows: 24 },
  ],
  [
    { columns: 120, rows: 50 },
    { columns: 120, rows: 50 },
  ],
])('a terminal that reports %j has %j', (reported, size) => {
  expect(terminalSize(Object.assign(failing('EIO'), reported))).toEqual(size)
})
