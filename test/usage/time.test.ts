import { expect, test } from 'vitest'
import { windowText } from '../../src/usage/report/sentences.ts'
import { coverageOf } from '../../src/usage/span.ts'

test.each([
  [[], 'in the current clock hour'],
  [[null, undefined, 'a while ago'], 'in the current clock hour'],
  [['2026-11-20T16:00:00.000Z'], 'since 16:00 UTC'],
  [['2026-11-20T16:00:00.000Z', 'x', '2026-11-20T15:00:00.000Z'], 'since 15:00 UTC'],
  [['2026-11-20T16:00:00+02:00'], 'since 14:00 UTC'],
  [['2026-11-20T00:00:00Z', '2026-11-19T23:00:00Z'], 'since 2026-11-19 23:00 UTC'],
])('records of %j are counted %s', (timestamps, text) => {
  const records = timestamps.map((timestamp) => ({ timestamp }))
  expect(windowText(coverageOf(records))).toBe(text)
})
