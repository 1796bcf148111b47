import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupings, sortKeys } from '../../src/feature/figures.ts'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'
import { hostileText, KEY } from './hostile.ts'
import { almost, almostArray, almostMap, almostObject, anyString, jsonText } from './json.ts'
import { expectSound, type Kind } from './sound.ts'

const count = fc.oneof(
  fc.nat().map(String),
  fc.constantFrom('0', '-1', '9007199254740993', '123456789012345678901234567890'),
)
const timestamp = fc.oneof(
  fc.date().map((date) => JSON.stringify(date)),
  fc.constantFrom('"2026-11-20T16:00:00.000Z"', '"+275760-09-13T00:00:00.001Z"', '"2026"'),
)

// Another name than the requested one is an error.
const featureName = fc.oneof(fc.constantFrom('null', '"f"', '""'), anyString)

const record = almostObject({
  featureName,
  appName: anyString,
  environment: anyString,
  timestamp,
  yes: count,
  no: count,
  variants: almostMap(count),
})

const usage = almostObject({
  version: fc.constantFrom('1', '2'),
  maturity: fc.constantFrom('"stable"', '"deprecated"'),
  featureName,
  lastHourUsage: almostArray(record),
  seenApplications: almostArray(anyString),
})

/** How to read usage, and the kind of output. */
interface Reading {
  argv: readonly string[]
  columns?: number
  kind?: Kind
}

const names = fc.constantFrom(['f'], ['f', 'g'], ['a', 'b', 'c', 'd', 'e'])
const columns = fc.constantFrom(1, 20, 80, 200)

const formats = ['table', 'json', 'jsonl', 'csv', 'markdown', 'openmetrics']

const shaping = fc
  .tuple(
    fc.constantFrom([], ...groupings.map((part) => ['--group-by', part])),
    fc.constantFrom([], ['--reverse'], ...sortKeys.map((key) => ['--sort', key])),
    fc.constantFrom([], [], ['--limit', '1'], ['--app', '*a*'], ['--environment', '']),
    fc.constantFrom([], [], ['--used'], ['--unused']),
  )
  .map((options) => options.flat())

const printing: fc.Arbitrary<Reading> = fc
  .tuple(names, fc.constantFrom(...formats), shaping)
  .map(([given, format, options]) => ({
    argv: [...given, '-o', format, ...(format === 'json' ? [] : options)],
    ...(format === 'csv' && { kind: 'csv' }),
    ...(format === 'json' && { kind: 'json' }),
  }))

const table: fc.Arbitrary<Reading> = fc
  .tuple(names, shaping, columns)
  .map(([given, options, width]) => ({ argv: [...given, ...options], columns: width }))

const anyReading = fc.oneof({ weight: 3, arbitrary: printing }, table)

/** A function that runs flagadm against a service that returns the given document. */
async function reader() {
  let body = ''
  const { url } = await serve((response) => json(response, 200, body))
  return async ({ argv, kind, ...world }: Reading, document: string) => {
    body = document
    const outcome = await flagadm(['feature', 'usage', '--no-color', ...argv], {
      ...world,
      env: environment(url, KEY),
      clock: patientClock().clock,
    })
    expectSound(outcome, kind)
    return outcome
  }
}

test('any JSON document is shown or refused', async () => {
  const read = await reader()
  await fc.assert(
    fc.asyncProperty(anyReading, jsonText, async (reading, document) => {
      await read(reading, document)
    }),
  )
})

test('a usage document with mistakes is shown or refused', async () => {
  const read = await reader()
  await fc.assert(
    fc.asyncProperty(anyReading, almost(usage), async (reading, document) => {
      await read(reading, document)
    }),
  )
})

test('a response that is not JSON is refused', async () => {
  const read = await reader()
  const text = hostileText.filter((document) => !/^\s*(?:["\d{-]|$)/.test(document))
  await fc.assert(
    fc.asyncProperty(anyReading, text, async (reading, document) => {
      const { code } = await read(reading, document)
      expect([0, 8]).toContain(code)
    }),
  )
})
