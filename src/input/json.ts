import { FlagadmError, refuseUsage } from '../errors.ts'
import { MAX_LEVELS } from './document-limits.ts'

/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const TOO_DEEP = `JSON with more than ${MAX_LEVELS} levels`

/** Whether the character at an index comes after an odd number of backslashes. */
function isEscaped(json: string, index: number): boolean {
  let start = index
  while (json[start - 1] === '\\') start--
  return (index - start) % 2 === 1
}

/**
 * The index after a string in JSON text; the length of the text if the string does not end.
 * @param start the index of the opening quotation mark
 */
export function endOfString(json: string, start: number): number {
  for (let mark = json.indexOf('"', start + 1); mark !== -1; mark = json.indexOf('"', mark + 1)) {
    if (!isEscaped(json, mark)) return mark + 1
  }
  return json.length
}

/** Whether JSON text has more levels than documents have: what recurses over its data would overflow the stack. */
export function isTooDeep(json: string): boolean {
  let level = 0
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '"') at = endOfString(json, at) - 1
    else if (character === '{' || character === '[') {
      level++
      if (level > MAX_LEVELS) return true
    } else if (character === '}' || character === ']') level--
  }
  return false
}

/** The data of JSON text; null for other text, and for too many levels. */
export function parseJson(text: string): unknown {
  try {
    return isTooDeep(text) ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/** Whether text is JSON as far as it goes: the parser says that it ends too early, or how far it came. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error()
    const position = / position (\d+)/.exec(message)?.[1]
    if (position !== undefined) return Number(position) >= text.length
    return message.includes('end of JSON')
  }
}

// Finding the fault takes twenty times as long as parsing.
const MAX_SEARCHED = 1_000_000

/** Where text stops being JSON, for example `:3:14`, a line and a column from 1; empty if finding that would take long. */
function faultPlace(text: string): string {
  if (text.length > MAX_SEARCHED) return ''
  let from = 0
  for (let to = text.length; from < to; ) {
    const middle = Math.ceil((from + to) / 2)
    if (isBeginning(text.slice(0, middle))) from = middle
    else to = middle - 1
  }
  const lines = text.slice(0, from).split('\n')
  return `:${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}

/**
 * The data of a JSON file that a command writes, and another one reads.
 * @param name of the file, as it is shown
 * @throws a usage error that says where the text is not JSON
 */
export function parseJsonFile(text: string, name: string, hint: string): unknown {
  if (isTooDeep(text)) refuseUsage(`${name}: ${TOO_DEEP}`, hint)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new FlagadmError('usage', `${name}${faultPlace(text)}: not JSON`, { hint, cause })
  }
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
