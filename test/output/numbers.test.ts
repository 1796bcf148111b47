import { expect, test } from 'vitest'
import { groupDigits, percent, roundedCount } from '../../src/output/numbers.ts'

test.each([
  [0, 1000, '0.0%'],
  [1, 1_000_000, '<0.1%'],
  [999, 1000, '99.9%'],
  [9996, 10_000, '>99.9%'],
  [1000, 1000, '100.0%'],
])('a share of %d in %d is %s', (part, whole, text) => {
  expect(percent(part / whole)).toBe(text)
})

test.each([
  [999_999, '999,999'],
  [1_000_000, '1.0 M'],
  [201_855_280, '201.9 M'],
  [999_949_999, '999.9 M'],
  [999_950_000, '1.0 B'],
  [2_237_106_718, '2.2 B'],
])('%d is rounded as %s', (count, text) => {
  expect(roundedCount(count)).toBe(text)
})

test.each([
  [0, '0'],
  [-1000, '-1,000'],
  [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
])('the digits of %d are grouped as %s', (count, text) => {
  expect(groupDigits(count)).toBe(text)
})
