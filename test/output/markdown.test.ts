import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { remark } from 'remark'
import remarkGfm from 'remark-gfm'
import { describe, expect, test } from 'vitest'
import { safeText } from '../../src/output/escapes.ts'
import { field } from '../../src/output/fields.ts'
import { printFenced, writeRows } from '../../src/output/formats/markdown.ts'
import { hostileText } from '../fuzz/hostile.ts'
import { openWriter } from '../support/writer.ts'

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

type Names = [first: string, second: string]

/** A table with a row of two names. */
function tableOf(row: Names): string {
  const fields = [
    field.key<Names>('a', 'a', ([first]) => first),
    field.key<Names>('b', 'b', ([, second]) => second),
  ]
  const { out, written } = openWriter()
  writeRows({ rows: [row], fields, nothing: '' }, out)
  return written()
}

test.each([
  ['a b', '`a b`'],
  [' a', '`  a `'],
  ['a ', '` a  `'],
  ['a\\|b', '`a\\\\x7cb`'],
  ['`a`', '`\\x60a\\x60`'],
  ['*a* [c](d) <b> &#124;', '`*a* [c](d) <b> &#124;`'],
])('%j becomes %j', (text, span) => {
  expect(tableOf([text, 'x'])).toBe(`| a | b |\n| --- | --- |\n| ${span} | \`x\` |\n`)
})

test('a text from outside is no link, reference or formula, and a mark after it is not a part of it', () => {
  const text = 'by http://a.example/x, www.b.example; GH-12, $x$ (web_shop, on 30.5%: a,b)'
  const { out, written } = openWriter()
  const fields = [field.text<string>('a', 'a', (row) => row)]
  writeRows({ rows: [text], fields, nothing: '', caption: 'of http://flags.example, now' }, out)
  const [caption, , , , row] = written().split('\n')
  expect(caption).toBe('of http://flags.example, now')
  expect(row).toBe(
    '| by `http://a.example/x`, `www.b.example`; `GH-12`, `$x$` (`web_shop`, on 30.5%: a,b) |',
  )
})

test('a long cell is cut, and many end', () => {
  const fields = [
    field.key<string>('a', 'a', (text) => text),
    field.text<string>('b', 'b', (b) => b),
  ]
  const rows = Array.from({ length: 200 }, (_, index) => `${index}${'x'.repeat(100_000)}`)
  const { out, written } = openWriter()
  writeRows({ rows, fields, nothing: '' }, out)
  const lines = written().split('\n')
  expect(lines[2]).toBe(`| \`0${'x'.repeat(998)}…\` | 0${'x'.repeat(998)}… |`)
  expect(lines.at(-2)).toMatch(/^\d+ more rows left out, because a comment has no room for them/)
})

test('a long line is left out where there is no room for all, and what follows is kept', () => {
  const lines = ['first', 'x'.repeat(70_000), 'last'].map((line) => [line])
  const { out, written } = openWriter()
  printFenced({ marker: 'm', heading: 'h', lines }, out)
  expect(written()).toContain('```\nfirst\nlast\n```\n\n1 more line left out')
})

describe.each(Object.entries(readers))('%s', (_name, read) => {
  test('keeps any text inside its cell', () => {
    const tricky = fc.constantFrom('a|b', 'a\\\\|b|', '``|', 'a\\', '$`x`$')
    const any = fc.oneof({ weight: 3, arbitrary: hostileText }, tricky)
    const text = any.filter((name) => name !== '')
    fc.assert(
      fc.property(text, text, (first, second) => {
        const shown = [first, second].map((name) =>
          safeText(name).replace(/[|`]/g, (character) => (character === '|' ? '\\x7c' : '\\x60')),
        )
        const cells = read(tableOf([first, second]))
        expect(cells.map((cell) => cell?.trim())).toEqual(shown.map((name) => name.trim()))
      }),
      { numRuns: 60 },
    )
  })
})
