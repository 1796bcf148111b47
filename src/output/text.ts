// The only place where text leaves flagadm: masked, made printable, then styled.
import { fileReason, FlagadmError, systemCode } from '../errors.ts'
import type { OutputStream } from '../host.ts'
import type { Redactor } from './redact.ts'
import { isolate, safeJson, safeText } from './escapes.ts'
import { wrapText } from './width.ts'

// Yellow is hard to read on white.
const styles = ['bold', 'dim', 'red', 'green', 'magenta'] as const

export type Style = (typeof styles)[number]

/** Text from anywhere, as it is. `{ bold: name }` is styled. A line with `{ copy: command }` is not wrapped. */
export type Part = string | number | { [Name in Style | 'copy']?: string | number }

/**
 * The parts of one line. A line break in a part becomes visible; several lines are several calls. On a terminal, a line is
 * wrapped at its words.
 */
export type Line = readonly Part[]

/** A part without its style. */
export function plainText(part: Part): string | number {
  return typeof part === 'object' ? (Object.values(part)[0] ?? '') : part
}

/** The text of a line in lines that fit a width, unless it is to be copied. */
function wrapLine(line: Line, rendered: string, width: number | undefined): string {
  const isToCopy = line.some((part) => typeof part === 'object' && part.copy !== undefined)
  return isToCopy ? rendered : wrapText(rendered, width)
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Printable text as a part of HTML or XML: of an element, or of an attribute in double quotes. */
export function escapeMarkup(printable: string): string {
  return printable.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}

/** Styles text that is printable. */
export type Paint = (style: Style, printable: string) => string

/** Writes to stdout or stderr. */
export interface Writer {
  /** Columns of the terminal; undefined elsewhere, where nothing is cut or wrapped. */
  readonly width: number | undefined
  /** Whether the reader has closed the stream (`| head`); everything else is dropped. */
  readonly isClosed: boolean
  line(...line: Line): void
  /** @param width to wrap at, instead of that of the terminal */
  lines(lines: readonly (string | Line)[], width?: number): void
  /** Lines of cells separated by tabs. */
  tabbed(rows: readonly (readonly string[])[]): void
  /** Data as JSON on one line; absent fields are left out. */
  json(data: unknown): void
  /** A JSON document of the service with all its digits. */
  jsonText(json: string): void
  /** For `output/`: text masked and made printable, on one line. */
  printable(text: string): string
  /** For `output/`: JSON text masked and made printable, with the same value. */
  printableJson(json: string): string
  /** For `output/`: styles printable text. */
  styled(style: Style | undefined, printable: string): string
  /** For `output/`: the text of a line. */
  rendered(line: Line): string
  /** For `output/`: writes what was made of printable text. */
  raw(rendered: string): void
}

/** A writer, and what only a run does with it. */
export interface OpenWriter extends Writer {
  usePaint(paint: Paint): void
  /** Waits until everything is written. @throws an `unexpected` error if that failed, for example on a full disk */
  flush(): Promise<void>
}

/** @param printed makes text of a part masked and printable */
function renderLine(
  line: Line,
  printed: (text: string) => string,
  paint: (style: Style | undefined, text: string) => string,
): string {
  const parts = line.map((part) => {
    if (typeof part !== 'object') return { style: undefined, text: printed(`${part}`) }
    const style = styles.find((name) => part[name] !== undefined)
    return { style, text: printed(`${plainText(part)}`) }
  })
  // A key, or a command of a CI runner, may arise where parts meet; then the line has no styles.
  const whole = parts.map(({ text }) => text).join('')
  const safe = printed(whole)
  return safe === whole ? parts.map(({ style, text }) => paint(style, text)).join('') : safe
}

/**
 * Opens a stream for writing. A closed pipe is not an error, and does not change the exit code.
 * @param beforeWriting is called before anything is written
 */
export function createWriter(
  stream: OutputStream,
  { redact, redactJson }: Redactor,
  beforeWriting: () => void = () => {},
): OpenWriter {
  let paint: Paint = (_, text) => text
  let isClosed = false
  let failure: unknown
  let written: Promise<void> = Promise.resolve()
  const raw = (text: string) => {
    if (isClosed || text === '') return
    beforeWriting()
    written = new Promise((resolve) => {
      stream.write(text, (error) => {
        if (error) {
          isClosed = true
          if (systemCode(error) !== 'EPIPE') failure ??= error
        }
        resolve()
      })
    })
  }
  const printable = (text: string) => safeText(redact(text))
  const printableJson = (json: string) => safeJson(redactJson(json))
  const styled = (style: Style | undefined, text: string) =>
    style === undefined || text === '' ? text : paint(style, text)
  const rendered = (line: Line) => isolate(renderLine(line, printable, styled))
  const width = stream.isTTY ? stream.columns || 80 : undefined
  const lines = (all: readonly (string | Line)[], columns = width) => {
    const parts = all.map((line) => (typeof line === 'string' ? [line] : line))
    const texts = parts.map((line) => wrapLine(line, rendered(line), columns))
    raw(texts.map((text) => `${text}\n`).join(''))
  }
  return {
    width,
    get isClosed() {
      return isClosed
    },
    line: (...line) => lines([line]),
    lines,
    tabbed: (rows) => raw(rows.map((cells) => `${cells.map(printable).join('\t')}\n`).join('')),
    json: (data) => raw(`${printableJson(JSON.stringify(data))}\n`),
    jsonText: (json) => raw(`${printableJson(json.trimEnd())}\n`),
    printable,
    printableJson,
    styled,
    rendered,
    raw,
    usePaint: (chosen) => {
      paint = chosen
    },
    async flush() {
      await written
      if (failure === undefined) return
      const what = `the output cannot be written: ${fileReason(failure)}`
      throw new FlagadmError('unexpected', what, { hint: 'the output is incomplete' })
    },
  }
}
