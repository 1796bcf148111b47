import { type Finding, finding } from '../finding.ts'
import type { ExaminedRule } from '../engine/examined-rule.ts'
import { type Element, elementsOf } from '../engine/elements.ts'

const wordOnly = /^[A-Za-z0-9]+$/

/** Whether an element matches letters and digits alone, one or more. */
function isWord(element: Element | undefined): boolean {
  if (element?.type === 'repeat') return element.min > 0 && isWord(element.element)
  return element?.type === 'character' && wordOnly.test(element.characters)
}

/** Unescaped dots between words, which are probably meant literally. */
export function dotFindings(examined: ExaminedRule): Finding[] {
  const { source, pattern } = examined
  const { branches } = examined.syntax()
  const dots: number[] = []
  const groups = elementsOf(branches).flatMap((element) =>
    'branches' in element ? element.branches : [],
  )
  for (const { elements } of [...branches, ...groups]) {
    for (const [i, { type, start, end }] of elements.entries()) {
      const isDot = type === 'character' && source.slice(start, end) === '.'
      // The source has an anchor before the pattern.
      if (isDot && isWord(elements[i - 1]) && isWord(elements[i + 1])) dots.push(start - 1)
    }
  }
  const [first] = dots.sort((a, b) => a - b)
  if (first === undefined) return []
  const suggestion = dots.reduceRight(
    (text, dot) => `${text.slice(0, dot)}\\${text.slice(dot)}`,
    pattern,
  )
  const message = `the dot at character ${first + 1} matches any character: write \\. for a dot`
  return [finding('unescaped-dot', message, { suggestion })]
}
