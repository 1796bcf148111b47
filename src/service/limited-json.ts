// Ours, because JSON.parse takes any size.
import { endOfString } from '../input/json.ts'

// Far more than real documents contain, but still parsed within a second.
const MAX_ENTRIES = 200_000
const MAX_VALUES = 4_000_000
const MAX_LEVELS = 1000

/** Thrown for a document that exceeds a limit; the message describes the excess. */
export class ExceededLimit extends Error {}

const QUOTE = 0x22
const COMMA = 0x2c
const OPENING = 0x7b
const CLOSING = 0x7d
// The brackets [ and ] differ from the braces { and } in this bit.
const BRACE_BIT = 0x20

/** Checks the size of a document before it is parsed: `{},` takes twenty times its size in memory. */
function checkSize(json: string): void {
  const entries: number[] = []
  let values = 0
  let count = 0
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

/**
 * Parses a JSON document. Numbers beyond 2^53 are rounded; the text keeps their digits.
 * @throws ExceededLimit for a document that exceeds a limit, a SyntaxError for one that is not JSON
 */
export function parseLimited(json: string): unknown {
  checkSize(json)
  return JSON.parse(json)
}
