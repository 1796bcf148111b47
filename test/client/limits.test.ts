import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { serve } from '../support/server.ts'

const usage = ['feature', 'usage', 'f', '-o', 'jsonl']

/** Runs a command against a service that returns a compressed body. */
async function respondWith(text: string, status = 200, argv: readonly string[] = usage) {
  const body = gzipSync(text)
  const { url } = await serve((response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .end(body),
  )
  const { code, stdout, stderr } = await flagadm(argv, { env: environment(url) })
  const address = `${url}/api/admin/client-metrics/features/f`
  const line = stderr.replaceAll(address, 'S').replaceAll(url, 'S').split('\n')[0]
  return { code, stdout, stderr: line?.replace('error: f: ', 'error: ') }
}

const row = (fields: string) => `{"lastHourUsage":[{${fields}}]}`
const unknown = (value: string) => `{"lastHourUsage":[],"unknown":${value}}`
const list = (count: number, item: string) => `[${`${item},`.repeat(count - 1)}${item}]`
const long = 'a'.repeat(10_001)
const wrong = 'JSON of the wrong shape'
const tooLong = 'a name of more than 10,000 characters'

describe('a document is refused for', () => {
  test.each([
    [
      'a count of 1,000 digits',
      row(`"yes":${'1'.repeat(1000)}`),
      `${wrong} (lastHourUsage[0].yes: expected an integer)`,
    ],
    [
      'too many rows',
      `{"lastHourUsage":${list(200_001, '{}')}}`,
      'a list of more than 200,000 rows',
    ],
    [
      'too many rows outside of a usage document',
      list(5_000_000, '{}'),
      'a list of more than 200,000 rows',
    ],
    [
      'too many variants',
      row(`"variants":{${Array.from({ length: 200_001 }, (_, n) => `"${n}":1`).join(',')}}`),
      'a list of more than 200,000 rows',
    ],
    [
      'too many values',
      unknown(`[${list(20, list(199_000, ''))},${list(15_000, '[]')}]`),
      'more than 4,000,000 values',
    ],
    [
      'nesting that is too deep',
      unknown('['.repeat(1001) + ']'.repeat(1001)),
      'more than 1,000 nested values',
    ],
    ['nesting without an end', '['.repeat(20_000_000), 'more than 1,000 nested values'],
    [
      'an application name that is too long',
      row(`"appName":"${long}"`),
      `${wrong} (lastHourUsage[0].appName: ${tooLong})`,
    ],
    [
      'a variant name that is too long',
      row(`"variants":{"a":1,"${long}":1}`),
      `${wrong} (lastHourUsage[0].variants: ${tooLong})`,
    ],
    [
      'an application in seenApplications that is too long',
      `{"lastHourUsage":[],"seenApplications":["${long}"]}`,
      `${wrong} (seenApplications[0]: ${tooLong})`,
    ],
  ])('%s', async (_what, text, problem) => {
    const { code, stdout, stderr } = await respondWith(text)
    expect([code, stdout, stderr]).toEqual([8, '', `error: S returned ${problem}`])
  })
})

describe('a document is read despite', () => {
  const name = 'a'.repeat(10_000)
  test.each([
    ['a name of 10,000 characters', row(`"appName":"${name}"`), `"application":"${name}",`],
    ['a variant of 10,000 characters', row(`"variants":{"${name}":1}`), `"variants":{"${name}":1}`],
  ])('%s', async (_what, text, part) => {
    const { code, stdout } = await respondWith(text)
    expect(code).toBe(0)
    expect(stdout).toContain(part)
  })

  test.each([
    ['a list of 200,000 values', list(200_000, '0')],
    ['1,000 nested values', '['.repeat(999) + ']'.repeat(999)],
    ['a run of blanks', `[${' \n'.repeat(200_000)}]`],
  ])('%s', async (_what, value) => {
    const { code, stdout } = await respondWith(unknown(value), 200, [
      ...usage.slice(0, 3),
      '--json',
    ])
    expect([code, JSON.parse(stdout)]).toEqual([0, JSON.parse(unknown(value))])
  })

  test('a document of 100,000 records', async () => {
    const record = (n: number) => row(`"appName":"app-${n}","yes":1`).slice(18, -2)
    const records = Array.from({ length: 100_000 }, (_, n) => record(n))
    const { code, stdout } = await respondWith(`{"lastHourUsage":[${records.join(',')}]}`)
    expect([code, stdout.match(/"enabled":1,/g)?.length]).toEqual([0, 100_000])
  })
})

test('an unterminated text with 100,000 escapes is malformed JSON', async () => {
  const { code, stderr } = await respondWith(`{"a":"${'\\"'.repeat(100_000)}`)
  expect([code, stderr]).toEqual([8, 'error: S returned JSON that is malformed or cut off'])
})

test('an error body that is too large is not parsed', async () => {
  const text = `{"message":"m","details":${list(500_000, '{}')}}`
  const { code, stderr } = await respondWith(text, 400)
  expect([code, stderr]).toEqual([7, 'error: 400: no error message from S (application/json)'])
})
