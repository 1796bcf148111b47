// Controls, format characters (bidirectional, zero-width, tags), other invisible ones (fillers,
// variation selectors), line separators, lone surrogates, and the Braille blank.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}\u2800]/gu

// Most text, told apart quickly.
const PLAIN = /^[\x20-\x7e]*$/
const PLAIN_LINES = /^[\x20-\x7e\n]*$/

function visibleEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`
  return `\\u{${code.toString(16)}}`
}

/**
 * Makes one line of text from outside safe to print: whatever could move the cursor, recolour,
 * reorder or hide text becomes a visible escape (`\x1b`, `\u202e`). Line breaks too.
 */
export function safeText(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNPRINTABLE, visibleEscape)
}

/** The same for text of several lines, whose line breaks are kept. */
export function safeLines(text: string): string {
  return text.split(/\r?\n/).map(safeText).join('\n')
}

function jsonEscape(character: string): string {
  let escaped = ''
  for (let unit = 0; unit < character.length; unit++) {
    escaped += `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`
  }
  return escaped
}

/**
 * Makes JSON text safe to print without changing its value or any other byte. Valid JSON holds
 * raw tabs and line breaks only between tokens: those stay, a carriage return goes.
 */
export function safeJson(json: string): string {
  if (PLAIN_LINES.test(json)) return json
  return json.replace(UNPRINTABLE, (character) => {
    if (character === '\n' || character === '\t') return character
    return character === '\r' ? '' : jsonEscape(character)
  })
}

/** JSON text on one line. Valid JSON holds raw line breaks only between tokens. */
export function compactJson(json: string): string {
  // Line by line: one expression over all of it would take quadratic time on a run of blanks.
  return json
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .join('')
}
