import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createTurns } from '../../src/service/fetch.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'
import { turns } from '../support/turns.ts'

const MIB = 1024 * 1024

/** A usage document of this many bytes. */
function documentOf(bytes: number): string {
  const [start, end] = ['{"lastHourUsage":[],"unknown":"', '"}']
  return start.padEnd(bytes - end.length, 'a') + end
}

test('a body of 32 MiB is read', async () => {
  const server = await serve((response) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': ' GZIP' })
      .end(gzipSync(documentOf(32 * MIB))),
  )
  const { code, stderr } = await flagadm(['feature', 'usage', 'f'], {
    env: environment(server.url),
  })
  expect([code, stderr]).toEqual([0, ''])
})

test('large bodies of concurrent requests are all read', async () => {
  const text = documentOf(3 * MIB)
  const server = await serve((response) => json(response, 200, text))
  const argv = ['feature', 'usage', 'a', 'b', 'c', 'd', 'e', '--json']
  const { code, stdout } = await flagadm(argv, { env: environment(server.url) })
  expect([code, stdout]).toEqual([0, `${text}\n`.repeat(5)])
})

/**
 * Reads three flags, two at once. The body for `a` is large and ends when the test ends it. The
 * body for `b` is sent when most of that has been read, and `c` is requested when it is complete.
 */
async function whileReading(
  bytesOfB: number,
  onRequest: (flag: 'b' | 'c', endA: () => void) => Promise<void>,
) {
  const large = documentOf(16 * MIB)
  let answerB = () => {}
  const wasRead = new Promise<void>((fulfil) => {
    answerB = fulfil
  })
  let first: ServerResponse | undefined
  const endA = () => first?.end(large.slice(-1))
  const server = await serve(async (response, { url }) => {
    if (url.endsWith('/a')) {
      first = response.writeHead(200, { 'Content-Type': 'application/json' })
      // More than the buffers between server and client hold.
      return first.write(large.slice(0, -1), answerB)
    }
    await wasRead
    const flag = url.endsWith('/b') ? 'b' : 'c'
    json(response, 200, documentOf(flag === 'b' ? bytesOfB : 100))
    return onRequest(flag, endA)
  })
  const argv = ['feature', 'usage', 'b', 'a', 'c', '--concurrency', '2', '--retries', '0']
  return flagadm(argv, { env: environment(server.url) })
}

test('a small body does not wait for a large one', async () => {
  const { code, stderr } = await whileReading(MIB, async (flag, endA) => {
    if (flag === 'c') endA()
  })
  expect([code, stderr]).toEqual([0, ''])
})

test('a large body waits for another one', async () => {
  const events: string[] = []
  const { code } = await whileReading(2 * MIB, async (flag, endA) => {
    events.push(`${flag} is sent`)
    if (flag === 'c') return
    await turns()
    events.push('a ends')
    endA()
  })
  expect([code, events]).toEqual([0, ['b is sent', 'a ends', 'c is sent']])
})

test('large bodies are read one at a time, in order of arrival', async () => {
  const takeTurn = createTurns()
  const { signal } = new AbortController()
  const order: string[] = []
  const take = async (name: string) => {
    const end = await takeTurn(signal)
    order.push(`${name} begins`)
    await new Promise(setImmediate)
    order.push(`${name} ends`)
    end()
  }
  await Promise.all([take('a'), take('b'), take('c')])
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('an aborted request stops waiting for its turn and does not block others', async () => {
  const takeTurn = createTurns()
  const [patient, impatient] = [new AbortController(), new AbortController()]
  const end = await takeTurn(patient.signal)
  const waiting = takeTurn(impatient.signal)
  const next = takeTurn(patient.signal)
  impatient.abort(new Error('too late'))
  await expect(waiting).rejects.toThrow('too late')
  await expect(takeTurn(impatient.signal)).rejects.toThrow('too late')
  end()
  expect(await next).toBeTypeOf('function')
})
