import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createSink } from '../../src/old/output/stream.ts'
import { safe } from '../../src/old/output/text.ts'

/** A stream that fails with the code of a system call, as a file or a pipe does. */
function failing(code: string): Writable {
  const stream = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write'), { code })),
  })
  return stream.on('error', () => {})
}

test('a write resolves once the text is written', async () => {
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
  expect(await createSink(stream).write(safe`text\n`)).toBe(true)
  expect(out).toBe('text\n')
})

test('returns false for a closed pipe and writes nothing more to it', async () => {
  let writes = 0
  const stream = {
    write: (_text: string, done: (error: Error) => void) => {
      writes++
      done(Object.assign(new Error('write'), { code: 'EPIPE' }))
    },
  }
  const { write } = createSink(stream)
  expect([await write(safe`one`), await write(safe`two`), writes]).toEqual([false, false, 1])
})

test.each([
  ['ENOSPC', 'the disk is full'],
  ['EIO', 'EIO'],
])('a failure %s is reported', async (code, reason) => {
  await expect(createSink(failing(code)).write(safe`text`)).rejects.toMatchObject({
    kind: 'unexpected',
    message: `the output cannot be written: ${reason}`,
    hint: 'the output is incomplete',
  })
})

test.each([
  [{}, { columns: 80 }],
  [{ columns: 0 }, { columns: 80 }],
  [{ columns: 120 }, { columns: 120 }],
])('a terminal that reports %j has %j', (reported, size) => {
  expect(createSink(Object.assign(failing('EIO'), reported)).size()).toEqual(size)
})
