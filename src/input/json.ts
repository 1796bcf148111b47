const QUOTE = '"'
const BACKSLASH = 0x5c

function isEscaped(json: string, at: number): boolean {
  let start = at
  while (json.charCodeAt(start - 1) === BACKSLASH) start--
  return (at - start) % 2 === 1
}

/**
 * The index of the quotation mark that ends a string of JSON text; that of the last character when
 * the string has no end. Takes linear time, and no stack, for any number of escapes.
 * @param start the index of the quotation mark that begins it
 */
export function endOfString(json: string, start: number): number {
  for (let at = json.indexOf(QUOTE, start + 1); at >= 0; at = json.indexOf(QUOTE, at + 1)) {
    if (!isEscaped(json, at)) return at
  }
  return json.length - 1
}
