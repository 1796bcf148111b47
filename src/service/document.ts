// Ours, because JSON.parse rounds big integers and takes any size, and the parsers that do not are much slower.
import { endOfString, replaceParts } from '../input/json.ts'

// Far more than real documents contain, but still parsed within a second.
const MAX_ENTRIES = 200_000
const MAX_VALUES = 4_000_000
const MAX_LEVELS = 1000

/** The most digits that an integer may have. */
export const MAX_DIGITS = 1000

/** Thrown for a document that exceeds a limit; the message describes the excess. */
export class ExceededLimit extends Error {}

const [QUOTE, COMMA] = [0x22, 0x2c]
// The brackets [ and ] differ from the braces { and } in one bit.
const BRACE_BIT = 0x20
const [OPENING, CLOSING] = [0x7b, 0x7d]

/** Checks the size of a document before it is parsed: `{},` takes twenty times its size in memory. */
function checkSize(json: string): void {
  const entries: number[] = []
  let [values, count] = [0, 0]
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at)
    if (unit === QUOTE) at = endOfString(json, at) - 1
    else if (unit === COMMA) {
      values++
      if (++count > MAX_ENTRIES) throw new ExceededLimit('a list of more than 200,000 rows')
    } else if ((unit | BRACE_BIT) === OPENING) {
      values++
      if (entries.push(count) > MAX_LEVELS) throw new ExceededLimit('more than 1,000 nested values')
      count = 1
    } else if ((unit | BRACE_BIT) === CLOSING) count = entries.pop() ?? 0
    if (values > MAX_VALUES) throw new ExceededLimit('more than 4,000,000 values')
  }
}

// The fewest digits that a JavaScript number may round.
const BIG = /\d{16}/
const BIG_INTEGER = /(?<![\d.eE+-])-?[1-9]\d{15,}(?![\d.eE])/g
const TOO_MANY_DIGITS = new RegExp(`(?<!\\d)\\d{${MAX_DIGITS + 1}}`)

function quoteIntegers(text: string): string {
  if (TOO_MANY_DIGITS.test(text)) throw new ExceededLimit('a number of more than 1,000 digits')
  return text.replace(BIG_INTEGER, '"$&"')
}

/**
 * The data of a JSON document. An integer that a JavaScript number cannot represent becomes a string,
 * which keeps its digits.
 * @throws ExceededLimit for a document that exceeds a limit, a SyntaxError for one that is not JSON
 */
export function parseExactJson(json: string): unknown {
  checkSize(json)
  return JSON.parse(BIG.test(json) ? replaceParts(json, (token) => token, quoteIntegers) : json)
}
