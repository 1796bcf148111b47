import type { Blocks } from './blocks.ts'
import { type Safe, safe, type Sanitizer, sliced } from './text.ts'

/** A document as one line of JSON; absent fields are left out. */
export function jsonReport(document: object, { json }: Sanitizer): Safe {
  return safe`${json(document)}\n`
}

/**
 * A document with a list that may be long, as one line of JSON.
 * @param before the fields before the list
 * @param rows parts of the list, as JSON
 * @param after the fields after it
 */
export function* jsonWithRows(
  before: object,
  name: string,
  rows: Blocks,
  after: object,
  { json }: Sanitizer,
): Blocks {
  yield sliced(json({ ...before, [name]: [] }), 0, -3)
  yield* jsonArray(rows)
  yield safe`,${sliced(json(after), 1)}\n`
}

/**
 * A JSON array that may be long, without a line break.
 * @param parts arrays of some of its items, as JSON
 */
export function* jsonArray(parts: Blocks): Blocks {
  yield safe`[`
  let separator = safe``
  for (const part of parts) {
    yield safe`${separator}${sliced(part, 1, -1)}`
    separator = safe`,`
  }
  yield safe`]`
}

export function jsonLinesReport(documents: readonly object[], { jsonText }: Sanitizer): Safe {
  return jsonText(documents.map((document) => `${JSON.stringify(document)}\n`).join(''))
}

/**
 * The service's own document, unchanged except for masked secrets and escaped unsafe characters.
 * @param oneLine whether to remove line breaks, so that several documents are JSON Lines
 */
export function serviceDocument(json: string, oneLine: boolean, { jsonText }: Sanitizer): Safe {
  // Valid JSON has raw line breaks only between tokens.
  const text = oneLine ? json.trim().replace(/[\r\n]\s*/g, '') : json.trimEnd()
  return safe`${jsonText(text)}\n`
}

/**
 * Counts as a JSON object. JSON.stringify rejects bigints, and an object literal would lose a variant
 * that is called `__proto__`.
 */
export function countsJson(counts: readonly (readonly [name: string, count: bigint])[]): string {
  return `{${counts.map(([name, count]) => `${JSON.stringify(name)}:${count}`).join(',')}}`
}

/** Data as JSON text in which a field without a value is null. */
export function nullableJson(data: object): string {
  return JSON.stringify(data, (_, value: unknown) => (value === undefined ? null : value))
}

/** The fields of two JSON objects, neither of them empty, as one object. */
export function joinJson(first: string, second: string): string {
  return `${first.slice(0, -1)},${second.slice(1)}`
}
