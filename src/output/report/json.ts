import { safeJson } from '../text.ts'

/** A document as one line of JSON, safe to print; absent fields are left out. */
export function jsonReport(document: object): string {
  return `${safeJson(JSON.stringify(document))}\n`
}

/** Documents as JSON Lines: one on each line. */
export function jsonLinesReport(documents: readonly object[]): string {
  return documents.map(jsonReport).join('')
}
