import { expect, it } from 'vitest'
import { alignedLines, fieldLines } from '../../src/old/output/fields.ts'
import { plain } from '../support/printer.ts'

const { text } = plain
const rows = [
  ['clock', 'differs by less than 5 s'],
  ['permission', 'may read usage and change the settings of all projects'],
].map((row) => row.map(text))

it('aligns columns', () => {
  expect(alignedLines(rows)).toEqual([
    'clock       differs by less than 5 s',
    'permission  may read usage and change the settings of all projects',
  ])
})

it('wraps the last column at words', () => {
  expect(alignedLines(rows, 44)).toEqual([
    'clock       differs by less than 5 s',
    'permission  may read usage and change the',
    '            settings of all projects',
  ])
})

it('shows the last column below the others if it would be too narrow', () => {
  expect(alignedLines(rows, 34)).toEqual([
    'clock',
    '    differs by less than 5 s',
    'permission',
    '    may read usage and change the',
    '    settings of all projects',
  ])
})

it('keeps long words whole, so that they can be copied', () => {
  const fields = [
    ['pattern', text('checkout-(?:basket|payment|shipping)-[a-z-]+ or more')],
  ] as const
  expect(fieldLines(fields, '  ', 40)).toEqual([
    '  pattern  checkout-(?:basket|payment|shipping)-[a-z-]+',
    '           or more',
  ])
})
