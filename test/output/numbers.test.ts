import { expect, test } from 'vitest'
import { groupDigits, percent } from '../../src/output/numbers.ts'

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
  [0, '0'],
  [-1000, '-1,000'],
  [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
])('the digits of %d are grouped as %s', (count, text) => {
  expect(groupDigits(count)).toBe(text)
})
