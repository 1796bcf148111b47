import { expect, test } from 'vitest'
import { timeSpan, wholeNumber } from '../../src/input/values.ts'

test.each([
  ['10', 10_000],
  ['10s', 10_000],
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['30d', 2_592_000_000],
  ['1w', 604_800_000],
  ['0.2', 200],
  [' 1.5h ', 5_400_000],
])('the duration %j is %i ms', (text, milliseconds) => {
  expect(timeSpan('--timeout', text, false).milliseconds).toBe(milliseconds)
})

test.each(['', '0', '0s', '0.0001', '-5', '5y', 's', '1e3', '1 h', '1h30m', '9999999', 'soon'])(
  '%j is not a duration',
  (text) => {
    expect(() => timeSpan('--x', text, false)).toThrow(`--x: '${text}' is not a duration`)
  },
)

test('a span of time needs a unit', () => {
  expect(timeSpan('--since', ' 24h ')).toEqual({ text: '24h', milliseconds: 86_400_000 })
  expect(() => timeSpan('--since', ' 24 ')).toThrow("--since: ' 24 ' is not a duration")
})

test.each(['', '0', '11', '1.5', '1e1', '-1'])('%j is not a whole number from 1 to 10', (text) => {
  expect(wholeNumber('--x', '10', 1, 10)).toBe(10)
  expect(() => wholeNumber('--x', text, 1, 10)).toThrow('is not a whole number from 1 to 10')
})
