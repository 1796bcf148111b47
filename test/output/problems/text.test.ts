import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyItems, dangerous, items, printed } from './items.ts'

it('groups items by file in aligned columns', async () => {
  expect(await printed('text', items)).toBe(`src/a.ts
   3:12  error  does not match the rule  NewUi  did you mean new-ui
  120:5  error  is too long              x

rules/my rule.yaml
  2  warning  the service adds ^ itself

  info  an example helps people who create a flag
`)
})

it('shows an item over several lines if the terminal is too narrow for one', async () => {
  const report = (columns: number) => printed('text', items, { columns })
  expect(await report(74)).toBe(await printed('text', items))
  expect(await report(40)).toBe(`src/a.ts
  3:12  error  NewUi
    does not match the rule
    did you mean new-ui
  120:5  error  x
    is too long

rules/my rule.yaml
  2  warning  the service adds ^ itself

  info
    an example helps people who create a flag
`)
})

it('aligns names of wide characters by their width on a terminal', async () => {
  const base = { code: 'naming', severity: 'error', message: 'm', suggestion: 's' } as const
  const report = await printed('text', [
    { ...base, name: '旗旗' },
    { ...base, name: 'flag-a' },
  ])
  expect(report).toBe(`  error  m  旗旗    did you mean s
  error  m  flag-a  did you mean s
`)
})

it('is empty without items', async () => {
  expect(await printed('text', [])).toBe('')
})

it('shows hostile names and paths by visible escapes, without commands for CI runners', async () => {
  const hostile = { code: 'naming', severity: 'error', message: 'is illegal' } as const
  const report = await printed('text', [
    { ...hostile, name: '\u001b[2J\n::error::x', file: '::error::owned', line: 1, column: 1 },
    { ...hostile, name: '##vso[x]', file: ' ::warning::x\u202e', line: 1, column: 1 },
  ])
  expect(report).toBe(`:\\x3aerror::owned
  1:1  error  is illegal  \\x1b[2J\\x0a::error::x

 :\\x3awarning::x\\u202e
  1:1  error  is illegal  #\\x23vso[x]
`)
})

it('contains nothing dangerous for any items', async () => {
  await fc.assert(
    fc.asyncProperty(anyItems, async (any) => {
      // Right-to-left words are isolated.
      const report = (await printed('text', any)).replace(/[\u2068\u2069]/g, '')
      expect(report).not.toMatch(dangerous)
      expect(report).not.toMatch(/^\s*::/m)
      const files = new Set(any.map(({ file }) => file))
      const headings = [...files].filter((file) => file !== undefined).length
      const lines = any.length + headings + Math.max(0, files.size - 1)
      expect(report.split('\n')).toHaveLength(lines + 1)
    }),
  )
})
