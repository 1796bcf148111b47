/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The data of JSON text; null for other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The index after a string in JSON text; the length of the text if the string does not end. One regular expression for
 * the whole string would overflow the stack on strings with many escapes.
 * @param start the index of the opening quotation mark
 */
export function endOfString(json: string, start: number): number {
  const mark = /\\.|"/gs
  mark.lastIndex = start + 1
  for (let found = mark.exec(json); found; found = mark.exec(json)) {
    if (found[0] === '"') return mark.lastIndex
  }
  return json.length
}

/** Replaces the strings of JSON text, which have their quotation marks. */
export function replaceStrings(json: string, replace: (token: string) => string): string {
  const pieces: string[] = []
  let from = 0
  for (let start = json.indexOf('"'); start !== -1; start = json.indexOf('"', from)) {
    const end = endOfString(json, start)
    pieces.push(json.slice(from, start), replace(json.slice(start, end)))
    from = end
  }
  return pieces.join('') + json.slice(from)
}
