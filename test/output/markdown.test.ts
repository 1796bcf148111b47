import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { marked, type Tokens } from 'marked'
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
  marked: (table) =>
    marked
      .lexer(table)
      .filter((token): token is Tokens.Table => token.type === 'table')
      .flatMap(({ rows }) => rows.flat())
      .map(({ tokens }) => {
        const [only, ...others] = tokens
        return only?.type === 'codespan' && others.length === 0 ? only.text : undefined
      }),
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

function tableOf(first: string, second: string): string {
  return `| a | b |\n| --- | --- |\n| ${codeSpan(safeText(first))} | ${codeSpan(safeText(second))} |\n`
}

test.each([
  ['a', '`a`'],
  ['a b', '`a b`'],
  [' a', '`  a `'],
  ['a ', '` a  `'],
  [' ', '`   `'],
  ['', '`  `'],
])('%j becomes %j', (text, span) => {
  expect(codeSpan(safeText(text))).toBe(span)
})

describe.each(Object.entries(readers))('%s', (_name, read) => {
  const inCells = (table: string) => read(table).map((cell) => cell?.trim())

  test.each([
    ['a|b', 'a\\x7cb'],
    ['a\\|b', 'a\\\\x7cb'],
    ['a\\\\|b|', 'a\\\\\\x7cb\\x7c'],
    ['`a`', '\\x60a\\x60'],
    ['a\\', 'a\\'],
    ['``|', '\\x60\\x60\\x7c'],
    ['*a* _b_ [c](d) <b> @all https://a.test', '*a* _b_ [c](d) <b> @all https://a.test'],
    ['&#124;', '&#124;'],
    ['$`x`$', '$\\x60x\\x60$'],
    ['', ''],
  ])('keeps %j inside its cell', (text, shown) => {
    expect(inCells(tableOf(text, 'b')).map((cell) => cell ?? '')).toEqual([shown, 'b'])
  })

  test('keeps any text inside its cell', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (first, second) => {
        const cells = inCells(tableOf(first, second))
        const shown = [first, second].map((text) => codeSpan(safeText(text)).slice(1, -1).trim())
        expect(cells).toEqual(shown)
      }),
    )
  })
})
