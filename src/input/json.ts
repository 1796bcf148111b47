/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const BACKSLASH = 0x5c

function isEscaped(json: string, at: number): boolean {
  let escaped = false
  for (let before = at - 1; json.charCodeAt(before) === BACKSLASH; before--) escaped = !escaped
  return escaped
}

/**
 * The index after a string in JSON text; the length of the text if the string does not end. A regular
 * expression would overflow the stack on strings with many escapes.
 * @param start the index of the opening quotation mark
 */
export function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    if (!isEscaped(json, at)) return at + 1
  }
  return json.length
}

/**
 * Replaces the parts of JSON text.
 * @param replaceString takes a string with its quotation marks
 * @param replaceOther takes what is between two strings
 */
export function replaceParts(
  json: string,
  replaceString: (token: string) => string,
  replaceOther: (text: string) => string,
): string {
  const pieces: string[] = []
  let from = 0
  for (let start = json.indexOf('"'); start !== -1; start = json.indexOf('"', from)) {
    const end = endOfString(json, start)
    pieces.push(replaceOther(json.slice(from, start)), replaceString(json.slice(start, end)))
    from = end
  }
  return pieces.join('') + replaceOther(json.slice(from))
}
