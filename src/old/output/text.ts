import type { Redactor } from '../../redact.ts'
import { isolate, safeJson, safeLines, safeText } from '../../output/escapes.ts'

declare const brand: unique symbol

/**
 * Text that may be written: secrets are masked, and nothing in it controls a terminal or a CI runner.
 * All streams and files of results accept only this type.
 */
export type Safe = string & { readonly [brand]: true }

/**
 * Marks the text of a format (JSON, CSV, a table) as safe. Only for the modules of `output/`: others
 * compose what they print with `safe`, `joined` and a printer.
 */
export function formatted(text: string): Safe {
  return text as Safe
}

/** Our own words with safe parts between them: safe`project ${id} on ${target}`. */
export function safe(
  words: TemplateStringsArray,
  ...parts: readonly (Safe | number | bigint)[]
): Safe {
  return formatted(words.reduce((text, word, index) => `${text}${parts[index - 1]}${word}`))
}

/** Safe texts with a separator between them. */
export function joined(
  parts: readonly Safe[],
  separator: '' | ' ' | '  ' | ',' | ', ' | '; ' | '\n' | '\n\n' | '<br>' = '',
): Safe {
  return formatted(parts.join(separator))
}

export function repeated(text: Safe, times: number): Safe {
  return formatted(text.repeat(times))
}

export function padStart(text: Safe, length: number): Safe {
  return formatted(text.padStart(length))
}

export function padEnd(text: Safe, length: number): Safe {
  return formatted(text.padEnd(length))
}

/** Text in two parts, the first of which ends with the first occurrence of a separator. */
export function splitAfter(text: Safe, separator: string): Safe[] {
  const at = text.indexOf(separator)
  if (at === -1) return [text]
  const end = at + separator.length
  return [formatted(text.slice(0, end).trimEnd()), formatted(text.slice(end))]
}

export function trimEnd(text: Safe): Safe {
  return formatted(text.trimEnd())
}

export function sliced(text: Safe, start: number, end?: number): Safe {
  return formatted(text.slice(start, end))
}

/** Text in which the matches of a pattern are changed, for example coloured. */
export function replaced(text: Safe, pattern: RegExp, change: (match: Safe) => Safe): Safe {
  return formatted(text.replace(pattern, (match) => change(formatted(match))))
}

/**
 * Lines that people read, each ended by a line break. Right-to-left words are isolated, so that they do
 * not reorder the figures and columns beside them.
 */
export function linesOf(lines: readonly Safe[]): Safe {
  return formatted(isolate(lines.map((line) => `${line}\n`).join('')))
}

/** A function that makes the text of each value only once, for names that are in many rows. */
export function remembered(make: (value: string) => Safe): (value: string) => Safe {
  const known = new Map<string, Safe>()
  return (value) => {
    const text = known.get(value)
    if (text !== undefined) return text
    const made = make(value)
    known.set(value, made)
    return made
  }
}

/** Makes text from outside safe: masks secrets before a format escapes the text, because an escaped one would not be found. */
export interface Sanitizer {
  /** One line. Line breaks and other characters that are not printable become visible escapes. */
  text(value: string): Safe
  /** Several lines. */
  lines(value: string): Safe[]
  /** Data as JSON on one line. */
  json(data: unknown): Safe
  /** JSON text of the service, unchanged but for secrets and unsafe characters. */
  jsonText(json: string): Safe
  /** Plain data with secrets masked in all its strings, for formats that a library writes. */
  masked<Data>(data: Data): Data
}

export function createSanitizer({ redact, redactAll, redactJson }: Redactor): Sanitizer {
  const jsonText = (json: string) => formatted(safeJson(redactJson(json)))
  return {
    text: (value) => formatted(safeText(redact(value))),
    lines: (value) => safeLines(redact(value)).split('\n').map(formatted),
    json: (data) => jsonText(JSON.stringify(data)),
    jsonText,
    masked: redactAll,
  }
}
