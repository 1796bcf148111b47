import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { usageFormats } from '../../src/commands/usage-report.ts'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'
import { hostileText, KEY } from './hostile.ts'
import { expectSound, type Kind } from './sound.ts'

const reading = fc
  .tuple(fc.constantFrom(['f'], ['f', 'g'], ['a', 'b', 'c', 'd']), fc.constantFrom(...usageFormats))
  .map(([names, format]) => ['feature', 'usage', ...names, '-o', format])
const writing = fc.constantFrom(
  ['project', 'settings', 'set', 'p', '--mode', 'open'],
  ['project', 'settings', 'set', 'p', '--mode', 'open', '--json'],
)
const command = fc.oneof(reading, writing)
const options = fc.constantFrom([], [], ['--verbose'], ['--quiet'])

const status = fc.oneof(
  fc.constantFrom(...[201, 204, 205, 301, 302, 304, 400, 401, 403, 404, 408, 415, 429, 500, 503]),
  fc.integer({ min: 200, max: 599 }),
)

/** A service whose answer to everything can be set, and a run against it. */
async function talker() {
  let answer: (response: ServerResponse) => void = () => {}
  const { url } = await serve((response) => answer(response))
  return async (argv: readonly string[], reply: typeof answer, columns?: number) => {
    answer = reply
    const outcome = await flagadm([...argv, '--no-color'], {
      env: environment(url, KEY),
      clock: patientClock().clock,
      ...(columns !== undefined && { columns }),
    })
    const kinds: Record<string, Kind> = { csv: 'csv', json: 'json' }
    expectSound(outcome, kinds[argv[argv.indexOf('-o') + 1] ?? ''])
    return outcome
  }
}

test('any text may stand in every field of a usage document', async () => {
  const talk = await talker()
  const texts = fc.record({
    maturity: hostileText,
    featureName: hostileText,
    application: hostileText,
    environment: hostileText,
    timestamp: hostileText,
    variant: hostileText,
    other: hostileText,
  })
  const width = fc.constantFrom(undefined, 20, 80)
  await fc.assert(
    fc.asyncProperty(reading, texts, width, async (argv, text, columns) => {
      const record = {
        featureName: text.featureName,
        appName: text.application,
        environment: text.environment,
        timestamp: text.timestamp,
        yes: 2,
        no: 1,
        variants: { [text.variant]: 1, [text.other]: 1 },
      }
      const document = {
        version: 1,
        maturity: text.maturity,
        featureName: text.featureName,
        lastHourUsage: [record, { appName: text.other }],
        seenApplications: [text.application, text.other],
        [text.other]: text.other,
      }
      const { code } = await talk(argv, (response) => json(response, 200, document), columns)
      expect(code).toBe(0)
    }),
  )
})

test('any text may stand in every field of an error', async () => {
  const talk = await talker()
  const texts = fc.record({
    name: hostileText,
    message: hostileText,
    id: hostileText,
    detail: hostileText,
    other: hostileText,
  })
  await fc.assert(
    fc.asyncProperty(command, options, status, texts, async (argv, more, code, text) => {
      const { name, message, id, detail, other } = text
      const body = { name, message, id, details: [detail, { message: other }, { [other]: detail }] }
      await talk([...argv, ...more], (response) => json(response, code, body))
    }),
  )
})

test('any bytes may stand in the head of an answer', async () => {
  const talk = await talker()
  const line = hostileText.map((text) => text.replace(/[\r\n]/g, ' '))
  const headers = fc.record({
    location: line,
    type: fc.oneof(line, fc.constant('application/json')),
    wait: fc.oneof(line, fc.constantFrom('1', '99999999999999999999', '-1', '2026-11-20')),
    encoding: fc.oneof(line, fc.constantFrom('', '', 'gzip', 'br', 'deflate', 'GZIP, br')),
    other: line,
  })
  const body = fc.constantFrom('', 'hello', '{"lastHourUsage":[]}', '\x1f\x8b\x08')
  await fc.assert(
    fc.asyncProperty(
      ...[command, options, status, line, headers, body],
      async (argv, more, code, reason, { location, type, wait, encoding, other }, text) => {
        const head = [
          `HTTP/1.1 ${code} ${reason}`,
          `Location: ${location}`,
          `Content-Type: ${type}`,
          `Retry-After: ${wait}`,
          ...(encoding === '' ? [] : [`Content-Encoding: ${encoding}`]),
          `X-${other}: ${other}`,
          'Connection: close',
        ]
        const answer = `${head.join('\r\n')}\r\n\r\n${text}`
        await talk([...argv, ...more], ({ socket }) => socket?.end(answer))
      },
    ),
  )
})

test('a redirect to any place is told and not followed', async () => {
  const talk = await talker()
  const place = fc
    .tuple(fc.constantFrom('', '/', 'https://', 'http://me:x@', '//', 'javascript:'), hostileText)
    .map(([start, text]) => start + text.replace(/[\0\r\n]/g, ''))
  await fc.assert(
    fc.asyncProperty(command, place, async (argv, location) => {
      const head = `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nConnection: close\r\n\r\n`
      const { code } = await talk(argv, ({ socket }) => socket?.end(head))
      expect([8, 10]).toContain(code)
    }),
  )
})
