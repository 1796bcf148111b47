import { describe, expect, test } from 'vitest'
import { duration } from '../../src/input/numbers.ts'

describe('a duration', () => {
  test.each([
    ['10', 10_000],
    ['10s', 10_000],
    ['0.5', 500],
    ['1.5m', 90_000],
    ['5m', 300_000],
    ['65m', 3_900_000],
    ['2h', 7_200_000],
    ['30d', 2_592_000_000],
    ['365d', 31_536_000_000],
  ])('%s is %i ms', (text, milliseconds) => {
    expect(duration('--for', text)).toBe(milliseconds)
  })

  test.each(['', '0', '0s', '0.0001', '-1', '+1', '1w', 's', '10 s', ' 10', '1h30m', '1e3', '١'])(
    '%j is refused',
    (text) => {
      expect(() => duration('--for', text)).toThrow(
        expect.objectContaining({ kind: 'usage', message: `--for: '${text}' is not a duration` }),
      )
    },
  )

  test.each(['366d', '999999999', '8761h'])('%s is longer than a year', (text) => {
    expect(() => duration('--for', text)).toThrow(
      expect.objectContaining({ kind: 'usage', message: `--for: '${text}' is longer than 365d` }),
    )
  })
})
