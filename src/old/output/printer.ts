import type { Redactor } from '../../redact.ts'
import type { Host } from '../../host.ts'
import type { Sink } from './stream.ts'
import { type ColorChoice, createStyle, type Style, usesColor } from './style.ts'
import { createSanitizer, type Sanitizer } from './text.ts'

/** Makes the text of one stream or file: safe, in its colours and for its width. */
export interface Printer extends Sanitizer {
  style: Style
  /** Columns of the terminal; undefined without a terminal, where nothing is wrapped or shortened. */
  width: number | undefined
}

/** A printer for a stream or file; by default, one without colours and for any width. */
export function createPrinter(redactor: Redactor, colored = false, width?: number): Printer {
  return { ...createSanitizer(redactor), style: createStyle(colored), width }
}

/** The printer of a stream, in its colours and for its width. */
export function printerOf(
  { isTTY, size }: Sink,
  color: ColorChoice | false,
  env: Host['env'],
  redactor: Redactor,
): Printer {
  const colored = usesColor(color, isTTY, env)
  return createPrinter(redactor, colored, isTTY ? size().columns : undefined)
}
