// Controls, format characters (bidirectional, zero-width, tags), other invisible ones (fillers,
// variation selectors, the Braille blank), blanks other than U+0020, line separators, lone
// surrogates, private-use and unassigned characters, and each combining mark after the fourth in a
// row, which would pile up.
const UNPRINTABLE =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u2d7f\ufffc\u{1107f}\u{16fe4}\u{1d159}]|(?! )\p{Zs}|(?<=[\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]/gu

// The expression above is slow, so apply it only to text that is not plain ASCII.
const OTHER = /[^\x20-\x7e]+/g

/** @param shown what to show for a character that is not printable */
function escapeUnprintable(text: string, shown: (character: string) => string): string {
  return text.replace(OTHER, (run) => run.replace(UNPRINTABLE, shown))
}

// A fast path for most text.
const PLAIN = /^(?! *::)[\x20-\x7e]*$/
const PLAIN_LINES = /^[\x20-\x7e\n]*$/

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}

/** A character as an escape that people can read: `\x1b`, `\u202e`. */
export function visibleEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code <= 0xff) return `\\x${hex(code, 2)}`
  return code <= 0xffff ? `\\u${hex(code, 4)}` : `\\u{${hex(code, 5)}}`
}

/** Escapes a line that a CI runner would run as a command: `::error::` becomes `:\x3aerror::`. */
function safeStart(line: string): string {
  return line.replace(/^( *:):/, '$1\\x3a')
}

/**
 * Makes one line of text from outside safe to print. Characters that could move the cursor, recolour,
 * reorder, hide or imitate text become visible escapes (`\x1b`, `\u202e`), line breaks included, and so
 * do the commands of CI runners: `##` anywhere (`#\x23`) and `::` at the start (`:\x3a`).
 */
export function safeText(text: string): string {
  if (PLAIN.test(text) && !text.includes('##')) return text
  // A combining mark at the start would change the character before it.
  const alone = text.replace(/^\p{M}/u, visibleEscape)
  return safeStart(escapeUnprintable(alone, visibleEscape).replaceAll('##', '#\\x23'))
}

/** A character as JSON escapes of its code units. */
export function jsonEscape(character: string): string {
  const units = character.split('')
  return units.map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`).join('')
}

/**
 * Makes JSON text safe to print without changing its value. Valid JSON contains raw tabs and line breaks
 * only between tokens: these are kept, carriage returns are removed. `##` occurs only in strings.
 */
export function safeJson(json: string): string {
  if (PLAIN_LINES.test(json) && !json.includes('##')) return json
  const shown = (character: string) =>
    character === '\n' || character === '\t' ? character : jsonEscape(character)
  return escapeUnprintable(json.replaceAll('\r', ''), shown).replaceAll('##', '#\\u0023')
}

/** A character as an escape of a double-quoted YAML text. */
function yamlEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code <= 0xffff ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
}

/**
 * Makes YAML text safe to print without changing its value.
 * @param yaml text in which everything that is not safe to print is within double quotes
 */
export function safeYaml(yaml: string): string {
  const shown = (character: string) => (character === '\n' ? character : yamlEscape(character))
  return escapeUnprintable(yaml, shown).replaceAll('##', '#\\u0023')
}

// The blocks of right-to-left scripts: Hebrew to Arabic Extended, presentation forms, and those
// beyond the basic plane.
const RIGHT_TO_LEFT =
  '[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]+'
const ISOLATED_OR_RUN = new RegExp(
  `\\u2068[^\\u2069]*\\u2069|${RIGHT_TO_LEFT}(?:[ ._'-]${RIGHT_TO_LEFT})*`,
  'gu',
)

/**
 * Isolates right-to-left words in text that people read, so that they do not reorder the figures and
 * columns beside them. The isolates (U+2068, U+2069) take no space: it is done after the layout.
 * @param text safe to print; existing isolates are kept
 */
export function isolate(text: string): string {
  return text.replace(ISOLATED_OR_RUN, (run) =>
    run.startsWith('\u2068') ? run : `\u2068${run}\u2069`,
  )
}
