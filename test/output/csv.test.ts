import { expect, test } from 'vitest'
import { plain } from '../support/printer.ts'
import { csvHeader, usageCsv } from '../../src/usage/report/csv.ts'

const head = 'flag,application,environment,timestamp,enabled,disabled,variants\r\n'
const options = { isHourly: false, projects: undefined }
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

test('the header lists the columns', () => {
  expect(csvHeader(options)).toBe(head)
})

test('a missing value is an empty cell', () => {
  expect(usageCsv([row], options, plain)).toBe(`,,,,9007199254740993,0,{}\r\n`)
})

test('no cell is run by a spreadsheet, moves a cursor or ends a line', () => {
  const hostile = {
    flag: '=1+1',
    application: '@a,"b"',
    environment: '\u001b[31m\n',
    timestamp: '-1',
    variants: [{ name: '\u202e', count: 1n }],
  }
  expect(usageCsv([{ ...row, ...hostile }], options, plain)).toBe(
    `'=1+1,"'@a,""b""",\\x1b[31m\\x0a,'-1,9007199254740993,0,"{""\\u202e"":1}"\r\n`,
  )
})

test('no part of a cell is run by a spreadsheet that separates cells at semicolons', () => {
  const hostile = {
    flag: 'a;=1+1',
    application: 'a; "@b"',
    environment: ' +1',
    timestamp: 'a;b=1;',
    variants: [{ name: ';=1;-2', count: 1n }],
  }
  expect(usageCsv([{ ...row, ...hostile }], options, plain)).toBe(
    `a;'=1+1,"a; ""'@b""", '+1,a;b=1;,9007199254740993,0,"{"";\\u003d1;\\u002d2"":1}"\r\n`,
  )
})

test('no cell is a command for a CI runner', () => {
  const hostile = {
    flag: '::error::x',
    application: '##vso[x]',
    variants: [{ name: '##[group]', count: 1n }],
  }
  expect(usageCsv([{ ...row, ...hostile }], options, plain)).toBe(
    `:\\x3aerror::x,#\\x23vso[x],,,9007199254740993,0,"{""#\\u0023[group]"":1}"\r\n`,
  )
})
