import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { serve } from '../support/server.ts'

const raw = ['feature', 'usage', 'f']
const usage = [...raw, '-o', 'jsonl']
const MIB = 1024 * 1024

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
  const [line = ''] = stderr.replaceAll(address, 'S').replaceAll(url, 'S').split('\n')
  return { code, stdout, stderr: line.replace('error: f: ', 'error: ') }
}

const row = (fields: string) => `{"lastHourUsage":[{${fields}}]}`
const unknown = (value: string) => `{"lastHourUsage":[],"unknown":${value}}`
const list = (count: number, item: string) => `[${`${item},`.repeat(count - 1)}${item}]`
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const long = 'a'.repeat(10_001)
const wrong = 'JSON of the wrong shape'
const tooLong = 'a name of more than 10,000 characters'
const tooMany = 'a list of more than 200,000 rows'
const variants = Array.from({ length: 200_001 }, (_, n) => `"${n}":1`).join(',')

describe('a document is refused for', () => {
  it.each([
    [
      'too many rows',
      `{"lastHourUsage":${list(200_001, '{}')}}`,
      `${wrong} (lastHourUsage: ${tooMany})`,
    ],
    [
      'too many variants',
      row(`"variants":{${variants}}`),
      `${wrong} (lastHourUsage[0].variants: ${tooMany})`,
    ],
    ['nesting without an end', '['.repeat(20_000_000), 'JSON with more than 100 levels'],
    ['more levels than documents have', unknown(nested(100)), 'JSON with more than 100 levels'],
    [
      'an application name that is too long',
      row(`"appName":"${long}"`),
      `${wrong} (lastHourUsage[0].appName: ${tooLong})`,
    ],
    [
      'an unterminated text with escapes',
      `{"a":"${'\\"'.repeat(100_000)}`,
      'JSON that is malformed or cut off',
    ],
  ])('%s', async (_what, text, problem) => {
    const { code, stdout, stderr } = await respondWith(text)
    expect({ code, stdout, stderr }).toEqual({
      code: 8,
      stdout: '',
      stderr: `error: S returned ${problem}`,
    })
  })
})

describe('a document is read with', () => {
  const name = 'a'.repeat(10_000)
  const records = Array.from({ length: 100_000 }, (_, n) => `{"appName":"app-${n}","yes":1}`)
  const start = '{"lastHourUsage":[],"unknown":"'
  const end = '"}'

  it.each([
    ['long names', row(`"appName":"${name}","variants":{"${name}":1}`)],
    ['100 levels', unknown(nested(99))],
    ['brackets in texts', unknown(`"${'[{\\"'.repeat(1000)}"`)],
    ['100,000 records', `{"lastHourUsage":[${records.join(',')}]}`],
    ['32 MiB', start.padEnd(32 * MIB - end.length, 'a') + end],
  ])('%s', async (_what, text) => {
    const { code, stdout } = await respondWith(text, 200, [...raw, '--json'])
    // Not `toBe`, because a difference of 32 MiB would take minutes to print.
    expect([code, stdout === `${text}\n`]).toEqual([0, true])
  })

  it('3 MiB in each of several requests', async () => {
    const text = start.padEnd(3 * MIB - end.length, 'a') + end
    const argv = [...raw, 'a', 'b', 'c', 'd', '--json']
    const { code, stdout } = await respondWith(text, 200, argv)
    expect([code, stdout === `${text}\n`.repeat(5)]).toEqual([0, true])
  })
})
