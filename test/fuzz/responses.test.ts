import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { loadCommands } from '../support/program.ts'
import { cases, documentFor } from '../support/operations.ts'
import { json, type Received, serve } from '../support/server.ts'
import { hostileText, KEY } from './hostile.ts'
import { jsonText } from './json.ts'
import { expectSound, type Kind } from './sound.ts'

const { all } = await loadCommands()
const { formats = [] } = all.find(({ path }) => path === 'flagadm feature usage') ?? {}

const reading = fc
  .tuple(fc.constantFrom(['f'], ['f', 'g'], ['a', 'b', 'c', 'd']), fc.constantFrom(...formats))
  .map(([names, format]) => ['feature', 'usage', ...names, '-o', format])
const calling = fc
  .tuple(fc.constantFrom(...cases.map(([, fixture]) => fixture)), fc.constantFrom([], ['--json']))
  .map(([{ argv }, format]) => [...argv, ...format])
const command = fc.oneof(reading, calling)
const options = fc.constantFrom([], [], ['--verbose'], ['--quiet'])

const status = fc.oneof(
  fc.constantFrom(...[201, 204, 205, 301, 302, 304, 400, 401, 403, 404, 408, 415, 429, 500, 503]),
  fc.integer({ min: 200, max: 599 }),
)

/** A function that runs flagadm against a service that responds as given. */
async function talker() {
  let respond: (response: ServerResponse, request: Received) => void = () => {}
  const { url } = await serve((response, request) => respond(response, request))
  return async (argv: readonly string[], reply: typeof respond, columns?: number) => {
    respond = reply
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

test('every field of a usage document may contain any text', async () => {
  const talk = await talker()
  const texts = fc.record({
    maturity: hostileText,
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
        lastHourUsage: [record, { appName: text.other }],
        seenApplications: [text.application, text.other],
        [text.other]: text.other,
      }
      const { code } = await talk(argv, (response) => json(response, 200, document), columns)
      expect(code).toBe(0)
    }),
  )
})

test('every field of an error may contain any text', async () => {
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

test('the head of a response may contain any bytes', async () => {
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
        const bytes = `${head.join('\r\n')}\r\n\r\n${text}`
        await talk([...argv, ...more], ({ socket }) => socket?.end(bytes))
      },
    ),
  )
})

/** The document with one of its values replaced by any JSON. */
function damaged(document: object): fc.Arbitrary<string> {
  const text = JSON.stringify(document)
  const values = [...text.matchAll(/(?<=[:[,])(?:"[^"]*"|\d+)(?=[\]},])/g)]
  return fc.tuple(fc.constantFrom(...values), jsonText).map(([value, damage]) => {
    const end = value.index + value[0].length
    return text.slice(0, value.index) + damage + text.slice(end)
  })
}

const documents = cases.flatMap(([name, { argv, document, request }]) =>
  document ? [[name, argv, document, request] as const] : [],
)

test.each(documents)(
  'the operation %s accepts or refuses a document with any value',
  async (_name, argv, document, request) => {
    const talk = await talker()
    await fc.assert(
      fc.asyncProperty(damaged(document), async (text) => {
        await talk(argv, (response, { method, url }) =>
          json(response, 200, url === request.path ? text : documentFor(method, url)),
        )
      }),
    )
  },
)
