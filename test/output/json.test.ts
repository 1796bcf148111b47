import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plain } from '../support/printer.ts'
import { jsonLinesReport, jsonReport, serviceDocument } from '../../src/old/output/json.ts'
import { anyItems, dangerous } from './problems/items.ts'

it('writes the document on one line, without absent fields', () => {
  const document = {
    rule: { pattern: '^[a-z-]+$', example: undefined },
    checked: 2,
    violations: [{ name: 'NewUi', reasons: ['does not match the rule'], suggestion: 'new-ui' }],
    staleAllowed: ['Old'],
  }
  expect(jsonReport(document, plain)).toBe(
    '{"rule":{"pattern":"^[a-z-]+$"},"checked":2,"violations":[{"name":"NewUi","reasons":["does not match the rule"],"suggestion":"new-ui"}],"staleAllowed":["Old"]}\n',
  )
})

it('writes one document on each line', () => {
  expect(jsonLinesReport([{ name: 'a' }, { name: 'b' }], plain)).toBe(
    '{"name":"a"}\n{"name":"b"}\n',
  )
  expect(jsonLinesReport([], plain)).toBe('')
})

it('escapes hostile names without changing them', () => {
  const report = jsonReport({ name: '\u001b[31m\n\u202e##[group]' }, plain)
  expect(report).toBe('{"name":"\\u001b[31m\\n\\u202e#\\u0023[group]"}\n')
})

it('keeps every value and contains nothing dangerous', () => {
  fc.assert(
    fc.property(anyItems, (any) => {
      const report = jsonLinesReport(any, plain)
      expect(report).not.toMatch(dangerous)
      const lines = report.split('\n').slice(0, -1)
      expect(lines.map((line) => JSON.parse(line))).toEqual(any.map((item) => ({ ...item })))
    }),
  )
})

it('has no spaces around former line breaks when put on one line', () => {
  const json = '{\r\n  "a b": 1,\r\n\r\n\t"c": [ 2 ]\n}\n'
  expect(serviceDocument(json, true, plain)).toBe('{"a b": 1,"c": [ 2 ]}\n')
  expect(serviceDocument(' [ 1 ] ', true, plain)).toBe('[ 1 ]\n')
})
