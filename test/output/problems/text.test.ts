import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ReportItem, textReport as textBlocks } from '../../../src/old/output/problems/text.ts'
import { wholeText } from '../../../src/old/output/blocks.ts'
import { createStyle } from '../../../src/old/output/style.ts'
import { plain } from '../../support/printer.ts'
import { anyItems, dangerous, items } from './items.ts'

const textReport = (items: readonly ReportItem[], printer = plain) =>
  wholeText(textBlocks(items, (item) => item, printer))

// Escape sequences as text: `<2m` for ESC [2m.
const colored = (items: readonly ReportItem[]) =>
  textReport(items, { ...plain, style: createStyle(true) }).replaceAll('\u001b[', '<')

it('groups items by file in aligned columns', () => {
  expect(textReport(items, plain)).toBe(`src/a.ts
   3:12  error  does not match the rule  NewUi  did you mean new-ui
  120:5  error  is too long              x

rules/my rule.yaml
  2  warning  the service adds ^ itself

  info  an example helps people who create a flag
`)
})

it('shows an item over several lines if the terminal is too narrow for one', () => {
  const report = (width: number) => textReport(items, { ...plain, width })
  expect(report(74)).toBe(textReport(items, plain))
  expect(report(40)).toBe(`src/a.ts
  3:12  error  NewUi
    does not match the rule
    did you mean new-ui
  120:5  error  x
    is too long

rules/my rule.yaml
  2  warning
    the service adds ^ itself

  info
    an example helps people who create a
    flag
`)
})

it('shows an example or an explanation on a line of its own', () => {
  const [message, code] = ['^ and $ bind only to branches: "zzz" passes', 'loose-alternation']
  const item = { code, severity: 'error', message, name: code, suggestion: '(?:a|b)' } as const
  expect(textReport([item], { ...plain, width: 60 })).toBe(`  error  loose-alternation
    ^ and $ bind only to branches:
    "zzz" passes
    did you mean (?:a|b)
`)
})

it('colours without moving the columns', () => {
  const report = colored(items)
  const [first, second] = report.split('\n').slice(1)
  expect(first).toBe(
    '   <2m3:12<22m  <31merror<39m  does not match the rule  <1mNewUi<22m  did you mean new-ui',
  )
  expect(second).toBe('  <2m120:5<22m  <31merror<39m  is too long              <1mx<22m')
  expect(report).toContain('<4msrc/a.ts<24m\n')
  expect(report).toContain('  <38;5;130mwarning<39m  the service')
})

it('aligns names of wide characters by their width on a terminal', () => {
  const base = { code: 'naming', severity: 'error', message: 'm', suggestion: 's' } as const
  const report = textReport(
    [
      { ...base, name: '旗旗' },
      { ...base, name: 'flag-a' },
    ],
    plain,
  )
  expect(report).toBe(`  error  m  旗旗    did you mean s
  error  m  flag-a  did you mean s
`)
})

it('is empty without items', () => {
  expect(textReport([], plain)).toBe('')
})

it('shows hostile names and paths by visible escapes, without commands for CI runners', () => {
  const hostile = { code: 'naming', severity: 'error', message: 'is illegal' } as const
  const report = textReport(
    [
      { ...hostile, name: '\u001b[2J\n::error::x', file: '::error::owned', line: 1, column: 1 },
      { ...hostile, name: '##vso[x]', file: ' ::warning::x\u202e', line: 1, column: 1 },
    ],
    plain,
  )
  expect(report).toBe(`:\\x3aerror::owned
  1:1  error  is illegal  \\x1b[2J\\x0a::error::x

 :\\x3awarning::x\\u202e
  1:1  error  is illegal  #\\x23vso[x]
`)
})

it('contains nothing dangerous for any items', () => {
  fc.assert(
    fc.property(anyItems, (any) => {
      // Right-to-left words are isolated.
      const report = textReport(any, plain).replace(/[\u2068\u2069]/g, '')
      expect(report).not.toMatch(dangerous)
      expect(report).not.toMatch(/^\s*::/m)
      const files = new Set(any.map(({ file }) => file))
      const headings = [...files].filter((file) => file !== undefined).length
      const lines = any.length + headings + Math.max(0, files.size - 1)
      expect(report.split('\n')).toHaveLength(lines + 1)
    }),
  )
})
