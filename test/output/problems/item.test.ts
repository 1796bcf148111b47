import { plain } from '../../support/printer.ts'
import { expect, test } from 'vitest'
import { lineAndColumn, type ReportItem, sentence } from '../../../src/old/output/problems/text.ts'

const item: ReportItem = { code: 'naming', severity: 'error', message: 'is too long' }

test.each([
  [{}, ''],
  [{ line: 3 }, '3'],
  [{ line: 3, column: 12 }, '3:12'],
])('the position of %j has only the known parts', (place, text) => {
  expect(lineAndColumn({ ...item, ...place })).toBe(text)
})

test.each([
  [{}, 'is too long'],
  [{ name: 'a##' }, 'a#\\x23: is too long'],
  [{ name: 'a', suggestion: 'b' }, 'a: is too long; did you mean b'],
])('an item with %j becomes one sentence', (parts, text) => {
  expect(sentence({ ...item, ...parts }, plain)).toBe(text)
})
