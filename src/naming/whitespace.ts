import { type Budget, orUndecided, Undecided } from './analysis/budget.ts'
import { survey } from './analysis/survey.ts'
import { finding, type Finding } from './finding-kinds.ts'
import { usable } from './rule.ts'

// The service looks for these in the text of the pattern, also after a backslash that is itself escaped. It accepts
// all other whitespace.
const WHITESPACE = / |\\[tsnrfv]/
// An escaped backslash, which is kept, or whitespace with its quantifier.
const REMOVABLE = /\\\\|(?:\\[tsnrfv]|\s)(?:[*?]\??)?/g

/** Whether the service rejects a text because of whitespace. */
export function hasWhitespace(text: string): boolean {
  return WHITESPACE.test(text)
}

/** The pattern without its whitespace, if nothing else changes: legal names contain none. */
async function withoutWhitespace(pattern: string, budget: Budget): Promise<string | undefined> {
  const trimmed = usable(pattern.trim())
  if (trimmed === undefined || !hasWhitespace(trimmed)) return trimmed
  const text = trimmed
    .replaceAll('[^\\s]', '\\S')
    .replace(REMOVABLE, (part) => (part === '\\\\' ? part : ''))
  const bare = usable(text)
  if (bare === undefined || hasWhitespace(bare)) return undefined
  const { find } = await survey({ trimmed, bare }, budget)
  const differs =
    find({ trimmed: true, bare: false }) !== undefined ||
    find({ trimmed: false, bare: true }) !== undefined
  return !differs && find({ trimmed: true, bare: true }) !== undefined ? bare : undefined
}

/** A space or an escape of whitespace, which the service rejects. */
export async function whitespaceFindings(pattern: string, budget: Budget): Promise<Finding[]> {
  const match = WHITESPACE.exec(pattern)
  if (!match) return []
  const [text] = match
  const what = text === ' ' ? 'a space' : text
  const message = `the pattern contains ${what} at character ${match.index + 1}: the service rejects it`
  const bare = await orUndecided(() => withoutWhitespace(pattern, budget))
  const suggestion = bare instanceof Undecided ? undefined : bare
  return [finding('whitespace', message, { suggestion })]
}
