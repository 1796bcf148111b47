import { expect, test } from 'vitest'
import { cutText, foldText } from '../../src/output/width.ts'

test('a long text is cut and folded in a moment', () => {
  const text = 'é'.repeat(200_000)
  expect(cutText(text, 5, 2)).toBe('éé…éé')
  expect(foldText(text, 100_000)).toHaveLength(200_001)
})

test('a character of several is whole wherever it is', () => {
  const family = '👨‍👩‍👧'
  for (const blanks of [390, 393, 396, 399, 400]) {
    const lines = foldText(`${' '.repeat(blanks)}${family}${family}`, 2).split('\n')
    expect(lines.slice(-2)).toContain(family)
    expect(lines.join('')).toBe(`${' '.repeat(blanks)}${family}${family}`)
  }
})
