import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { remark } from 'remark'
import remarkGfm from 'remark-gfm'
import { describe, expect, test } from 'vitest'
import { safeText } from '../../src/output/escapes.ts'
import { codeSpan } from '../../src/output/markdown.ts'
import { hostileText } from '../fuzz/hostile.ts'

/** How each parser reads the second row: for each cell, the text of its only code span. */
type Read = (table: string) => (string | undefined)[]

const readers: Record<string, Read> = {
  'markdown-it': (table) =>
    new MarkdownIt()
      .parse(table, {})
      .filter(({ type }) => type === 'inline')
      .slice(2)
      .map(({ children }) => (children?.length === 1 ? children[0]?.content : undefined)),
  remark: (table) => {
    const [tree] = remark().use(remarkGfm).parse(table).children
    const rows = tree?.type === 'table' ? tree.children.slice(1) : []
    return rows
      .flatMap(({ children }) => children)
      .map(({ children: [only, ...others] }) =>
        only?.type === 'inlineCode' && others.length === 0 ? only.value : undefined,
      )
  },
}

test.each([
  ['a b', '`a b`'],
  [' a', '`  a `'],
  ['a ', '` a  `'],
  ['', '`  `'],
  ['a\\|b', '`a\\\\x7cb`'],
  ['`a`', '`\\x60a\\x60`'],
  ['*a* [c](d) <b> &#124;', '`*a* [c](d) <b> &#124;`'],
])('%j becomes %j', (text, span) => {
  expect(codeSpan(safeText(text))).toBe(span)
})

describe.each(Object.entries(readers))('%s', (_name, read) => {
  test('keeps any text inside its cell', () => {
    const tricky = fc.constantFrom('a|b', 'a\\\\|b|', '``|', 'a\\', '$`x`$', '')
    const text = fc.oneof({ weight: 3, arbitrary: hostileText }, tricky)
    fc.assert(
      fc.property(text, text, (first, second) => {
        const spans = [first, second].map((cell) => codeSpan(safeText(cell)))
        const table = `| a | b |\n| --- | --- |\n| ${spans.join(' | ')} |\n`
        const shown = spans.map((span) => span.slice(1, -1).trim())
        expect(read(table).map((cell) => cell?.trim())).toEqual(shown)
      }),
      { numRuns: 60 },
    )
  })
})
