import { expect, test } from 'vitest'
import { usageCsv } from '../../src/output/usage-csv.ts'

const head = 'flag,application,environment,timestamp,enabled,disabled,variants\r\n'
const row = {
  flag: undefined,
  application: undefined,
  environment: undefined,
  timestamp: undefined,
  variant: undefined,
  enabled: 9007199254740993n,
  disabled: 0n,
  variants: [],
}

test('what a row does not have is an empty cell', () => {
  expect(usageCsv([row])).toBe(`${head},,,,9007199254740993,0,{}\r\n`)
})

test('no cell is run by a spreadsheet, moves a cursor or ends a line', () => {
  const hostile = {
    flag: '=1+1',
    application: '@a,"b"',
    environment: '\u001b[31m\n',
    timestamp: '-1',
    variants: [{ name: '\u202e', count: 1n }],
  }
  expect(usageCsv([{ ...row, ...hostile }])).toBe(
    `${head}'=1+1,"'@a,""b""",\\x1b[31m\\x0a,'-1,9007199254740993,0,"{""\\u202e"":1}"\r\n`,
  )
})
