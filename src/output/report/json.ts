import { safeJson } from '../text.ts'

/**
 * A document as one line of JSON, safe to print in a CI job; absent fields are left out. Two number
 * signs can only stand in a string, where the escape keeps the value and hides the command of a CI.
 */
export function jsonReport(document: object): string {
  return `${safeJson(JSON.stringify(document)).replaceAll('##', '#\\u0023')}\n`
}

/** Documents as JSON Lines: one on each line. */
export function jsonLinesReport(documents: readonly object[]): string {
  return documents.map(jsonReport).join('')
}
