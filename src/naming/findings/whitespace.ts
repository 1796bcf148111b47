import { orElse } from '../engine/budget.ts'
import { compare } from '../engine/comparison.ts'
import { type Finding, finding } from '../finding.ts'
import { usable } from '../engine/rule.ts'
import type { ExaminedRule } from '../engine/examined-rule.ts'

// The service looks for these in the text of the pattern, also after a backslash that is itself escaped. It accepts
// all other whitespace.
const whitespace = / |\\[tsnrfv]/
// An escaped backslash, which is kept, or whitespace with its quantifier.
const removable = /\\\\|(?:\\[tsnrfv]|\s)(?:[*?]\??)?/g

/** The pattern without its whitespace, if nothing else changes: legal names contain none. */
async function corrected({ pattern, budget }: ExaminedRule): Promise<string | undefined> {
  const trimmed = usable(pattern.trim())
  if (trimmed === undefined || !whitespace.test(trimmed)) return trimmed
  const text = trimmed
    .replaceAll('[^\\s]', '\\S')
    .replace(removable, (part) => (part === '\\\\' ? part : ''))
  const bare = usable(text)
  if (bare === undefined || whitespace.test(bare)) return undefined
  const comparison = await compare([trimmed, bare], budget)
  const isSame = !comparison.some(([before, after]) => before !== after)
  return isSame && comparison.some(([, after]) => after === true) ? bare : undefined
}

/** A space or an escape of whitespace in a pattern, which the service rejects. */
export async function whitespaceFindings(examined: ExaminedRule): Promise<Finding[]> {
  const found = whitespace.exec(examined.pattern)
  if (!found) return []
  const [text] = found
  const what = text === ' ' ? 'a space' : text
  const message = `the pattern contains ${what} at character ${found.index + 1}: the service rejects it`
  const suggestion = await orElse(corrected(examined), undefined)
  return [finding('whitespace', message, { suggestion })]
}
