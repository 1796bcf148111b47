import { expect, test } from 'vitest'
import { duration } from '../../src/input/values.ts'

test.each([
  ['10', 10_000],
  ['10s', 10_000],
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['30d', 2_592_000_000],
  ['0.2', 200],
  ['1.5h', 5_400_000],
  [' 3 ', 3000],
])('the duration %j is %i ms', (text, milliseconds) => {
  expect(duration('--timeout', text)).toBe(milliseconds)
})

test.each(['', '0', '0s', '0.0001', '-5', '5w', 's', '1e3', '1 h', '1h30m', '9999999', 'soon'])(
  '%j is not a duration',
  (text) => {
    expect(() => duration('--timeout', text)).toThrow(`--timeout: '${text}' is not a duration`)
  },
)
