import { expect, test } from 'vitest'
import { shortfallText, spanText } from '../../src/usage/report/sentences.ts'
import { firstHour, hoursFrom, spanOf } from '../../src/usage/span.ts'

const HOUR = 3_600_000
const now = Date.UTC(2026, 10, 21, 16, 59)

/** Records of hours, counted back from the current one. */
const hours = (...ago: number[]) =>
  ago.map((hoursAgo) => {
    const time = Math.floor(now / HOUR) * HOUR - hoursAgo * HOUR
    return { timestamp: new Date(time).toISOString() }
  })

/** The covered part of a span of this many hours. */
const span = (records: ReturnType<typeof hours>, asked: number) =>
  spanOf(records, hoursFrom(firstHour(asked * HOUR, now), now), asked * HOUR, now)

test.each([
  [1, 2],
  [HOUR, 2],
  [HOUR + 1, 3],
  [46 * HOUR, 47],
  [47 * HOUR, 48],
  [48 * HOUR, 48],
  [72 * HOUR, 48],
])('for %i ms, %i hours are requested', (milliseconds, expected) => {
  expect(hoursFrom(firstHour(milliseconds, now), now)).toBe(expected)
})

test('an hour that begins while flags are read is requested in addition, up to 48', () => {
  const later = now + HOUR
  expect(hoursFrom(firstHour(HOUR, now), later)).toBe(3)
  expect(hoursFrom(firstHour(47 * HOUR, now), later)).toBe(48)
})

const two = [1, 0]
const all = Array.from({ length: 48 }, (_, hoursAgo) => hoursAgo)

test.each([
  ['all hours', hours(...two), 1, true],
  ['all hours, of which the last one has just begun on this machine only', hours(2, 1), 1, true],
  ['more hours', hours(3, 2, 1, 0), 1, true],
  ['fewer hours than requested, but all that was asked for', hours(0), 0.9, true],
  ['fewer hours', hours(0), 1, false],
  ['hours to come', hours(-2, -3), 1, false],
  ['no records, for a span that every service keeps', [], 48, true],
  ['all hours that the service keeps', hours(...all), 48, true],
  ['all hours that the service keeps, for a longer span', hours(...all), 49, false],
  ['no records, for a longer span', [], 49, false],
  ['records without times', [{ timestamp: 'soon' }], 1, false],
])('a response with %s is complete or incomplete as expected', (_, records, asked, isComplete) => {
  expect(span(records, asked).isComplete).toBe(isComplete)
})

test('a span without records starts with the oldest hour requested', () => {
  expect(span([], 1)).toEqual({
    from: Date.UTC(2026, 10, 21, 15),
    to: now,
    asked: HOUR,
    isComplete: true,
  })
})

test('a span ends in the last hour of its records, even if the clock of this machine differs', () => {
  expect(span(hours(3, 2), 1)).toMatchObject({ to: Date.UTC(2026, 10, 21, 15) })
  expect(span(hours(0, -1), 1)).toMatchObject({ to: Date.UTC(2026, 10, 21, 17) })
})

test.each([
  [hours(...two), 1, 'since 2026-11-21 15:00 UTC, 1 h 59 min'],
  [hours(...all), 48, 'since 2026-11-19 17:00 UTC, 47 h 59 min of 48 h'],
  [[], 0.5, 'since 2026-11-21 15:00 UTC, 1 h 59 min'],
  [[{ timestamp: 'soon' }], 1, 'in the hours that the service covers'],
])('the text about a span contains what it covers: %#', (records, asked, text) => {
  expect(spanText(span(records, asked))).toBe(text)
})

test('the text about a shortfall contains what is covered, if it is known', () => {
  expect(shortfallText(span(hours(...two), 1))).toBeUndefined()
  expect(shortfallText(span(hours(...two), 72))).toBe(
    'the service covers only 1 h 59 min of the 72 h requested (since 2026-11-21 15:00 UTC)',
  )
  expect(shortfallText(span([{ timestamp: 'soon' }], 72))).toBe(
    'it is not known whether the service covers the 72 h requested',
  )
})
