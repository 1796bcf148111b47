import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { loadCommands } from '../support/program.ts'
import { cases, documentFor } from '../support/operations.ts'
import { anyJson, json, type Received, serve } from '../support/server.ts'
import { hostileText, KEY } from './hostile.ts'
import { almost, almostArray, almostMap, almostObject, anyString, jsonText } from './json.ts'
import { expectSound, kindOf } from './sound.ts'

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
    expectSound(outcome, kindOf(argv))
    return outcome
  }
}

const { all } = await loadCommands()
const featureUsage = all.find(({ path }) => path === 'flagadm feature usage')
const formats = featureUsage?.formats ?? []

/** An option of the command with any of its values, or nothing. */
function anyChoice(name: string): fc.Arbitrary<string[]> {
  const option = featureUsage?.command.options.find(({ long }) => long === name)
  const values = option?.argChoices ?? []
  return fc.constantFrom([], ...values.map((value) => [name, value]))
}

const names = fc.constantFrom(['f'], ['f', 'g'], ['a', 'b', 'c', 'd', 'e'])
const shaping = fc
  .tuple(
    anyChoice('--group-by'),
    fc.oneof(anyChoice('--sort'), fc.constant(['--reverse'])),
    fc.constantFrom([], ['--limit', '1'], ['--app', '*a*'], ['--used'], ['--unused']),
  )
  .map((options) => options.flat())

/** Command lines that read usage. */
const reading = fc
  .tuple(names, fc.constantFrom(...formats), shaping)
  .map(([given, format, options]) => {
    const shape = format === 'json' ? [] : options
    return ['feature', 'usage', ...given, '-o', format, ...shape]
  })

const count = fc.oneof(fc.nat().map(String), fc.constantFrom('0', '-1', '9007199254740993'))
const timestamp = fc.oneof(
  fc.date().map((date) => JSON.stringify(date)),
  fc.constantFrom('"2026-11-20T16:00:00.000Z"', '"+275760-09-13T00:00:00.001Z"', '"2026"'),
)
// Another name than the requested one is an error.
const featureName = fc.oneof(fc.constantFrom('null', '"f"', '""'), anyString)
const identity = { featureName, appName: anyString, environment: anyString }
const figures = { timestamp, yes: count, no: count, variants: almostMap(count) }
const usage = almostObject({
  version: fc.constantFrom('1', '2'),
  maturity: fc.oneof(fc.constant('"stable"'), anyString),
  featureName,
  lastHourUsage: almostArray(almostObject({ ...identity, ...figures })),
  seenApplications: almostArray(anyString),
})

test('a usage document with mistakes, and any other text, are shown or refused', async () => {
  const talk = await talker()
  const document = fc.oneof({ weight: 4, arbitrary: almost(usage) }, jsonText, hostileText)
  const width = fc.constantFrom(undefined, 1, 20, 80)
  await fc.assert(
    fc.asyncProperty(reading, document, width, async (argv, text, columns) => {
      await talk(argv, (response) => anyJson(response, 200, text), columns)
    }),
    { numRuns: 3 * (fc.readConfigureGlobal().numRuns ?? 20) },
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

test.each(documents)('%s accepts or refuses a document with any value', async (...of) => {
  const [, argv, document, request] = of
  const talk = await talker()
  await fc.assert(
    fc.asyncProperty(damaged(document), async (text) => {
      await talk(argv, (response, { method, url }) => {
        if (url === request.path) return anyJson(response, 200, text)
        const other = documentFor(method, url)
        return other ? json(response, 200, other) : response.writeHead(404).end()
      })
    }),
  )
})
