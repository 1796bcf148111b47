import type { Redactor } from '../redact.ts'
import { createStyle, type Style } from './style.ts'
import { createSanitizer, type Sanitizer } from './text.ts'

/** Makes the text of one stream or file: safe, in its colours and for its width. */
export interface Printer extends Sanitizer {
  style: Style
  /** Columns of the terminal; undefined without a terminal, where nothing is wrapped or shortened. */
  width: number | undefined
}

/** A printer for a stream or file; by default, one without colours and for any width. */
export function createPrinter(
  redactor: Redactor,
  { colored = false, width }: { colored?: boolean; width?: number | undefined } = {},
): Printer {
  return { ...createSanitizer(redactor), style: createStyle(colored), width }
}
