import { describe, expect, test } from 'vitest'
import { percent, shortCount } from '../../src/old/output/numbers.ts'
import { groupDigits } from '../../src/old/output/phrases.ts'

describe('a share in percent', () => {
  test.each([
    [0n, 1000n, '0%', '0.0%'],
    [1n, 1000n, '<1%', '0.1%'],
    [1n, 1_000_000n, '<1%', '<0.1%'],
    [4n, 1000n, '<1%', '0.4%'],
    [5n, 1000n, '1%', '0.5%'],
    [332n, 1000n, '33%', '33.2%'],
    [335n, 1000n, '34%', '33.5%'],
    [499n, 1000n, '50%', '49.9%'],
    [501n, 1000n, '50%', '50.1%'],
    [668n, 1000n, '67%', '66.8%'],
    [2n, 3n, '67%', '66.7%'],
    [994n, 1000n, '99%', '99.4%'],
    [995n, 1000n, '>99%', '99.5%'],
    [999n, 1000n, '>99%', '99.9%'],
    [9995n, 10_000n, '>99%', '>99.9%'],
    [10n ** 30n - 1n, 10n ** 30n, '>99%', '>99.9%'],
    [1000n, 1000n, '100%', '100.0%'],
  ])('of %d in %d is %s or %s', (part, whole, whole0, whole1) => {
    expect([percent({ part, whole }, 0), percent({ part, whole }, 1)]).toEqual([whole0, whole1])
  })
})

test.each([
  [0n, '0'],
  [999n, '999'],
  [1000n, '1,000'],
  [-1000n, '-1,000'],
  [-999n, '-999'],
  [123_456n, '123,456'],
  [9_007_199_254_740_993n, '9,007,199,254,740,993'],
])('the digits of %d are grouped as %s', (count, text) => {
  expect(groupDigits(count)).toBe(text)
})

test('the digits of a count with 60,000 digits are grouped', () => {
  expect(groupDigits(10n ** 60_000n)).toBe(`1${',000'.repeat(20_000)}`)
})

test.each([
  [999_999_999n, '999,999,999'],
  [1_000_000_000n, '1,000M'],
  [1_234_567_890_123n, '1,234G'],
])('the count %d is %s in short', (count, text) => {
  expect(shortCount(count)).toBe(text)
})

test.each([
  [30_046_675_757n, 30_046_675_757n, '30G'],
  [412_345n, 30_046_675_757n, '<1G'],
  [0n, 30_046_675_757n, '0'],
  [412_345n, 999_999_999n, '412,345'],
])('the count %d beside %d is %s in short', (count, whole, text) => {
  expect(shortCount(count, whole)).toBe(text)
})
