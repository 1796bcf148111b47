import { safeText } from './text.ts'

const escapes: Record<string, string> = { '|': '\\x7c', '`': '\\x60' }

/**
 * Text from outside as a code span, in which nothing is formatted and no user is mentioned. Parsers
 * disagree on escaped pipes and on backticks in a table's cell, so both become visible escapes.
 */
export function codeSpan(text: string): string {
  const safe = safeText(text).replace(/[|`]/g, (character) => escapes[character] ?? character)
  return safe.trim() === safe && safe !== '' ? `\`${safe}\`` : `\` ${safe} \``
}
