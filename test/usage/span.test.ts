import { expect, test } from 'vitest'
import { hoursOf, shortfallText, spanOf } from '../../src/usage/span.ts'

const HOUR = 3_600_000
const now = Date.UTC(2026, 10, 21, 16, 59)

/** Records of hours, counted back from the current one. */
const hours = (...ago: number[]) =>
  ago.map((hoursAgo) => {
    const time = Math.floor(now / HOUR) * HOUR - hoursAgo * HOUR
    return { timestamp: new Date(time).toISOString() }
  })

test.each([
  [1, 1],
  [HOUR, 1],
  [HOUR + 1, 2],
  [48 * HOUR, 48],
])('%i ms are covered by %i hours', (milliseconds, expected) => {
  expect(hoursOf(milliseconds)).toBe(expected)
})

test.each([
  ['all hours', hours(2, 1, 0), 3, true],
  ['all hours, of which the last one has just begun on this machine only', hours(3, 2, 1), 3, true],
  ['more hours', hours(3, 2, 1, 0), 3, true],
  ['fewer hours', hours(1, 0), 3, false],
  ['one hour', hours(0), 1, true],
  ['one hour, which has not begun on this machine', hours(-1), 1, true],
  ['hours to come', hours(-2, -3), 2, false],
  ['no records, for a number of hours that every service supports', [], 48, true],
  ['no records, for more hours', [], 49, false],
  ['records without times', [{ timestamp: null }, {}], 1, false],
])(
  'a response with %s is complete or incomplete as expected',
  (_, records, requested, isComplete) => {
    expect(spanOf(records, requested, now).isComplete).toBe(isComplete)
  },
)

test('a span without records starts with the oldest hour requested', () => {
  expect(spanOf([], 2, now)).toEqual({
    start: Date.UTC(2026, 10, 21, 15),
    hours: 2,
    isComplete: true,
  })
})

test('the text about a shortfall contains the start of the span, if it is known', () => {
  expect(shortfallText(spanOf(hours(1, 0), 2, now))).toBeUndefined()
  expect(shortfallText(spanOf(hours(1, 0), 72, now))).toBe(
    'the service covers only the time since 2026-11-21 15:00 UTC, not the 72 hours requested',
  )
  expect(shortfallText(spanOf([], 72, now))).toBe(
    'it is not known whether the service covers the 72 hours requested',
  )
})
